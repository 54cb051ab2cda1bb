//! The pull reader: suites and cases in the order of the file, borrowed from its text.
mod case;
mod children;
mod structure;

pub use case::{CaseRef, Element, ElementKind, SuiteRef};
pub use structure::Reader;

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
