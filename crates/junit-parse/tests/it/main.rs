//! Integration tests of `junit-parse`, through its public interface.
