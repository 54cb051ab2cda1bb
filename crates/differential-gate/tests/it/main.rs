//! Integration tests of `differential-gate`, through its public interface.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests read the handed cases and stop at the first surprise"
)]

mod bounds;
mod witness_families;
mod witness_laws;
