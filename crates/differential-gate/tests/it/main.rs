//! Integration tests of `differential-gate`, through its public interface.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests read files and stop at the first surprise"
)]

mod bounds;
mod conditions;
mod contract;
mod laws;
mod own_cases;
mod rows;
mod shared_cases;
mod table;
mod ticket;
mod witness_families;
mod witness_laws;
