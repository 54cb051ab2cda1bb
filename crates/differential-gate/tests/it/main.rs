//! Integration tests of `differential-gate`, through its public interface.
#![expect(clippy::unwrap_used, reason = "tests")]

mod bounds;
