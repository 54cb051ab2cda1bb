//! Totals: counted from the cases, and as suites declare them.
use crate::Outcome;

/// Numbers of cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Counts {
    /// All cases.
    pub cases: u64,
    /// Passed cases.
    pub passed: u64,
    /// Cases with a failure.
    pub failed: u64,
    /// Cases with an error.
    pub error: u64,
    /// Skipped cases.
    pub skipped: u64,
}

impl Counts {
    pub(crate) const fn add(&mut self, outcome: Outcome) {
        self.cases += 1;
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Error => self.error += 1,
            Outcome::Skipped => self.skipped += 1,
        }
    }

    /// Adds the numbers of another report.
    pub const fn add_counts(&mut self, other: &Self) {
        self.cases += other.cases;
        self.passed += other.passed;
        self.failed += other.failed;
        self.error += other.error;
        self.skipped += other.skipped;
    }
}

/// The totals that a suite's attributes declare; `None` where the attribute is missing or no number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Declared {
    /// `tests`.
    pub tests: Option<u64>,
    /// `failures`.
    pub failures: Option<u64>,
    /// `errors`.
    pub errors: Option<u64>,
    /// `skipped`, `skip` or `skips`.
    pub skipped: Option<u64>,
    /// `disabled` or `ignored`.
    pub disabled: Option<u64>,
}

impl Declared {
    /// Whether they contradict what was counted. Failures and errors are compared as one sum, since
    /// producers draw the line between them differently; skipped and disabled likewise.
    pub const fn differs_from(&self, counted: &Counts) -> bool {
        if let Some(tests) = self.tests
            && tests != counted.cases
        {
            return true;
        }
        let failing = counted.failed.saturating_add(counted.error);
        let failures_differ = match (self.failures, self.errors) {
            (None, None) => false,
            (Some(failures), None) => failures != counted.failed && failures != failing,
            (None, Some(errors)) => errors > failing,
            (Some(failures), Some(errors)) => failures.saturating_add(errors) != failing,
        };
        let skipped_differ = match (self.skipped, self.disabled) {
            (None, None) => false,
            (Some(number), None) => number != counted.skipped,
            (None, Some(number)) => number > counted.skipped,
            (Some(skipped), Some(disabled)) => {
                let sum = skipped.saturating_add(disabled);
                sum != counted.skipped && skipped != counted.skipped
            }
        };
        failures_differ || skipped_differ
    }
}
