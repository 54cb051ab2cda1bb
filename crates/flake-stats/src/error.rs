//! Why a number could not be computed.

/// An input outside a formula's domain, or a computation that would not end.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// A rate of no runs at all was asked for.
    #[error("no runs: a rate needs at least one")]
    NoRuns,
    /// More events were counted than runs.
    #[error("{events} events in {runs} runs")]
    MoreEventsThanRuns {
        /// Events counted (failures, say).
        events: u64,
        /// Runs made.
        runs: u64,
    },
    /// A count above [`MAX_COUNT`](crate::MAX_COUNT), or a table that sums to more.
    #[error("the count {0} is above the limit of 10^12")]
    CountTooLarge(u64),
    /// A confidence that is not strictly between 0 and 1.
    #[error("confidence {0} is not strictly between 0 and 1")]
    Confidence(f64),
    /// A failure rate that is not between 0 and 1.
    #[error("rate {0} is not between 0 and 1")]
    Rate(f64),
    /// A quantile that is not between 0 and 1.
    #[error("quantile {0} is not between 0 and 1")]
    Quantile(f64),
    /// A prior whose parameters are not positive and finite (and at most 10^12).
    #[error("prior parameter {0} is not a positive finite number")]
    Prior(f64),
    /// An error probability outside its range (both of a sequential test must sum to less than 1).
    #[error("error probability {0} is not strictly between 0 and 1, or the two sum to 1 or more")]
    ErrorProbability(f64),
    /// The two rates of a sequential test are not `0 < p0 < p1 < 1`.
    #[error("rates {p0} and {p1} are not 0 < p0 < p1 < 1")]
    RateOrder {
        /// The good rate.
        p0: f64,
        /// The bad rate.
        p1: f64,
    },
    /// A percentile of nothing.
    #[error("no values: a percentile needs at least one")]
    NoValues,
    /// A value that is not a finite number.
    #[error("the value {0} is not finite")]
    NotFinite(f64),
    /// With this rate the event is never seen, whatever the number of runs.
    #[error("at rate {0} no number of runs shows it")]
    NeverSeen(f64),
    /// The answer needs more than 2^53 runs, or more steps than are taken.
    #[error("the answer is out of reach: it needs too many runs or steps")]
    OutOfReach,
}
