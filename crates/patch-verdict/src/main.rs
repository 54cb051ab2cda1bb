//! The `patch-verdict` program.
use std::process::ExitCode;

fn main() -> ExitCode {
    worktree_runner::supervisor::enter();
    patch_verdict::main()
}
