//! What a check is asked to do: everything that comes from outside, as values.
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The patch's side, as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Head {
    /// A revision.
    Revision(String),
    /// The uncommitted work of the work tree.
    WorkTree,
    /// A patch file's bytes, applied to the base.
    PatchFile(Vec<u8>),
}

/// How many seeds, or which.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Seeds {
    /// That many, derived from both trees.
    Count(usize),
    /// These, in this order.
    List(Vec<i64>),
}

/// A report whose failed tests are the scope.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a name and bytes")]
pub struct FailedIn {
    /// Its name, for messages.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Everything a check needs to know.
#[derive(Debug, Clone)]
#[expect(
    clippy::exhaustive_structs,
    reason = "built by programs; every field has a default"
)]
pub struct CheckOptions {
    /// A folder in the repository.
    pub repository: PathBuf,
    /// The control arm; found by rule when absent.
    pub base: Option<String>,
    /// The experiment.
    pub head: Head,
    /// Overrides the configuration's count.
    pub seeds: Option<Seeds>,
    /// Only the tests that failed in these reports, and what the patch added, changed or removed.
    pub failed_in: Vec<FailedIn>,
    /// Only the tests of this list (one id a line; JUnit ids or the framework's own).
    pub tests: Option<Vec<String>>,
    /// Longest time of one run.
    pub timeout: Option<Duration>,
    /// How many scored runs are made at once, as far as the machine's isolation allows.
    pub jobs: usize,
    /// Suite by name.
    pub suite: Option<String>,
    /// Evidence folder.
    pub out: Option<PathBuf>,
    /// The test command; else the configuration's or the framework's own.
    pub command: Vec<String>,
    /// The program's environment variables.
    pub environment: BTreeMap<String, String>,
    /// The text of the CI event file, if there is one.
    pub ci_event: Option<String>,
    /// The Python used to compare tests; `python3` or `python` of `PATH` when absent.
    pub python: Option<PathBuf>,
    /// Which program asks, for the evidence.
    pub tool: patch_verdict_core::wire::Tool,
    /// Whether `--exit-zero` was given (recorded, changes nothing here).
    pub exit_zero: bool,
}

impl CheckOptions {
    /// A check of HEAD in `repository` with every default.
    pub fn new(repository: impl Into<PathBuf>) -> Self {
        Self {
            repository: repository.into(),
            base: None,
            head: Head::Revision("HEAD".to_owned()),
            seeds: None,
            failed_in: Vec::new(),
            tests: None,
            timeout: None,
            jobs: 1,
            suite: None,
            out: None,
            command: Vec::new(),
            environment: BTreeMap::new(),
            ci_event: None,
            python: None,
            tool: patch_verdict_core::wire::Tool::default(),
            exit_zero: false,
        }
    }
}
