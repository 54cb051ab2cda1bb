//! The pull reader: suites and cases in the order of the file, borrowed from its text.
mod case;
mod children;
mod structure;

pub use case::{CaseRef, Element, ElementKind, SuiteRef};
pub use structure::Reader;

use crate::{Completeness, Warning};

/// What a [`Reader`] hands out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A `testsuites` or `testsuite` element begins.
    SuiteStart(SuiteRef<'a>),
    /// A case ended, or was cut after a failure of it was seen.
    Case(CaseRef<'a>),
    /// The suite with this index ended, or the file ended inside it.
    SuiteEnd(usize),
}

/// What a [`Reader`] says at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Ending {
    /// Whether the whole report was read.
    pub completeness: Completeness,
    /// What was repaired, doubted or cut, in the order of the file.
    pub warnings: Vec<Warning>,
    /// Warnings beyond [`crate::Limits::max_warnings`] that were left out.
    pub warnings_omitted: u64,
}
