//! Integration tests of `patch-verdict-engine`, through its public interface.
