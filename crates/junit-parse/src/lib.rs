//! Reads JUnit XML reports as tools really write them: recovery, attempts, limits, encodings.
//!
//! [`parse`] turns the bytes of one report into an owned [`Report`]. Below it, [`Document`] and
//! [`Reader`] hand out the same cases borrowed from the text, one at a time.
//!
//! ```
//! use junit_parse::{Completeness, Limits, Outcome, parse};
//!
//! let xml = br#"<testsuite name="unit"><testcase name="adds" time="0,25"/>
//!     <testcase name="divides"><failure message="by zero"/></testcase></testsuite>"#;
//! let report = parse(xml, &Limits::default())?;
//! assert_eq!(report.completeness(), Completeness::Complete);
//! assert_eq!(report.cases[1].outcome, Outcome::Failed);
//! assert_eq!(report.cases[1].message.as_deref(), Some("by zero"));
//! # Ok::<(), junit_parse::ParseError>(())
//! ```
//!
//! # What it promises
//! - A case is handed out at its end tag. A case that the end of the file cut is handed out only
//!   when a failure of it was already seen; otherwise it is left out and a warning says so.
//! - An empty file or one that is no JUnit XML is a [`ParseError`], never a report without failures.
//! - A time that cannot be read is `None`, never zero.
//! - Every repair and every limit that cut something is a [`Warning`]; [`Report::completeness`]
//!   says whether the report may be trusted as a whole.
//!
//! # What it does not do
//! It opens no file, expands no entity, reads no DTD, and decides nothing about the tests.
//!
//! # Features
//! `serde`: `Serialize` and `Deserialize` on the report and the `wire` formats. `schema`: JSON
//! Schemas of the wire formats. MSRV 1.90.

#[cfg(feature = "archive")]
mod archive;
mod error;
mod input;
mod limits;
mod markup;
mod outcome;
mod reader;
mod report;
mod visit;
mod warning;
#[cfg(feature = "serde")]
pub mod wire;

#[cfg(feature = "archive")]
pub use archive::{
    ArchiveEntry, ArchiveError, ArchiveErrorKind, ArchiveFormat, ArchiveLimits, EntryError,
    EntryErrorKind, visit_archive,
};
pub use error::{ParseError, ParseErrorKind};
pub use input::Document;
pub use limits::Limits;
pub use markup::RawText;
pub use outcome::Outcome;
pub use reader::{CaseRef, Element, ElementKind, Ending, Event, Reader, StreamReader, SuiteRef};
pub use report::{Attempt, Attempts, Case, Completeness, Counts, Declared, Report, Suite, parse};
pub use visit::{visit, visit_read};
pub use warning::{Warning, WarningKind};

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
