//! Integration tests of `test-frameworks`, through its public interface.
