//! The worktree-runner program: run a contract on two trees.
