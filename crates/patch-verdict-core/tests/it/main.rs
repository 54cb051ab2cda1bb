//! The rules that `patch-verdict-core` decides, as tables and laws.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod buckets;
mod ci;
mod configuration;
mod identity;
mod judgement;
mod laws;
mod renames;
mod sacred;
mod surroundings;
