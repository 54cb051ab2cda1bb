//! Integration tests of `differential-gate-cli`, through the real program.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod exit_codes;
#[path = "../../../differential-gate/tests/it/made.rs"]
mod made;
mod program;
mod ticket;
mod witness;
