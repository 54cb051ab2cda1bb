//! The junit-parse program: JUnit XML reports to tables, JSON or JSON Lines.
//!
//! A library so that the umbrella program embeds the same [`Args`] as a subcommand.
//!
//! ```
//! use clap::Parser;
//!
//! #[derive(Parser)]
//! struct Cli {
//!     #[command(flatten)]
//!     args: junit_parse_cli::Args,
//! }
//! assert!(Cli::try_parse_from(["junit-parse", "--failed", "report.xml"]).is_ok());
//! ```

mod args;
mod human;
mod inputs;
mod output;
mod program;
mod reading;

pub use args::{Args, OutputFormat, ReportFile};
pub use program::run;

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
