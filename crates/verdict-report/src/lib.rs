//! Turns a verdict into human text, Markdown, workflow annotations and JSON.
//!
//! It reads nothing and decides nothing: a [`VerdictDocument`] goes in, text comes out.
//!
//! ```
//! use verdict_report::{Look, human};
//! # let document = verdict_report::example();
//! let text = human(&document, Look::plain());
//! assert!(text.starts_with("REJECT  regression"));
//! ```
//!
//! [`VerdictDocument`]: patch_verdict_core::wire::VerdictDocument

mod example;
mod github;
mod human;
mod look;
mod markdown;
mod next_step;
mod phrases;

pub use example::example;
pub use github::github;
pub use human::human;
pub use look::Look;
pub use markdown::markdown;

/// The document as JSON, two blanks a level, with a line feed at its end.
///
/// # Errors
/// Never for documents that this workspace makes; the error of the serialiser otherwise.
pub fn json(
    document: &patch_verdict_core::wire::VerdictDocument,
) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(document).map(|text| format!("{text}\n"))
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
