//! How many runs show a flake: a budget, not a proof.
use crate::StatisticsError;
use crate::domain::{self, EXACT, count, float};
use crate::saddle::ln_of_complement;

/// Inputs are decimals rounded to doubles, so a tie is a tie within this relative slack
/// (0.3^2 counts as 1 - 0.91).
const TIE: f64 = 1e-12;

/// What a row of independent runs shows, as probabilities that sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "there is no fourth outcome")]
pub struct Outcomes {
    /// Every run passes, `(1 - p)^n`: the flake survives unseen.
    pub all_pass: f64,
    /// Every run fails, `p^n`: it looks like a stable failure.
    pub all_fail: f64,
    /// At least one of each: the flake is seen.
    pub both: f64,
}

/// What `runs` independent runs of a test with failure rate `rate` show.
///
/// # Errors
/// [`StatisticsError::NoRuns`], [`StatisticsError::Rate`].
pub fn both_outcomes(rate: f64, runs: u64) -> Result<Outcomes, StatisticsError> {
    let rate = domain::rate(rate)?;
    domain::events(0, runs)?;
    let n = float(runs);
    let all_pass = (n * ln_of_complement(1.0 - rate, rate)).exp();
    let all_fail = (n * ln_of_complement(rate, 1.0 - rate)).exp();
    // Written with the smaller rate r, 1 - (1-r)^n - r^n has no difference of near equals.
    let smaller = rate.min(1.0 - rate);
    let both = if runs == 1 {
        0.0
    } else {
        (-(n * (-smaller).ln_1p()).exp_m1() - smaller.powf(n)).clamp(0.0, 1.0)
    };
    Ok(Outcomes {
        all_pass,
        all_fail,
        both,
    })
}

/// The fewest runs that show at least one failure with probability `confidence`.
///
/// # Errors
/// [`StatisticsError::Rate`], [`StatisticsError::Confidence`]; [`StatisticsError::NeverSeen`] for a
/// rate of 0; [`StatisticsError::OutOfReach`] above 2^53 runs.
pub fn runs_for_one_failure(rate: f64, confidence: f64) -> Result<u64, StatisticsError> {
    let rate = domain::rate(rate)?;
    let confidence = domain::confidence(confidence)?;
    if rate <= 0.0 {
        return Err(StatisticsError::NeverSeen(rate));
    }
    fewest(rate, confidence, |n| (n * (-rate).ln_1p()).exp())
}

/// The fewest runs that show a pass and a failure with probability `confidence`.
///
/// # Errors
/// As [`runs_for_one_failure`]; [`StatisticsError::NeverSeen`] for rates of 0 and 1.
pub fn runs_for_both_outcomes(rate: f64, confidence: f64) -> Result<u64, StatisticsError> {
    let rate = domain::rate(rate)?;
    let confidence = domain::confidence(confidence)?;
    let smaller = rate.min(1.0 - rate);
    if smaller <= 0.0 {
        return Err(StatisticsError::NeverSeen(rate));
    }
    let missed = |n: f64| {
        if n < 2.0 {
            1.0
        } else {
            (n * (-smaller).ln_1p()).exp() + smaller.powf(n)
        }
    };
    fewest(smaller, confidence, missed)
}

/// The smallest n >= 1 with `missed(n) <= 1 - confidence`; `missed` falls with n and is at least
/// `(1 - rate)^n` and at most twice that (for n >= 2).
fn fewest(rate: f64, confidence: f64, missed: impl Fn(f64) -> f64) -> Result<u64, StatisticsError> {
    let allowed = (1.0 - confidence) * (1.0 + TIE);
    let enough = |n: u64| missed(float(n)) <= allowed;
    // A logarithm rounds, so it only brackets the answer; the predicate itself decides.
    let scale = -(-rate).ln_1p();
    let most = ((std::f64::consts::LN_2 - (1.0 - confidence).ln()) / scale).ceil() + 2.0;
    if most.is_nan() || most >= EXACT {
        return Err(StatisticsError::OutOfReach);
    }
    let (mut too_few, mut sufficient) = (0, count(most));
    if !enough(sufficient) {
        return Err(StatisticsError::OutOfReach);
    }
    while sufficient - too_few > 1 {
        let middle = too_few + (sufficient - too_few) / 2;
        if enough(middle) {
            sufficient = middle;
        } else {
            too_few = middle;
        }
    }
    Ok(sufficient)
}
