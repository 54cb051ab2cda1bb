//! The owned report.
mod attempts;
mod collect;
mod names;
#[cfg(test)]
mod tests;
mod time;
mod totals;

use std::sync::Arc;
use std::time::Duration;

pub use attempts::Attempts;
pub use collect::parse;
pub use totals::{Counts, Declared};

use crate::{Outcome, Warning};

/// Whether the whole report was read. A gate must look at it before it trusts a missing failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[expect(clippy::exhaustive_enums, reason = "a gate must treat each of them")]
#[must_use]
pub enum Completeness {
    /// Well-formed from the first byte to the last.
    Complete,
    /// Read to its end, but something in it had to be repaired.
    Recovered,
    /// The file ended early, or a limit ended it.
    Truncated {
        /// Bytes from the start of the input up to which it was read, 0-based.
        offset: u64,
    },
}

impl Completeness {
    /// Whether the report was cut.
    pub const fn is_truncated(self) -> bool {
        matches!(self, Self::Truncated { .. })
    }
}

/// One report.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[must_use]
pub struct Report {
    /// The cases in the order of their ends. Repeated names stay separate cases.
    pub cases: Vec<Case>,
    /// `testsuites` and `testsuite` elements in the order of their starts.
    pub suites: Vec<Suite>,
    /// What was repaired, doubted or cut, in the order of the file.
    pub warnings: Vec<Warning>,
    /// Warnings beyond [`crate::Limits::max_warnings`] that were left out.
    pub warnings_omitted: u64,
    /// Whether the whole report was read; see [`Report::completeness`].
    pub completeness: Completeness,
}

impl Report {
    /// Whether the whole report was read.
    pub const fn completeness(&self) -> Completeness {
        self.completeness
    }

    /// How many cases there are of each outcome.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for case in &self.cases {
            counts.add(case.outcome);
        }
        counts
    }

    /// The cases that failed at least once, in whatever attempt.
    pub fn failures(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| case.ever_failed())
    }

    /// Suites whose declared totals are not those of their cases.
    pub fn declared_mismatches(&self) -> impl Iterator<Item = &Suite> {
        self.suites.iter().filter(|suite| suite.declared_mismatch())
    }

    /// Whether a warning of this kind was given.
    pub fn has_warning(&self, kind: crate::WarningKind) -> bool {
        self.warnings.iter().any(|warning| warning.kind == kind)
    }
}

/// A `testsuites` or `testsuite` element.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Suite {
    /// `name`, as written.
    pub name: Option<String>,
    /// Index of the enclosing suite in [`Report::suites`].
    pub parent: Option<usize>,
    /// Whether the element is `testsuites`.
    pub is_collection: bool,
    /// `file` or `filepath`.
    pub file: Option<String>,
    /// `timestamp`, as written.
    pub timestamp: Option<String>,
    /// `time`.
    pub duration: Option<Duration>,
    /// The totals that the element declares.
    pub declared: Declared,
    /// The cases in it and in the suites inside it.
    pub counted: Counts,
}

impl Suite {
    /// Whether the declared totals are not those of the cases.
    pub fn declared_mismatch(&self) -> bool {
        self.declared.differs_from(&self.counted)
    }
}

/// One test case.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Case {
    /// The class name, else the name of the nearest named suite, else empty. Cases share it.
    #[cfg_attr(feature = "serde", serde(with = "shared"))]
    pub suite: Arc<str>,
    /// `name`, as written; empty when there is none.
    pub name: String,
    /// `classname`, as written.
    #[cfg_attr(feature = "serde", serde(with = "shared::optional"))]
    pub classname: Option<Arc<str>>,
    /// The strongest of its own outcome elements (retries apart).
    pub outcome: Outcome,
    /// Every attempt in order, at least one.
    pub attempts: Attempts,
    /// `message` of the element that decided the outcome.
    #[cfg_attr(feature = "serde", serde(with = "shared::optional"))]
    pub message: Option<Arc<str>>,
    /// `type` of that element.
    #[cfg_attr(feature = "serde", serde(with = "shared::optional"))]
    pub kind: Option<Arc<str>>,
    /// Text of that element (and of further ones of the same outcome): mostly a stack trace.
    #[cfg_attr(feature = "serde", serde(with = "shared::optional"))]
    pub detail: Option<Arc<str>>,
    /// `file`.
    pub file: Option<String>,
    /// `line` or `lineno`, as far as it is a number.
    pub line: Option<u64>,
    /// `time`; `None` when missing or unreadable.
    pub duration: Option<Duration>,
    /// The case's `properties` in order, names may repeat.
    pub properties: Vec<(String, String)>,
    /// `system-out`, with [`crate::Limits::keep_output`] only.
    pub system_out: Option<String>,
    /// `system-err`, with [`crate::Limits::keep_output`] only.
    pub system_err: Option<String>,
    /// Index of the enclosing suite in [`Report::suites`].
    pub suite_index: Option<usize>,
    /// Whether a limit cut its message or detail.
    pub is_clipped: bool,
    /// Whether its end tag was seen; a case without it is here only because it failed.
    pub is_complete: bool,
}

impl Case {
    /// Whether any attempt failed, whatever came after.
    pub fn ever_failed(&self) -> bool {
        self.outcome.is_failure()
            || self
                .attempts
                .iter()
                .any(|attempt| attempt.outcome.is_failure())
    }

    /// Whether one attempt passed and another failed.
    pub fn has_flaked(&self) -> bool {
        let passed = |attempt: &Attempt| attempt.outcome == Outcome::Passed;
        self.ever_failed() && self.attempts.iter().any(passed)
    }
}

/// One attempt of a case.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Attempt {
    /// How it ended.
    pub outcome: Outcome,
    /// `message`.
    #[cfg_attr(feature = "serde", serde(with = "shared::optional"))]
    pub message: Option<Arc<str>>,
    /// `type`.
    #[cfg_attr(feature = "serde", serde(with = "shared::optional"))]
    pub kind: Option<Arc<str>>,
    /// The stack trace or text.
    #[cfg_attr(feature = "serde", serde(with = "shared::optional"))]
    pub detail: Option<Arc<str>>,
    /// `time`, where the attempt states one of its own.
    pub duration: Option<Duration>,
}

/// Shared names, written like any other text.
#[cfg(feature = "serde")]
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(name: &Arc<str>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(name)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
        String::deserialize(from).map(Arc::from)
    }

    pub(super) mod optional {
        use std::sync::Arc;

        use serde::{Deserialize, Deserializer, Serialize, Serializer};

        #[expect(clippy::ref_option, reason = "serde passes a reference")]
        pub(in crate::report) fn serialize<S: Serializer>(
            name: &Option<Arc<str>>,
            to: S,
        ) -> Result<S::Ok, S::Error> {
            name.as_deref().serialize(to)
        }

        pub(in crate::report) fn deserialize<'de, D: Deserializer<'de>>(
            from: D,
        ) -> Result<Option<Arc<str>>, D::Error> {
            let name = Option::<String>::deserialize(from)?;
            Ok(name.map(Arc::from))
        }
    }
}
