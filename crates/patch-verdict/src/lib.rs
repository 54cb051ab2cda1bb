//! The `patch-verdict` program as a library: arguments and one function a subcommand.
//!
//! It holds no logic of its own: it turns arguments into values, calls the engine and prints.
//!
//! ```
//! let schema = patch_verdict::command();
//! assert_eq!(schema.get_name(), "patch-verdict");
//! ```

mod check;
mod demo;
mod doctor;
mod init;
mod program;
mod progress;
mod shell;

pub use program::{command, main};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
