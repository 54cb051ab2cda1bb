//! Integration tests of `differential-gate-cli`, through its public interface.
#![expect(clippy::expect_used, reason = "tests stop at the first surprise")]
mod witness;
