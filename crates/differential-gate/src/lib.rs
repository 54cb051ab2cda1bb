//! Decides from recorded rows of two trees whether a failure is new.
mod bounds;
mod side;
mod witness;

pub use bounds::{Bounds, BoundsWire, Counts, PValue, RatioWire, bounds, sentence};
pub use side::Side;
pub use witness::{
    NORMALISER_VERSION, WitnessText, witness_class, witness_class_of_text, witness_prefix,
};
