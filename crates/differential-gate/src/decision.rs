//! From two streams of rows to one decision.
mod document;
mod gate;
mod issues;
mod registry;
mod table;
mod tally;
mod witnesses;

pub use document::{GateDecision, PropertyResult, RowCounts, SideSummary};
pub use gate::{decide, decide_invalid, decide_unbound};
pub use issues::Issue;
