//! What the counts of one property cannot exclude: one exact bound, one p value, one sentence.
//!
//! Nothing here takes part in the decision. Counts come first, and no "flaky probability" is ever
//! claimed: a rate stands only where runs were made, with the runs beside it.

mod sentence;
mod wire;

pub use sentence::sentence;
pub use wire::{BoundsWire, RatioWire};

use flake_stats::{FisherTable, Ratio, StatisticsError, zero_failure_upper};

/// The confidence of every bound: 95 %, one-sided.
const CONFIDENCE: f64 = 0.95;

/// How often a property passed and failed on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "a run passes or fails")]
pub struct Counts {
    /// Rows that passed.
    pub pass: u64,
    /// Rows that failed.
    pub fail: u64,
}

impl Counts {
    /// All rows.
    pub const fn total(self) -> u64 {
        self.pass.saturating_add(self.fail)
    }

    const fn table_row(self) -> [u64; 2] {
        [self.fail, self.pass]
    }
}

/// A p value: the double for people, the fraction for whoever recomputes it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PValue {
    /// Between 0 and 1.
    pub value: f64,
    /// The same number exactly; none when its integers do not fit 128 bits.
    pub exact: Option<Ratio>,
}

/// What stands beside the counts of one property. What makes no sense for its reason is absent.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Bounds {
    /// The confidence of the bounds (one-sided).
    pub confidence: f64,
    /// Fisher's one-sided p value of "the patch fails more": how often counts this far apart come
    /// from one and the same failure rate.
    pub same_rate: Option<PValue>,
    /// The mirror, "the patch fails less": how often an unchanged test looks this cleared.
    pub cleared: Option<PValue>,
    /// The parent never failed: its failure rate could still be this high.
    pub parent_rate_upper: Option<f64>,
    /// The patch never failed: its failure rate could still be this high.
    pub patch_rate_upper: Option<f64>,
    /// Both sides failed in every run: the patch's pass rate could still be this high.
    pub patch_pass_rate_upper: Option<f64>,
}

impl Bounds {
    /// [`same_rate`](Self::same_rate) as a double.
    pub fn same_rate_p(&self) -> Option<f64> {
        self.same_rate.map(|p| p.value)
    }

    /// [`cleared`](Self::cleared) as a double.
    pub fn cleared_p(&self) -> Option<f64> {
        self.cleared.map(|p| p.value)
    }
}

/// The bounds that belong to a property with this reason code and these counts.
///
/// A property whose rows are incomplete (`missing_seed`) gets none: what is missing may be what
/// failed. So does a reason that is not of the decision table.
pub fn bounds(reason: &str, parent: Counts, patch: Counts) -> Bounds {
    let mut bounds = Bounds {
        confidence: CONFIDENCE,
        same_rate: None,
        cleared: None,
        parent_rate_upper: None,
        patch_rate_upper: None,
        patch_pass_rate_upper: None,
    };
    match reason {
        "both_pass" => {
            bounds.parent_rate_upper = never_seen(parent.fail, parent.total());
            bounds.patch_rate_upper = never_seen(patch.fail, patch.total());
        }
        "regression" => {
            bounds.same_rate = same_rate(parent, patch).ok();
            bounds.parent_rate_upper = never_seen(parent.fail, parent.total());
        }
        "parent_fail_cleared" => {
            bounds.cleared = cleared(parent, patch).ok();
            bounds.patch_rate_upper = never_seen(patch.fail, patch.total());
        }
        "uniform_fail" => {
            bounds.patch_pass_rate_upper = never_seen(patch.pass, patch.total());
        }
        "shared_variant_fail" | "witness_mismatch" | "witness_missing" => {
            bounds.same_rate = same_rate(parent, patch).ok();
        }
        _ => {}
    }
    bounds
}

fn same_rate(parent: Counts, patch: Counts) -> Result<PValue, StatisticsError> {
    let table = FisherTable::new(parent.table_row(), patch.table_row())?;
    Ok(PValue {
        value: table.less(),
        exact: table.exact_less(),
    })
}

fn cleared(parent: Counts, patch: Counts) -> Result<PValue, StatisticsError> {
    let table = FisherTable::new(parent.table_row(), patch.table_row())?;
    Ok(PValue {
        value: table.greater(),
        exact: table.exact_greater(),
    })
}

/// The rate that `runs` runs without the event leave open; none where it was seen or nothing ran.
fn never_seen(events: u64, runs: u64) -> Option<f64> {
    (events == 0)
        .then(|| zero_failure_upper(runs, CONFIDENCE).ok())
        .flatten()
}
