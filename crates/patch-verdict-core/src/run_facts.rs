//! What one run left behind, as the judgement needs it and as it is kept on disk.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::TestId;

/// Which runs are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "the two kinds of runs that a verdict looks at"
)]
pub enum RunKind {
    /// The parent's ids and nothing else, on either side.
    Scored,
    /// The whole suite of the patch, for its new tests.
    Whole,
}

/// How a run ended, seen from its framework.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "what an exit can mean")]
pub enum Ended {
    /// The code for "all passed".
    Passed,
    /// The code for "tests failed".
    TestsFailed,
    /// The code for "nothing was collected".
    NothingCollected,
    /// It was stopped at its timeout.
    TimedOut,
    /// Another code, a signal, or it could not be started: in words.
    Other(String),
}

/// The state of a run's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "there, broken, or not there")]
pub enum ReportState {
    /// It ended properly.
    Complete,
    /// There was none.
    Missing,
    /// It could not be read to its end: why. Only its failures count.
    Broken(String),
}

/// The result of one test in one run, all its cases folded; ordered so that the graver is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(
    clippy::exhaustive_enums,
    reason = "a test passes, fails or gives no result"
)]
pub enum Outcome {
    /// It passed.
    Pass,
    /// It was skipped.
    Skip,
    /// It failed.
    Fail,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "built by the engine, read from its evidence"
)]
pub struct RunFacts {
    /// `parent` or `patch`.
    pub side: SideName,
    /// Scored or whole.
    pub kind: RunKind,
    /// Its seed.
    pub seed: i64,
    /// How it ended.
    pub ended: Ended,
    /// Its report.
    pub report: ReportState,
    /// Results by test, under the ids of the contract.
    pub results: BTreeMap<TestId, Outcome>,
    /// Files that could not be collected, sorted.
    pub uncollectable: Vec<String>,
    /// What could not be isolated, in words; empty when everything was.
    pub isolation_gaps: Vec<String>,
    /// How the report differs from what the framework said while the tests ran; `None` where they
    /// agree, or the framework's adapter has no channel of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forged: Option<Forgery>,
    /// What code of the tree does to the framework itself: functions that it replaced, modules that
    /// act as plugins, modules that took the place of installed ones; in words, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meddling: Vec<String>,
    /// The test that was running when the run ended before its time, as the framework calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<String>,
}

/// A report that is not what its run said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "built by the engine, read from its evidence"
)]
pub struct Forgery {
    /// What is wrong with the channel as a whole, in words; empty where single tests differ.
    pub fault: String,
    /// The tests whose outcomes differ, sorted. Their results are not in [`RunFacts::results`].
    pub tests: Vec<TestId>,
}

impl Outcome {
    /// `pass`, `skip` or `fail`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Skip => "skip",
            Self::Fail => "fail",
        }
    }
}

/// The side of a run, as written in evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "an experiment has two arms")]
pub enum SideName {
    /// The control arm.
    Parent,
    /// The experiment.
    Patch,
}

impl RunFacts {
    /// Whether exit status and report agree (RULES §3). A run without a whole report has no say:
    /// its missing lines speak. Neither has a forged one, which rejects by itself.
    pub fn exit_agrees(&self) -> bool {
        if self.report != ReportState::Complete || self.forged.is_some() {
            return true;
        }
        let failed = self
            .results
            .values()
            .any(|outcome| *outcome == Outcome::Fail)
            || !self.uncollectable.is_empty();
        match &self.ended {
            Ended::Passed => !failed,
            Ended::TestsFailed => failed,
            Ended::NothingCollected => self.results.is_empty() && !failed,
            Ended::TimedOut | Ended::Other(_) => false,
        }
    }
}
