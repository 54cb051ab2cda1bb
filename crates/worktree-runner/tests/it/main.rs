//! Integration tests of `worktree-runner`, through its public interface.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod digests;
