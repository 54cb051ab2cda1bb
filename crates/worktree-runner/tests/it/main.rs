//! Integration tests of `worktree-runner`, through its public interface.

mod digests;
