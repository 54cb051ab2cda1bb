//! Integration tests of `git-trees`, through its public interface.
