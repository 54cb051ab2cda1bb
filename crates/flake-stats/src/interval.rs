//! Confidence intervals of a failure rate, and bounds when nothing failed.
use crate::beta::{Tail, quantile};
use crate::domain::{self, float};
use crate::{StatisticsError, two_sided_z};

/// A two-sided interval of a rate, `0 <= lo <= hi <= 1`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "an interval has two ends")]
pub struct Interval {
    /// The lower end; 0 when nothing was seen.
    pub lo: f64,
    /// The upper end; 1 when every run showed it.
    pub hi: f64,
}

/// Wilson's score interval of `events` in `runs` (E. B. Wilson, JASA 22, 1927).
///
/// The ends are 0 for no event and 1 for nothing but events: set, not computed.
///
/// # Errors
/// [`StatisticsError::NoRuns`], [`StatisticsError::MoreEventsThanRuns`],
/// [`StatisticsError::Confidence`].
pub fn wilson(events: u64, runs: u64, confidence: f64) -> Result<Interval, StatisticsError> {
    domain::events(events, runs)?;
    let z = two_sided_z(confidence)?;
    let (k, n) = (float(events), float(runs));
    let square = z * z;
    let spread = z * (k * ((n - k) / n) + square / 4.0).sqrt();
    let hi = (k + square / 2.0 + spread) / (n + square);
    // The product of both ends is k^2 / (n (n + z^2)): no difference, so no cancellation.
    let lo = (k / n) * (k / (n + square)) / hi;
    Ok(with_edges(events, runs, Interval { lo, hi }))
}

/// The exact interval of C. J. Clopper and E. S. Pearson (Biometrika 26, 1934).
///
/// # Errors
/// As [`wilson`], and [`StatisticsError::CountTooLarge`].
pub fn clopper_pearson(
    events: u64,
    runs: u64,
    confidence: f64,
) -> Result<Interval, StatisticsError> {
    domain::events(events, runs)?;
    domain::bounded(runs)?;
    let tail = (1.0 - domain::confidence(confidence)?) / 2.0;
    let interval = Interval {
        lo: exact_lower(events, runs, tail),
        hi: exact_upper(events, runs, tail),
    };
    Ok(interval)
}

/// The equal-tailed interval under Jeffreys' prior, Beta(1/2, 1/2), with the ends 0 and 1 set at
/// the edges (L. D. Brown, T. T. Cai and A. `DasGupta`, Statistical Science 16, 2001).
///
/// # Errors
/// As [`clopper_pearson`].
pub fn jeffreys(events: u64, runs: u64, confidence: f64) -> Result<Interval, StatisticsError> {
    domain::events(events, runs)?;
    domain::bounded(runs)?;
    let tail = (1.0 - domain::confidence(confidence)?) / 2.0;
    let (a, b) = (float(events) + 0.5, float(runs - events) + 0.5);
    let interval = Interval {
        lo: quantile(a, b, Tail::Lower, tail).x,
        hi: quantile(a, b, Tail::Upper, tail).x,
    };
    Ok(with_edges(events, runs, interval))
}

/// The one-sided exact upper bound of the rate of `events` in `runs` (Clopper-Pearson).
///
/// With no event it is [`zero_failure_upper`].
///
/// # Errors
/// As [`clopper_pearson`].
pub fn failure_rate_upper(events: u64, runs: u64, confidence: f64) -> Result<f64, StatisticsError> {
    domain::events(events, runs)?;
    domain::bounded(runs)?;
    let tail = 1.0 - domain::confidence(confidence)?;
    Ok(exact_upper(events, runs, tail))
}

/// The failure rate that `runs` runs without a failure cannot exclude: `1 - (1 - c)^(1/n)`.
///
/// One-sided. Seven green runs leave 0.348 open at 95 %.
///
/// # Errors
/// [`StatisticsError::NoRuns`], [`StatisticsError::Confidence`].
pub fn zero_failure_upper(runs: u64, confidence: f64) -> Result<f64, StatisticsError> {
    domain::events(0, runs)?;
    let confidence = domain::confidence(confidence)?;
    Ok(-((-confidence).ln_1p() / float(runs)).exp_m1())
}

/// The first-order form of [`zero_failure_upper`], `-ln(1 - c) / n`; above 1 for few runs.
///
/// For comparison with the literature: print the exact one.
///
/// # Errors
/// As [`zero_failure_upper`].
pub fn zero_failure_approximation(runs: u64, confidence: f64) -> Result<f64, StatisticsError> {
    domain::events(0, runs)?;
    let confidence = domain::confidence(confidence)?;
    Ok(-(-confidence).ln_1p() / float(runs))
}

/// The rule of three, `3 / n`: [`zero_failure_approximation`] at 95 %, rounded; above 1 for few runs.
///
/// # Errors
/// [`StatisticsError::NoRuns`].
pub fn rule_of_three(runs: u64) -> Result<f64, StatisticsError> {
    domain::events(0, runs)?;
    Ok(3.0 / float(runs))
}

fn exact_lower(events: u64, runs: u64, tail: f64) -> f64 {
    if events == 0 {
        return 0.0;
    }
    if events == runs {
        return (tail.ln() / float(runs)).exp();
    }
    quantile(float(events), float(runs - events) + 1.0, Tail::Lower, tail).x
}

fn exact_upper(events: u64, runs: u64, tail: f64) -> f64 {
    if events == runs {
        return 1.0;
    }
    if events == 0 {
        return -(tail.ln() / float(runs)).exp_m1();
    }
    quantile(float(events) + 1.0, float(runs - events), Tail::Upper, tail).x
}

const fn with_edges(events: u64, runs: u64, interval: Interval) -> Interval {
    Interval {
        lo: if events == 0 { 0.0 } else { interval.lo },
        hi: if events == runs { 1.0 } else { interval.hi },
    }
}
