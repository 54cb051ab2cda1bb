//! Build, test and demo steps of the workspace.
fn main() {}
