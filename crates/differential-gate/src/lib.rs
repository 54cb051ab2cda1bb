//! Decides from recorded rows of two trees whether a failure is new.
mod bounds;
mod side;

pub use bounds::{Bounds, BoundsWire, Counts, PValue, RatioWire, bounds, sentence};
pub use side::Side;
