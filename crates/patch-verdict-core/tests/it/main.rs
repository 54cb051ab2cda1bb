//! The rules that `patch-verdict-core` decides, as tables and laws.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod buckets;
mod configuration;
mod identity;
mod judgement;
mod laws;
mod sacred;
mod surroundings;
