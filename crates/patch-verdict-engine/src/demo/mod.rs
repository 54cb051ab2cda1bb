//! A sample repository whose branches hold one patch of each kind, and the check of each.
mod scenario;
mod workshop;

pub use scenario::{Scenario, scenarios};
pub use workshop::{Workshop, WorkshopError};
