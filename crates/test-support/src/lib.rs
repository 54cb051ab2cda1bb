//! Temporary repositories and the corpus walker for our own tests.
//!
//! Unlike the libraries it serves, this crate panics: a test that cannot be set up has failed.
//!
//! ```
//! let repository = test_support::TestRepository::new();
//! repository.write("a.txt", "one\n");
//! let first = repository.commit("first");
//! assert_eq!(first.len(), 40);
//! ```
#![expect(clippy::panic, reason = "a test that cannot be set up has failed")]

mod corpus;
mod repository;

pub use corpus::{cases, shared_cases};
pub use repository::{TestRepository, git_command};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
