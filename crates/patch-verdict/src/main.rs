//! The `patch-verdict` program.
fn main() {}
