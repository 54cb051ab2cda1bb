//! Integration tests of `junit-parse-cli`, through its public interface.
