//! `verdict.json`: the shape of a verdict on disk and on stdout (schema version 1).
//!
//! Arrays are sorted by id; times are milliseconds; ids are whole texts. New keys may be added.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Finding, TestId, Verdict};

/// The version that [`VerdictDocument::schema_version`] holds.
pub const SCHEMA_VERSION: u32 = 1;

/// A verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct VerdictDocument {
    /// 1.
    pub schema_version: u32,
    /// The answer.
    pub verdict: Verdict,
    /// Its reason's code.
    pub reason: String,
    /// One sentence.
    pub headline: String,
    /// The control arm.
    pub parent_sha: String,
    /// The experiment.
    pub patch_sha: String,
    /// Identity of what both sides ran; null when no contract was made.
    pub contract_hash: Option<String>,
    /// What was judged.
    pub scope: Scope,
    /// The gate's answer; null without a property.
    pub gate: Option<Gate>,
    /// Ids that fail on the patch and never on the parent.
    pub new_failures: Vec<TestId>,
    /// Ids that fail on both sides.
    pub failing_on_both: Vec<TestId>,
    /// Tests outside the gate.
    pub excluded: Vec<Excluded>,
    /// Tests that the parent skips.
    pub not_run: Vec<TestId>,
    /// Tests that only the patch has.
    pub new_tests: Vec<UnscoredTest>,
    /// Changed tests, run on both sides without being scored.
    pub changed_tests: Vec<UnscoredTest>,
    /// Frozen tests with their counts (no manifest is read yet: empty).
    pub frozen: Vec<UnscoredTest>,
    /// What the guard found (no guard yet: `{"checked": false}`).
    pub guard: Value,
    /// What the history knows (no history yet: `{"checked": false}`).
    pub history: Value,
    /// Digest of each side's harness and installed packages.
    pub environment: Environment,
    /// Earlier contracts of the same pair of trees.
    pub earlier: Vec<Earlier>,
    /// All findings, gravest first.
    pub findings: Vec<Finding>,
    /// What was isolated and seeded, and what was not.
    pub isolation: Isolation,
    /// Things to know that change nothing.
    pub notes: Vec<String>,
    /// Where the files are; null when none were written.
    pub review_dir: Option<String>,
    /// Whether `--exit-zero` was given.
    pub exit_zero: bool,
    /// Which program said it.
    pub tool: Tool,
}

/// What was judged, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct Scope {
    /// `suite`, `failed_in` or `list`.
    pub kind: String,
    /// Whether tests of the suite were left out.
    pub narrowed: bool,
    /// Suite name.
    pub suite: String,
    /// Framework name.
    pub framework: String,
    /// The command.
    pub command: Vec<String>,
    /// The folder it runs in.
    pub directory: String,
    /// The seeds, in order.
    pub seeds: Vec<i64>,
    /// Tests that the discovery run of the parent showed.
    pub discovered: usize,
    /// Properties in the contract.
    pub properties: usize,
    /// Tests of the parent that were left out by the scope.
    pub not_judged: usize,
    /// How the base was found.
    pub base_from: String,
    /// Subject line of the parent.
    pub parent_subject: String,
    /// Subject line of the patch.
    pub patch_subject: String,
}

/// The gate's answer in short; `decision.json` holds the whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct Gate {
    /// Accept, reject or propose freeze.
    pub decision: Verdict,
    /// The top reason.
    pub reason: String,
    /// Rows by side.
    pub rows: BTreeMap<String, RowCounts>,
    /// Properties by reason.
    pub reasons: BTreeMap<String, usize>,
    /// Every property that is not `both_pass`.
    pub results: Vec<GateResult>,
    /// The failure rate that the passing properties cannot exclude, 0 to 1, one-sided.
    pub passing_rate_upper: Option<f64>,
    /// The confidence of every bound.
    pub confidence: f64,
}

/// Lines of one side's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct RowCounts {
    /// Lines that are not blank.
    pub lines: u64,
    /// Lines of this contract.
    pub counted: u64,
    /// Lines of another contract.
    pub ignored: u64,
    /// Passing lines.
    pub pass: u64,
    /// Failing lines.
    pub fail: u64,
}

/// One property of the gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct GateResult {
    /// The property.
    pub id: TestId,
    /// Accept, reject or propose freeze.
    pub decision: Verdict,
    /// The table's reason.
    pub reason: String,
    /// The parent's counts.
    pub parent: SideCounts,
    /// The patch's counts.
    pub patch: SideCounts,
    /// One line: counts, bound, p value.
    pub bounds: String,
    /// Last lines of one failure on the patch, for a reader.
    pub excerpt: Option<String>,
}

/// Counts of one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct SideCounts {
    /// Passing runs.
    pub pass: u64,
    /// Failing runs.
    pub fail: u64,
    /// Witness classes, sorted, without doubles.
    pub witnesses: Vec<String>,
}

/// A test outside the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct Excluded {
    /// The test.
    pub id: TestId,
    /// `changed`, `removed` or `frozen`.
    pub reason: String,
    /// Which parts differ (`function`, `module`, `conftest:tests/conftest.py`, …).
    pub parts: Vec<String>,
}

/// A test that ran without being scored: counts of its runs by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct UnscoredTest {
    /// The test.
    pub id: TestId,
    /// The parent's counts.
    pub parent: UnscoredCounts,
    /// The patch's counts.
    pub patch: UnscoredCounts,
}

/// Counts of an unscored test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct UnscoredCounts {
    /// Passing runs.
    pub pass: u64,
    /// Failing runs.
    pub fail: u64,
    /// Skipping runs.
    pub skip: u64,
    /// Runs without a result.
    pub missing: u64,
}

/// Digests of what each side had installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct Environment {
    /// The parent's.
    pub parent: String,
    /// The patch's.
    pub patch: String,
}

/// An earlier contract of the same pair of trees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct Earlier {
    /// Its hash.
    pub contract_hash: String,
    /// What was decided.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// Its seeds.
    pub seeds: Vec<i64>,
    /// Whether this contract replaces it (its seeds are a strict superset).
    pub replaced: bool,
}

/// What the runs were cut off from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct Isolation {
    /// In words, the same for every run, or every kind that occurred.
    pub runs: Vec<String>,
    /// What could not be isolated.
    pub gaps: Vec<String>,
    /// What was seeded (`random`, `numpy`, `hypothesis`, …).
    pub seeded: Vec<String>,
}

/// Which program said it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "a wire format; readers allow further keys"
)]
pub struct Tool {
    /// `patch-verdict`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The commit it was built from.
    pub commit: String,
}

impl VerdictDocument {
    /// The exit code of INTERFACES: 0 accept, 1 reject, 3 a person must decide. A narrowed accept
    /// is 3 unless the base's configuration allows it. `--exit-zero` is left to the program.
    pub fn exit_code(&self, accept_narrow_scope: bool) -> u8 {
        match self.verdict {
            Verdict::Accept if self.scope.narrowed && !accept_narrow_scope => 3,
            Verdict::Accept => 0,
            Verdict::Reject => 1,
            Verdict::ProposeFreeze | Verdict::SpecReview | Verdict::NotApplicable => 3,
        }
    }
}
