//! Suites and cases as the reader hands them out.
use super::record::{CaseRecord, ElementRecord, Field, SuiteRecord};
use crate::Outcome;
use crate::markup::{RawText, Store};

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&self) -> Option<RawText<'a>> {
                raw(self.record.$name, self.store)
            }
        )*
    };
}

fn raw(field: Field, store: Store<'_>) -> Option<RawText<'_>> {
    field.map(|text| RawText::of(text, store))
}

/// A suite's start tag.
#[derive(Debug, Clone, Copy)]
pub struct SuiteRef<'a> {
    record: &'a SuiteRecord,
    store: Store<'a>,
}

impl<'a> SuiteRef<'a> {
    pub(super) const fn new(record: &'a SuiteRecord, store: Store<'a>) -> Self {
        Self { record, store }
    }

    /// Counted from 0 in the order of the start tags.
    pub const fn index(&self) -> usize {
        self.record.index
    }

    /// Index of the enclosing suite.
    pub const fn parent(&self) -> Option<usize> {
        self.record.parent
    }

    /// Whether the element is `testsuites` and not `testsuite`.
    pub const fn is_collection(&self) -> bool {
        self.record.is_collection
    }

    /// Where the element begins, in bytes of decoded text.
    pub const fn at(&self) -> usize {
        self.record.at
    }

    texts! {
        /// `name`.
        name;
        /// `file` or `filepath`.
        file;
        /// `time`.
        time;
        /// `timestamp`.
        timestamp;
        /// `tests`.
        tests;
        /// `failures`.
        failures;
        /// `errors`.
        errors;
        /// `skipped`, `skip` or `skips`.
        skipped;
        /// `disabled` or `ignored`.
        disabled;
    }
}

/// What a child of a case says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ElementKind {
    /// An outcome of the case itself: `failure`, `error`, `skipped`.
    Outcome(Outcome),
    /// An earlier failed attempt of a case that passed in the end: `flakyFailure`, `flakyError`.
    Flaky(Outcome),
    /// A further failed attempt: `rerunFailure`, `rerunError`.
    Rerun(Outcome),
}

impl ElementKind {
    pub(crate) const fn of(local: &[u8]) -> Option<Self> {
        Some(match local {
            b"failure" => Self::Outcome(Outcome::Failed),
            b"error" => Self::Outcome(Outcome::Error),
            b"skipped" => Self::Outcome(Outcome::Skipped),
            b"flakyFailure" => Self::Flaky(Outcome::Failed),
            b"flakyError" => Self::Flaky(Outcome::Error),
            b"rerunFailure" => Self::Rerun(Outcome::Failed),
            b"rerunError" => Self::Rerun(Outcome::Error),
            _ => return None,
        })
    }
}

/// One outcome or retry element of a case.
#[derive(Debug, Clone, Copy)]
pub struct Element<'a> {
    record: &'a ElementRecord,
    store: Store<'a>,
}

impl<'a> Element<'a> {
    /// What it says.
    pub const fn kind(&self) -> ElementKind {
        self.record.kind
    }

    /// Where the element begins, in bytes of decoded text.
    pub const fn at(&self) -> usize {
        self.record.at
    }

    texts! {
        /// `message`.
        message;
        /// `type`.
        type_name;
        /// `time`, on retries.
        time;
        /// The body; as far as it was there when its end tag is missing.
        body;
    }
}

/// A case.
#[derive(Debug, Clone, Copy)]
pub struct CaseRef<'a> {
    record: &'a CaseRecord,
    store: Store<'a>,
}

impl<'a> CaseRef<'a> {
    pub(super) const fn new(record: &'a CaseRecord, store: Store<'a>) -> Self {
        Self { record, store }
    }

    /// Index of the enclosing suite.
    pub const fn suite(&self) -> Option<usize> {
        self.record.suite
    }

    /// Where the element begins, in bytes of decoded text.
    pub const fn at(&self) -> usize {
        self.record.at
    }

    /// Whether its end tag was seen.
    pub const fn is_complete(&self) -> bool {
        self.record.is_complete
    }

    texts! {
        /// Name of the nearest enclosing `testsuite` that has one.
        suite_name;
        /// `name`.
        name;
        /// `classname`.
        classname;
        /// `file`.
        file;
        /// `line` or `lineno`.
        line;
        /// `time`.
        time;
        /// `status`.
        status;
        /// Body of the first `system-out`, with [`crate::Limits::keep_output`] only.
        system_out;
        /// Body of the first `system-err`, with [`crate::Limits::keep_output`] only.
        system_err;
    }

    /// Outcome and retry elements in the order of the file.
    pub fn elements(&self) -> impl ExactSizeIterator<Item = Element<'a>> + use<'a> {
        let store = self.store;
        self.record
            .elements
            .iter()
            .map(move |record| Element { record, store })
    }

    /// Names and values of the case's properties.
    pub fn properties(
        &self,
    ) -> impl ExactSizeIterator<Item = (RawText<'a>, RawText<'a>)> + use<'a> {
        let store = self.store;
        self.record.properties.iter().map(move |(name, value)| {
            let text = |text| RawText::of(text, store);
            (text(*name), text(*value))
        })
    }

    /// The strongest outcome element, else what `status` says, else passed.
    pub fn outcome(&self) -> Outcome {
        let worst = self
            .record
            .elements
            .iter()
            .filter_map(|element| match element.kind {
                ElementKind::Outcome(outcome) => Some(outcome),
                ElementKind::Flaky(_) | ElementKind::Rerun(_) => None,
            });
        worst.reduce(Outcome::or_worse).unwrap_or_else(|| {
            let Some(status) = self.status() else {
                return Outcome::Passed;
            };
            match status.decode().trim() {
                "notrun" | "disabled" | "skipped" | "ignored" | "suppressed" => Outcome::Skipped,
                _ => Outcome::Passed,
            }
        })
    }
}
