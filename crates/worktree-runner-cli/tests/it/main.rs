//! Integration tests of `worktree-runner-cli`, through its public interface.
