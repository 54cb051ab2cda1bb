//! What an adapter is asked for, and what it answers.
use std::collections::BTreeMap;

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an adapter must plan each of them")]
pub enum Mode<'a> {
    /// Run everything the command selects, once, to learn what there is.
    Discover,
    /// List everything the command selects; run nothing.
    Collect,
    /// Run these tests (the framework's own ids) and collect nothing else.
    Scored {
        /// The ids.
        ids: &'a [String],
    },
    /// Run everything the command selects.
    Whole,
}

/// One run to plan.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "built by whoever starts runs")]
pub struct PlanRequest<'a> {
    /// The user's command: program and arguments; `{seed}` and `{junit}` are replaced.
    pub command: &'a [String],
    /// What it is for.
    pub mode: Mode<'a>,
    /// The seed.
    pub seed: i64,
    /// A name nobody can know beforehand: letters and digits.
    pub nonce: &'a str,
    /// Absolute path where the JUnit report must be written.
    pub report: &'a str,
    /// Absolute path of a fresh folder that will hold [`Plan::files`].
    pub control: &'a str,
    /// Absolute path of the tree.
    pub tree: &'a str,
    /// The folder the command starts in, relative to the tree.
    pub directory: &'a str,
    /// What the run's environment holds by configuration.
    pub environment: &'a BTreeMap<String, String>,
}

impl PlanRequest<'_> {
    /// The command with `{seed}` and `{junit}` replaced.
    pub(crate) fn words(&self) -> Vec<String> {
        let seed = self.seed.to_string();
        let replace = |word: &String| {
            word.replace("{seed}", &seed)
                .replace("{junit}", self.report)
        };
        self.command.iter().map(replace).collect()
    }
}

/// A file the caller puts into the control folder before the start.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub contents: String,
}

impl PlannedFile {
    pub(crate) fn new(name: impl Into<String>, contents: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            contents: contents.into(),
        }
    }
}

/// How one run is started, and where it leaves what.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Variables on top of the environment.
    pub environment: BTreeMap<String, String>,
    /// Files for the control folder.
    pub files: Vec<PlannedFile>,
    /// Absolute path of the report.
    pub report: String,
    /// Absolute path of the inventory, if the adapter makes one.
    pub inventory: Option<String>,
    /// Whether ids were asked for that the command cannot be kept to.
    pub ignores_ids: bool,
}

/// Why a run cannot be planned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The command is empty.
    #[error("the test command is empty")]
    NoCommand,
    /// The nonce would not be a module name.
    #[error("`{0}` is no nonce of letters and digits")]
    Nonce(String),
    /// The framework cannot list tests without running them.
    #[error("this command cannot list its tests without running them")]
    CannotList,
}
