//! The two commits of a case, made in a clone of their own.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use super::case::Case;

/// A clone with both commits.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) repository: PathBuf,
    pub(crate) parent: String,
    pub(crate) patch: String,
}

/// Finds the clone of `owner/name` below `clones`.
pub(crate) fn clone_of(clones: &Path, repository: &str) -> anyhow::Result<PathBuf> {
    let flat = repository.replace('/', "+");
    let places = [
        clones.join(repository),
        clones.join(repository).with_extension("git"),
        clones.join(&flat).join("repo"),
        clones.join(&flat).join("repo/.git"),
        clones.join(&flat),
    ];
    let is_git = |path: &PathBuf| path.join("HEAD").exists() || path.join(".git").exists();
    places
        .into_iter()
        .find(is_git)
        .with_context(|| format!("no clone of {repository}"))
}

/// Makes parent and patch; both get the case's environment as `patch-verdict.toml`, since the
/// configuration is read from the parent's side.
pub(crate) fn build(case: &Case, clone: &Path, work: &Path) -> anyhow::Result<Pair> {
    let repository = work.join("repository");
    let mut command = Command::new("git");
    command.args([
        "-c",
        "safe.directory=*",
        "clone",
        "--quiet",
        "--no-checkout",
        "--shared",
    ]);
    crate::process::run(command.arg(clone).arg(&repository))?;
    let git = Git {
        repository: &repository,
    };
    let (parent_from, patch_from, overlay) = match (&case.how, &case.parent, &case.patch) {
        (None, Some(parent), Some(patch)) => (parent.clone(), patch.clone(), None),
        (Some(how), _, _) if how.kind == "revert" => {
            let fix = how.fix.clone().context("a revert names its fix")?;
            (
                fix.clone(),
                fix.clone(),
                Some((Side::Patch, format!("{fix}^"), &how.source_paths)),
            )
        }
        (Some(how), _, _) if how.kind == "overlay" => {
            let introducer = how
                .introducer
                .clone()
                .context("an overlay names its introducer")?;
            let from = how
                .tests_from
                .clone()
                .context("an overlay names where its tests are from")?;
            (
                format!("{introducer}^"),
                introducer,
                Some((Side::Both, from, &how.test_paths)),
            )
        }
        _ => bail!("the case has neither commits nor a way to make them"),
    };
    let configuration = configuration(case);
    let commit = |from: &str, overlaid: bool, onto: Option<&str>| -> anyhow::Result<String> {
        git.run(&["checkout", "--quiet", "--force", "--detach", from])?;
        if let Some((_, source, paths)) = overlay.as_ref().filter(|_| overlaid) {
            for path in *paths {
                git.run(&[
                    "rm",
                    "-r",
                    "--quiet",
                    "--force",
                    "--ignore-unmatch",
                    "--",
                    path,
                ])?;
                git.run(&["checkout", "--quiet", source, "--", path])?;
            }
        }
        fs::write(repository.join("patch-verdict.toml"), &configuration)?;
        git.run(&["add", "--all", "--force"])?;
        let tree = git.answer(&["write-tree"])?;
        let mut arguments = vec!["commit-tree", &tree, "-m", "case"];
        if let Some(onto) = onto {
            arguments.extend(["-p", onto]);
        }
        git.answer(&arguments)
    };
    let both = overlay
        .as_ref()
        .is_some_and(|(side, _, _)| *side == Side::Both);
    let parent = commit(&parent_from, both, None)?;
    let patch = commit(&patch_from, overlay.is_some(), Some(&parent))?;
    git.run(&["checkout", "--quiet", "--force", "-B", "case", &patch])?;
    Ok(Pair {
        repository,
        parent,
        patch,
    })
}

/// Which side gets files of another commit.
#[derive(Debug, PartialEq, Eq)]
enum Side {
    Patch,
    Both,
}

fn configuration(case: &Case) -> String {
    let lines = case
        .own_environment()
        .map(|(name, value)| format!("{name} = {value:?}\n"));
    std::iter::once("[env.set]\n".to_owned())
        .chain(lines)
        .collect()
}

struct Git<'a> {
    repository: &'a Path,
}

impl Git<'_> {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args([
                "-c",
                "safe.directory=*",
                "-c",
                "user.name=Case",
                "-c",
                "user.email=case@example.org",
            ])
            .args(arguments)
            .current_dir(self.repository)
            .env("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z")
            .env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z");
        command
    }

    fn run(&self, arguments: &[&str]) -> anyhow::Result<()> {
        crate::process::run(&mut self.command(arguments))
    }

    fn answer(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let output = self.command(arguments).output()?;
        if !output.status.success() {
            bail!(
                "git {}: {}",
                arguments.join(" "),
                String::from_utf8_lossy(&output.stderr).trim()
            );
        }
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }
}
