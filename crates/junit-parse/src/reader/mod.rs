//! The pull readers: suites and cases in the order of the file.
mod case;
mod check;
mod children;
mod elements;
mod machine;
mod record;
mod slice;
mod stop;
mod stream;

pub use case::{CaseRef, Element, ElementKind, SuiteRef};
pub(crate) use machine::Step;
pub use slice::Reader;
pub use stream::StreamReader;

use crate::{Completeness, Warning};

/// What a [`Reader`] or [`StreamReader`] hands out.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A `testsuites` or `testsuite` element begins.
    SuiteStart(SuiteRef<'a>),
    /// A case ended, or was cut after a failure of it was seen.
    Case(CaseRef<'a>),
    /// The suite with this index ended, or the file ended inside it.
    SuiteEnd(usize),
}

/// What a reader says at its end.
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
