//! Integration tests of `differential-gate-cli`, through its public interface.
