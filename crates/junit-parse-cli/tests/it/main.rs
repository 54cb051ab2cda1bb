//! Integration tests of `junit-parse-cli`, through the program.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod archives;
mod program;
