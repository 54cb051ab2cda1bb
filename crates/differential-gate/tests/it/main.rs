//! Integration tests of `differential-gate`, through its public interface.
