//! Integration tests of `differential-gate-cli`, through the real program.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod program;
mod ticket;
mod witness;
