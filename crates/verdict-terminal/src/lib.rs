//! Exit codes, output formats, streams, colour and error reports shared by the patch-verdict programs.
//!
//! It is the only library here that knows of `clap` and `anyhow`. It decides nothing about tests.
//!
//! ```
//! use verdict_terminal::{Exit, Failure};
//!
//! let error = Failure::new(Exit::Usage, "no file named `a.xml`").hint("check the path");
//! assert_eq!(error.exit().code(), 2);
//! ```

mod exit;
mod failure;
mod file;
mod format;
mod pipe;
mod streams;
mod tool;

pub use exit::Exit;
pub use failure::{Failure, OrExit, report};
pub use file::{check_writable, write_atomically};
pub use format::{ColorChoice, Format, ReportTarget};
pub use streams::{Streams, run_program};
pub use tool::commit;
