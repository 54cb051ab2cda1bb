//! Runs one contract on two git worktrees: pinned environment, no network, supervised processes, rows on disk.

pub mod digests;
