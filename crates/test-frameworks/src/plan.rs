//! What a caller asks an adapter to run, and the adapter's answer.

use std::collections::BTreeMap;

use thiserror::Error;

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode<'a> {
    /// Run all that the command selects, once, unscored.
    Discover,
    /// List what the command selects; run nothing.
    Collect,
    /// Run these ids and nothing else.
    Scored {
        /// Node ids in the framework's own spelling.
        ids: &'a [String],
    },
    /// Run all that the command selects.
    Whole,
}

/// One run to plan.
#[expect(
    clippy::exhaustive_structs,
    reason = "callers build it; a new field must be decided by each"
)]
#[derive(Debug, Clone, Copy)]
pub struct PlanRequest<'a> {
    /// The user's command: program and arguments.
    pub command: &'a [String],
    /// What the run is for.
    pub mode: Mode<'a>,
    /// The seed of this run.
    pub seed: i64,
    /// Fresh for each run: ASCII letters, digits and `_`, at least one.
    pub nonce: &'a str,
    /// Absolute path where the JUnit report must appear.
    pub report: &'a str,
    /// Absolute path of a fresh, empty folder outside the tree, to be filled with [`Plan::files`].
    pub control: &'a str,
    /// Absolute path of the worktree's root.
    pub tree: &'a str,
    /// The suite's folder relative to `tree`; the root is `""`. The command runs there.
    pub directory: &'a str,
    /// The variables the run has otherwise; the plan's own are laid over them.
    pub environment: &'a BTreeMap<String, String>,
}

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Variables to lay over the run's environment.
    pub environment: BTreeMap<String, String>,
    /// Files to write into the control folder before the run.
    pub files: Vec<PlannedFile>,
    /// Absolute path of the JUnit report.
    pub report: String,
    /// Absolute path of the inventory, where the adapter writes one. No such file after the run, or
    /// one that is not complete, means that the run is no evidence.
    pub inventory: Option<String>,
    /// Name in the control folder of a named pipe, where the adapter streams results: the caller
    /// makes it before the run, reads it while the run lasts, and gives what came to
    /// [`Channel::parse`](crate::Channel::parse). Without the pipe the run is the same.
    pub channel: Option<String>,
    /// Whether ids were asked for and the command runs everything all the same.
    pub ignores_ids: bool,
}

/// A file to write into the control folder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedFile {
    /// Name in the control folder, without a separator.
    pub name: String,
    /// UTF-8 text.
    pub contents: String,
}

/// Why a run cannot be planned.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The command is empty.
    #[error("the test command is empty")]
    EmptyCommand,
    /// The nonce is no part of a module name.
    #[error("nonce `{0}` must consist of ASCII letters, digits and `_`")]
    BadNonce(String),
    /// A path is relative, or holds a character that cannot be passed on.
    #[error("{what} `{path}` must be an absolute path without NUL or line break{extra}")]
    BadPath {
        /// Which path.
        what: &'static str,
        /// The path.
        path: String,
        /// A further condition, or empty.
        extra: &'static str,
    },
    /// The framework cannot list its tests without running them.
    #[error("framework `{0}` cannot list tests without running them")]
    CannotCollect(&'static str),
    /// An id cannot stand on a line of its own.
    #[error("id {0:?} holds a line break or NUL and cannot be passed to the command")]
    BadId(String),
    /// A Python option in the command keeps the plugin out.
    #[error("`{0}` makes Python ignore PYTHONPATH, so the pytest plugin cannot be loaded")]
    IsolatedPython(String),
    /// The command is not one the adapter can take apart.
    #[error("the command is none that the {0} adapter can add its options to: give {1}")]
    Command(&'static str, &'static str),
    /// The command's placeholder is not one the adapter fills in.
    #[error("placeholder `{0}` has no meaning for framework `{1}`")]
    Placeholder(&'static str, &'static str),
}

impl PlanRequest<'_> {
    pub(crate) fn check(&self) -> Result<(), PlanError> {
        if self.command.first().is_none_or(String::is_empty) {
            return Err(PlanError::EmptyCommand);
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if self.nonce.is_empty() || !self.nonce.chars().all(fits) {
            return Err(PlanError::BadNonce(self.nonce.to_owned()));
        }
        for (what, path) in [
            ("report", self.report),
            ("control folder", self.control),
            ("tree", self.tree),
        ] {
            if !is_absolute(path) || path.contains(['\0', '\n', '\r']) {
                let path = path.to_owned();
                return Err(PlanError::BadPath {
                    what,
                    path,
                    extra: "",
                });
            }
        }
        Ok(())
    }

    /// The command with `{seed}` and `{junit}` filled in.
    pub(crate) fn filled_command(&self) -> Vec<String> {
        let seed = self.seed.to_string();
        self.command
            .iter()
            .map(|part| fill(part, &[("{seed}", &seed), ("{junit}", self.report)]))
            .collect()
    }

    /// The variables every adapter exports.
    pub(crate) fn exported(&self) -> BTreeMap<String, String> {
        BTreeMap::from([
            ("PATCH_VERDICT_SEED".to_owned(), self.seed.to_string()),
            ("PATCH_VERDICT_JUNIT".to_owned(), self.report.to_owned()),
        ])
    }

    /// A path in the control folder.
    pub(crate) fn in_control(&self, name: &str) -> String {
        format!("{}/{name}", self.control.trim_end_matches(['/', '\\']))
    }
}

/// Fills placeholders in one pass, so that a value that looks like a placeholder stays as it is.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    'text: while let Some(first) = rest.chars().next() {
        for (name, value) in values {
            if let Some(after) = rest.strip_prefix(name) {
                out.push_str(value);
                rest = after;
                continue 'text;
            }
        }
        out.push(first);
        rest = rest.strip_prefix(first).unwrap_or_default();
    }
    out
}

fn is_absolute(path: &str) -> bool {
    let mut start = path.chars();
    match (start.next(), start.next(), start.next()) {
        (Some('/'), ..) => true,
        (Some(drive), Some(':'), Some('/' | '\\')) => drive.is_ascii_alphabetic(),
        _ => false,
    }
}
