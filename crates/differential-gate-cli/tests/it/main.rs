//! Integration tests of `differential-gate-cli`, through its public interface and the real program.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests stop at the first surprise"
)]

mod program;
mod witness;
