//! Integration tests of `differential-gate`, through its public interface.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
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
mod made;
mod memory;
mod own_cases;
mod rows;
mod schema;
mod second;
mod shared_cases;
mod table;
mod ticket;
mod whole_table;
mod witness_families;
mod witness_laws;
