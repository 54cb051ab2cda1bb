//! The `junit-parse` program.
fn main() {}
