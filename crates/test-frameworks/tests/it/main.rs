//! Integration tests of `test-frameworks`, through its public interface.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests run real interpreters on real folders"
)]

mod channel;
mod detection;
mod javascript_runs;
mod planning;
mod pytest_runs;
mod suite;
mod touched;
