//! Integration tests of `worktree-runner`, through its public interface.

mod digests;
mod digests_limits;
