//! Integration tests of `patch-verdict`, through its public interface.
