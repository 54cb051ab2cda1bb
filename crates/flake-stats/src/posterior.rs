//! Beta posteriors of a failure rate, and the comparison of two.
use crate::beta::{Point, tails};
use crate::domain::{self, float};
use crate::{FisherTable, Ratio, StatisticsError};

/// A Beta(a, b) prior: `a` failures and `b` passes imagined before the first run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BetaPrior {
    failures: f64,
    passes: f64,
}

impl BetaPrior {
    /// Every rate equally likely: Beta(1, 1).
    pub const UNIFORM: Self = Self {
        failures: 1.0,
        passes: 1.0,
    };
    /// Jeffreys' prior: Beta(1/2, 1/2).
    pub const JEFFREYS: Self = Self {
        failures: 0.5,
        passes: 0.5,
    };

    /// Beta(`failures`, `passes`).
    ///
    /// # Errors
    /// [`StatisticsError::Prior`] unless both are positive, finite and at most 10^12.
    pub fn new(failures: f64, passes: f64) -> Result<Self, StatisticsError> {
        for parameter in [failures, passes] {
            if !(parameter >= f64::MIN_POSITIVE && parameter <= float(crate::MAX_COUNT)) {
                return Err(StatisticsError::Prior(parameter));
            }
        }
        Ok(Self { failures, passes })
    }
}

/// P(rate > `threshold`) after `failures` in `runs`, under `prior`. No runs give the prior itself.
///
/// # Errors
/// [`StatisticsError::MoreEventsThanRuns`], [`StatisticsError::CountTooLarge`],
/// [`StatisticsError::Rate`].
pub fn rate_above(
    failures: u64,
    runs: u64,
    prior: BetaPrior,
    threshold: f64,
) -> Result<f64, StatisticsError> {
    let passes = passes(failures, runs)?;
    let threshold = domain::rate(threshold)?;
    let (a, b) = (prior.failures + float(failures), prior.passes + passes);
    Ok(tails(a, b, Point::new(threshold)).upper)
}

/// P(patch's rate > parent's rate), each `(failures, runs)`, under uniform priors.
///
/// A Beta(k + 1, n - k + 1) is the law of the (k+1)-th of n + 1 sorted uniform numbers, so the
/// comparison is a hypergeometric tail (P. M. E. Altham, JRSS B 31, 1969), here to full precision.
///
/// # Errors
/// [`StatisticsError::MoreEventsThanRuns`], [`StatisticsError::CountTooLarge`].
pub fn patch_rate_above_parent(
    parent: (u64, u64),
    patch: (u64, u64),
) -> Result<f64, StatisticsError> {
    Ok(comparison(parent, patch)?.greater())
}

/// [`patch_rate_above_parent`] as a fraction; none when its integers do not fit 128 bits.
///
/// # Errors
/// As [`patch_rate_above_parent`].
pub fn patch_rate_above_parent_exact(
    parent: (u64, u64),
    patch: (u64, u64),
) -> Result<Option<Ratio>, StatisticsError> {
    Ok(comparison(parent, patch)?.exact_greater())
}

fn comparison(
    (parent_failures, parent_runs): (u64, u64),
    (patch_failures, patch_runs): (u64, u64),
) -> Result<FisherTable, StatisticsError> {
    passes(parent_failures, parent_runs)?;
    passes(patch_failures, patch_runs)?;
    FisherTable::new(
        [parent_failures + 1, parent_runs - parent_failures],
        [patch_failures, patch_runs - patch_failures + 1],
    )
}

fn passes(failures: u64, runs: u64) -> Result<f64, StatisticsError> {
    domain::bounded(runs)?;
    let passes = runs
        .checked_sub(failures)
        .ok_or(StatisticsError::MoreEventsThanRuns {
            events: failures,
            runs,
        })?;
    Ok(float(passes))
}
