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
    /// Shell lines that a fresh tree needs.
    pub(crate) setup: Vec<String>,
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
pub(crate) fn build(case: &Case, clones: &Path, work: &Path) -> anyhow::Result<Pair> {
    let clone = clone_of(clones, &case.repository)?;
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
    crate::process::run(command.arg(&clone).arg(&repository))?;
    let git = Git {
        repository: &repository,
    };
    let (parent_from, patch_from, overlay) = sources(case)?;
    git.run(&["checkout", "--quiet", "--force", "--detach", &parent_from])?;
    let setup = match case.language.as_str() {
        "python" => set_up(&git, clones)?,
        // The packages stand in a folder of their own, as when the truth was measured.
        "javascript" => vec!["true".to_owned()],
        _ => Vec::new(),
    };
    let configuration = configuration(case, &setup);
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
        setup,
    })
}

/// Files laid over a side: which, from what commit, which paths.
type Overlay<'a> = Option<(Side, String, &'a [String])>;

/// The commits that both sides start from.
fn sources(case: &Case) -> anyhow::Result<(String, String, Overlay<'_>)> {
    match (&case.how, &case.parent, &case.patch) {
        (None, Some(parent), Some(patch)) => Ok((parent.clone(), patch.clone(), None)),
        (Some(how), _, _) if how.kind == "revert" => {
            let fix = how.fix.clone().context("a revert names its fix")?;
            Ok((
                fix.clone(),
                fix.clone(),
                Some((Side::Patch, format!("{fix}^"), how.source_paths.as_slice())),
            ))
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
            Ok((
                format!("{introducer}^"),
                introducer,
                Some((Side::Both, from, how.test_paths.as_slice())),
            ))
        }
        _ => bail!("the case has neither commits nor a way to make them"),
    }
}

/// Which side gets files of another commit.
#[derive(Debug, PartialEq, Eq)]
enum Side {
    Patch,
    Both,
}

fn configuration(case: &Case, setup: &[String]) -> String {
    let mut lines = vec!["[env.set]".to_owned()];
    for (name, value) in case.own_environment() {
        // What the set-up puts into `.site` is found behind the tree's own code.
        let behind = if name == "PYTHONPATH" { ":.site" } else { "" };
        lines.push(format!("{name} = {:?}", format!("{value}{behind}")));
    }
    if !setup.is_empty() {
        lines.push("[[suite]]".to_owned());
        lines.push(format!("setup = {setup:?}"));
    }
    lines.join("\n")
}

/// What a fresh worktree of the checked-out commit lacks: generated version files and package
/// metadata, and the submodules of which there is a clone.
fn set_up(git: &Git<'_>, clones: &Path) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    let metadata = ["pyproject.toml", "setup.py", "setup.cfg"];
    let texts =
        metadata.map(|file| fs::read_to_string(git.repository.join(file)).unwrap_or_default());
    let dynamic = texts.iter().any(|text| {
        text.contains("_scm") || (text.contains("dynamic =") && text.contains("\"version\""))
    });
    if dynamic {
        lines.push("python -m pip install --quiet --no-deps --target .site .".to_owned());
    }
    let modules = git.repository.join(".gitmodules");
    if modules.exists() {
        let pattern = "submodule\\..*\\.path";
        let list = git.answer(&["config", "--file", ".gitmodules", "--get-regexp", pattern])?;
        for line in list.lines() {
            let Some((key, path)) = line.split_once(' ') else {
                continue;
            };
            let name = path.rsplit('/').next().unwrap_or(path);
            let Some(clone) = clone_named(clones, name) else {
                continue;
            };
            let url = key.trim_end_matches(".path").to_owned() + ".url";
            git.run(&["config", &url, &clone.display().to_string()])?;
            let update = "git -c protocol.file.allow=always submodule update --init --quiet --";
            lines.push(format!("{update} {path}"));
        }
    }
    Ok(lines)
}

/// A clone whose repository has that name, whoever owns it.
fn clone_named(clones: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(clones).ok()?;
    let full = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let flat = full
        .into_iter()
        .find(|full| full.rsplit('+').next() == Some(name))?;
    clone_of(clones, &flat.replace('+', "/")).ok()
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
