//! Decides from recorded rows of two trees whether a failure is new.
mod side;

pub use side::Side;
