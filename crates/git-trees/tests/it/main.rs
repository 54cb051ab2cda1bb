//! Integration tests of `git-trees`, through its public interface.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "tests")]

mod checkout;
mod diffs;
mod history;
mod removal;
mod repositories;
mod setup;
mod surroundings;
mod synthetic;
