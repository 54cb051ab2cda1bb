//! Integration tests of `flake-stats`, through its public interface.
