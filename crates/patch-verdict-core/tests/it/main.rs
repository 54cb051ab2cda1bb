//! Integration tests of `patch-verdict-core`, through its public interface.
