//! The five answers of a check and the reasons that lead to them (RULES §5).
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::TestId;

/// The answer of a check; the gravest finding decides.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "RULES §5 names five verdicts")]
pub enum Verdict {
    /// Nothing that was judged speaks against the patch.
    Accept,
    /// A failure is shared by both sides: a person may freeze it.
    ProposeFreeze,
    /// Tests changed: a person must look at what they still prove.
    SpecReview,
    /// The question could not be put.
    NotApplicable,
    /// The patch broke something, or the evidence for it does not hold.
    Reject,
}

impl Verdict {
    /// The name in every format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::ProposeFreeze => "propose_freeze",
            Self::SpecReview => "spec_review",
            Self::NotApplicable => "not_applicable",
            Self::Reject => "reject",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One reason that moves the verdict.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// What it makes of the verdict, at least.
    pub verdict: Verdict,
    /// The reason's code, as in RULES §5.
    pub code: String,
    /// One sentence: what was seen, where, and what to do.
    pub detail: String,
    /// The tests it names, sorted.
    pub tests: Vec<TestId>,
}

impl Finding {
    /// A finding about `tests`.
    pub fn new(
        verdict: Verdict,
        code: &str,
        detail: impl Into<String>,
        tests: Vec<TestId>,
    ) -> Self {
        let (code, detail) = (code.to_owned(), detail.into());
        Self {
            verdict,
            code,
            detail,
            tests,
        }
    }
}

/// Reject reasons around the table, gravest first, then the table's own, then those of spec review.
const RANKS: [&str; 33] = [
    // What else a forged report seems to say is not worth a line above this.
    "forged_report",
    "setup_failed",
    "uncollectable",
    "unaccounted_id",
    "exit_mismatch",
    "new_test_failed",
    "changed_test_failed",
    "not_isolated",
    "freeze_expired",
    "rate_regression",
    "invalid_contract",
    "malformed_row",
    "wrong_tree",
    "spec_hash_mismatch",
    "fixture_hash_mismatch",
    "incomplete_contract",
    "unknown_property",
    "seed_schedule_mismatch",
    "duplicate_row",
    "regression",
    "witness_mismatch",
    "witness_missing",
    "uniform_fail",
    "missing_seed",
    // Spec review: what a person looks at first comes first.
    "unjudged_failure",
    "frozen_failed",
    "changed",
    "removed",
    "finding",
    "harness_changed",
    "new_test_skipped",
    // `uncollectable` stands above; here it is that of the parent.
    "no_property_left",
    "no_evidence",
];

/// Where a reason stands among those of one verdict: lower decides first, unknown ones come last.
pub(crate) fn rank(code: &str) -> usize {
    RANKS
        .iter()
        .position(|known| *known == code)
        .unwrap_or(RANKS.len())
}
