//! Integration tests of `flake-stats`, through its public interface.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod laws;
mod own;
mod shared;
mod vectors;
