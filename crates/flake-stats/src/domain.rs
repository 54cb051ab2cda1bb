//! What inputs are accepted, and how counts become doubles.
use crate::StatisticsError;

/// The largest count that the iterative formulas accept: 10^12.
///
/// Their work grows with the square root of the count; here it is still well below a second.
pub const MAX_COUNT: u64 = 1_000_000_000_000;

/// The largest count that a double holds exactly, as a double.
pub(crate) const EXACT: f64 = 9_007_199_254_740_992.0;

/// A count as a double: exact up to 2^53, correctly rounded above.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts above 2^53 are rounded, which is all a double can do"
)]
pub(crate) const fn float(count: u64) -> f64 {
    count as f64
}

/// A non-negative whole double below 2^53 as a count.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "callers pass whole numbers from 0 to 2^53"
)]
pub(crate) fn count(whole: f64) -> u64 {
    debug_assert!((0.0..=EXACT).contains(&whole), "not a count: {whole}");
    whole as u64
}

/// `confidence` if it is strictly between 0 and 1 (NaN is not).
pub(crate) fn confidence(confidence: f64) -> Result<f64, StatisticsError> {
    if confidence > 0.0 && confidence < 1.0 {
        Ok(confidence)
    } else {
        Err(StatisticsError::Confidence(confidence))
    }
}

/// `rate` if it is between 0 and 1, both included (NaN is not).
pub(crate) fn rate(rate: f64) -> Result<f64, StatisticsError> {
    if (0.0..=1.0).contains(&rate) {
        Ok(rate)
    } else {
        Err(StatisticsError::Rate(rate))
    }
}

/// Checks `events` of `runs`: at least one run, no more events than runs.
pub(crate) const fn events(events: u64, runs: u64) -> Result<(), StatisticsError> {
    if runs == 0 {
        Err(StatisticsError::NoRuns)
    } else if events > runs {
        Err(StatisticsError::MoreEventsThanRuns { events, runs })
    } else {
        Ok(())
    }
}

/// Checks a count against [`MAX_COUNT`].
pub(crate) const fn bounded(count: u64) -> Result<(), StatisticsError> {
    if count > MAX_COUNT {
        Err(StatisticsError::CountTooLarge(count))
    } else {
        Ok(())
    }
}
