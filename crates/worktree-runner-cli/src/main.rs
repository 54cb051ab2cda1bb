//! The `worktree-runner` program.
fn main() {}
