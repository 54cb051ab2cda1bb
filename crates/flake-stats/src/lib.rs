//! Exact statistics for flaky tests: intervals, zero-failure bounds, run budgets, Fisher tests.
//!
//! A handful of runs proves little. This crate says how little: it puts an interval or a bound
//! beside a count, to nearly full double precision, from one run to 10^12 runs.
//!
//! It opens nothing and measures nothing: counts are parameters. It never turns a rate into a
//! verdict; what a count means for a patch is `differential-gate`'s business.
//!
//! ```
//! use flake_stats::{FisherTable, runs_for_one_failure, both_outcomes, zero_failure_upper};
//!
//! // A test that passes 90 % of the time survives seven runs about half the time,
//! assert!((both_outcomes(0.1, 7)?.all_pass - 0.478_296_9).abs() < 1e-12);
//! // so seven green runs cannot exclude a failure rate of 34.8 % (at 95 %),
//! assert!((zero_failure_upper(7, 0.95)? - 0.348_164).abs() < 1e-6);
//! // and it takes 29 runs to see such a test fail (at 95 %).
//! assert_eq!(runs_for_one_failure(0.1, 0.95)?, 29);
//! // Parent 0/7 failed, patch 1/7 failed: chance alone does this half the time.
//! let table = FisherTable::new([0, 7], [1, 6])?;
//! assert!((table.less() - 0.5).abs() < 1e-12);
//! # Ok::<(), flake_stats::StatisticsError>(())
//! ```
//!
//! # Limits
//! Counts go to 10^12 where an iteration is needed ([`MAX_COUNT`]); the sequential test's exact
//! characteristics are refused when they would take too many steps.
//!
//! # Features
//! None. Minimum supported Rust version: 1.90.

mod beta;
mod budget;
mod domain;
mod error;
mod fisher;
mod interval;
mod normal;
mod percentile;
mod posterior;
mod ratio;
mod saddle;
mod sprt;

pub use budget::{Outcomes, both_outcomes, runs_for_both_outcomes, runs_for_one_failure};
pub use domain::MAX_COUNT;
pub use error::StatisticsError;
pub use fisher::FisherTable;
pub use interval::{
    Interval, clopper_pearson, failure_rate_upper, jeffreys, rule_of_three, wilson,
    zero_failure_approximation, zero_failure_upper,
};
pub use normal::two_sided_z;
pub use percentile::{percentile_cont, percentile_disc};
pub use posterior::{
    BetaPrior, patch_rate_above_parent, patch_rate_above_parent_exact, rate_above,
};
pub use ratio::Ratio;
pub use sprt::{Characteristics, Sprt, SprtDecision, SprtStop};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
