//! The model of a verdict: test identity, buckets, seeds, configuration, CI environment and how findings fold into one answer.
//!
//! It is what other tools embed. It reads no file, starts no process and looks at no clock:
//! reports, trees, environment and configuration are parameters.
//!
//! ```
//! use patch_verdict_core::{Buckets, Evidence, Verdict, judge};
//!
//! // Nothing was judged and nothing was found: that is no accept.
//! let judgement = judge(&Evidence::default());
//! assert_ne!(judgement.verdict, Verdict::Accept);
//! assert_eq!(judgement.reason, "no_property_left");
//! # let _ = Buckets::default();
//! ```

mod buckets;
mod ci;
mod config;
mod harness;
mod headline;
mod judge;
mod judge_gate;
mod judge_runs;
mod judge_unscored;
mod loaded_code;
mod renames;
mod run_facts;
mod run_results;
mod seeds;
mod silent_side;
mod test_id;
mod unstable_id;
mod verdict;
pub mod wire;

pub use buckets::{Bucket, Buckets, Comparison, DiscoveredTest, Exclusion};
pub use ci::{CiFacts, ci_facts, under_ci};
pub use config::{
    Config, ConfigError, EnvironmentConfig, NetworkConfig, ServiceConfig, Severity, Silence,
    SuiteConfig, id_matcher, parse_duration,
};
pub use harness::{HarnessChange, harness_changes};
pub use judge::{Evidence, GateAnswer, Judgement, PropertyDecision, judge};
pub use loaded_code::{
    LoadedModule, foreign_names, import_roots, importable_names, loaded_outside, taken_over,
};
pub use renames::{SpecKey, renamed};
pub use run_facts::{Ended, Forgery, Outcome, ReportState, RunFacts, RunKind, SideName};
pub use run_results::{CaseResult, RunResults, TestResult, fold_cases};
pub use seeds::derive_seeds;
pub use test_id::TestId;
pub use unstable_id::{StableIds, normalised};
pub use verdict::{Finding, Verdict};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
