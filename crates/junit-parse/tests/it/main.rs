//! Integration tests of `junit-parse`, through its public interface.
#![expect(
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::disallowed_methods,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "tests"
)]

#[cfg(feature = "archive")]
mod archives;
mod corpus;
mod laws;
mod limits;
mod naive;
mod places;
mod shared;
mod streams;
#[cfg(feature = "serde")]
mod wire;
