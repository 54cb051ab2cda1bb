//! The `differential-gate` program.
fn main() {}
