//! What a machine and a repository offer to a check, without running one.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use git_trees::Repository;

use crate::CheckError;
use crate::interpreter::python;
use crate::revisions::git;
use crate::suite::suite;
use crate::view::CommitView;

/// How well something a check needs is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// It is here.
    Good,
    /// Something weaker stands in for it, and verdicts say so.
    Weaker,
    /// It is not here, and a check will not work.
    Missing,
}

/// One thing a check needs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// What it is.
    pub what: String,
    /// How well it is here.
    pub state: State,
    /// What was found.
    pub detail: String,
    /// The next step, where there is one.
    pub hint: Option<String>,
}

/// What was found in a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Look {
    /// The root of its work tree.
    pub root: PathBuf,
    /// The framework.
    pub framework: String,
    /// Why that one.
    pub because: String,
    /// Its command.
    pub command: Vec<String>,
}

/// Looks at HEAD of the repository that holds `folder`.
///
/// # Errors
/// [`CheckError`] when there is no repository, no commit, no work tree or no known framework.
pub fn look(folder: &Path, environment: &BTreeMap<String, String>) -> Result<Look, CheckError> {
    let repository = Repository::discover(folder).map_err(git)?;
    let head = repository.resolve("HEAD").map_err(git)?;
    let view = CommitView::new(&repository, &head)?;
    let mut options = crate::CheckOptions::new(folder);
    options.environment.clone_from(environment);
    let found = suite(&patch_verdict_core::Config::default(), &options, &view)?;
    let root = repository.root().ok_or_else(|| {
        CheckError::request("a bare repository has no place for a configuration")
            .hint("commit patch-verdict.toml from a work tree")
    })?;
    Ok(Look {
        root: root.to_owned(),
        framework: found.framework.name().to_owned(),
        because: found.found_by,
        command: found.command,
    })
}

/// Everything a check needs, one after the other.
pub fn diagnose(folder: &Path, environment: &BTreeMap<String, String>) -> Vec<Diagnosis> {
    let mut all = vec![
        program_version("git", &["--version"]),
        repository(folder, environment),
    ];
    let path = environment.get("PATH").map(String::as_str);
    all.push(match python(None, path) {
        Some(python) => found("python", State::Good, python.display().to_string(), None),
        None => found(
            "python",
            State::Missing,
            "no `python3` in PATH".to_owned(),
            Some("tests of Python projects cannot be run or compared without one"),
        ),
    });
    all.extend(isolation());
    all
}

fn found(what: &str, state: State, detail: String, hint: Option<&str>) -> Diagnosis {
    Diagnosis {
        what: what.to_owned(),
        state,
        detail,
        hint: hint.map(str::to_owned),
    }
}

fn program_version(program: &str, arguments: &[&str]) -> Diagnosis {
    match Command::new(program).args(arguments).output() {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            found(program, State::Good, text, None)
        }
        _ => found(
            program,
            State::Missing,
            format!("no `{program}` in PATH"),
            Some("install it"),
        ),
    }
}

fn repository(folder: &Path, environment: &BTreeMap<String, String>) -> Diagnosis {
    match look(folder, environment) {
        Ok(look) => {
            let detail = format!(
                "{}: {} ({})",
                look.root.display(),
                look.framework,
                look.because
            );
            found("repository", State::Good, detail, None)
        }
        Err(error) => {
            let hint = error.next_step().map(str::to_owned);
            Diagnosis {
                hint,
                ..found("repository", State::Missing, error.to_string(), None)
            }
        }
    }
}

fn isolation() -> Vec<Diagnosis> {
    let isolation = match worktree_runner::probe_isolation() {
        Ok(isolation) => isolation,
        Err(error) => {
            return vec![found("isolation", State::Missing, error.to_string(), None)];
        }
    };
    let gaps = crate::execute::gaps(&isolation);
    let detail = crate::execute::words(&isolation);
    if gaps.is_empty() {
        return vec![found("isolation", State::Good, detail, None)];
    }
    let hint = "verdicts will say so, and nothing will be proposed for freezing; \
                user namespaces (or root) are needed";
    let detail = format!("{detail}: {}", gaps.join("; "));
    vec![found("isolation", State::Weaker, detail, Some(hint))]
}
