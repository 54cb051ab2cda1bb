//! Suites and cases as the reader hands them out.
use crate::Outcome;
use crate::markup::{Attribute, RawText};

/// A suite's start tag.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SuiteRef<'a> {
    /// Counted from 0 in the order of the start tags.
    pub index: usize,
    /// Index of the enclosing suite.
    pub parent: Option<usize>,
    /// Whether the element is `testsuites` and not `testsuite`.
    pub is_collection: bool,
    /// `name`.
    pub name: Option<RawText<'a>>,
    /// `file` or `filepath`.
    pub file: Option<RawText<'a>>,
    /// `time`.
    pub time: Option<RawText<'a>>,
    /// `timestamp`.
    pub timestamp: Option<RawText<'a>>,
    /// `tests`.
    pub tests: Option<RawText<'a>>,
    /// `failures`.
    pub failures: Option<RawText<'a>>,
    /// `errors`.
    pub errors: Option<RawText<'a>>,
    /// `skipped`, `skip` or `skips`.
    pub skipped: Option<RawText<'a>>,
    /// `disabled` or `ignored`.
    pub disabled: Option<RawText<'a>>,
    /// Where the element begins in the text.
    pub at: usize,
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
    pub(crate) fn of(local: &str) -> Option<Self> {
        Some(match local {
            "failure" => Self::Outcome(Outcome::Failed),
            "error" => Self::Outcome(Outcome::Error),
            "skipped" => Self::Outcome(Outcome::Skipped),
            "flakyFailure" => Self::Flaky(Outcome::Failed),
            "flakyError" => Self::Flaky(Outcome::Error),
            "rerunFailure" => Self::Rerun(Outcome::Failed),
            "rerunError" => Self::Rerun(Outcome::Error),
            _ => return None,
        })
    }
}

/// One outcome or retry element of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Element<'a> {
    /// What it says.
    pub kind: ElementKind,
    /// `message`.
    pub message: Option<RawText<'a>>,
    /// `type`.
    pub type_name: Option<RawText<'a>>,
    /// `time`, on retries.
    pub time: Option<RawText<'a>>,
    /// The body; as far as it was there when its end tag is missing.
    pub body: Option<RawText<'a>>,
    /// Where the element begins in the text.
    pub at: usize,
}

/// A case.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaseRef<'a> {
    /// Index of the enclosing suite.
    pub suite: Option<usize>,
    /// Name of the nearest enclosing `testsuite` that has one.
    pub suite_name: Option<RawText<'a>>,
    /// `name`.
    pub name: Option<RawText<'a>>,
    /// `classname`.
    pub classname: Option<RawText<'a>>,
    /// `file`.
    pub file: Option<RawText<'a>>,
    /// `line` or `lineno`.
    pub line: Option<RawText<'a>>,
    /// `time`.
    pub time: Option<RawText<'a>>,
    /// `status`.
    pub status: Option<RawText<'a>>,
    /// Outcome and retry elements in the order of the file.
    pub elements: Vec<Element<'a>>,
    /// Names and values of the case's properties.
    pub properties: Vec<(RawText<'a>, RawText<'a>)>,
    /// Body of the first `system-out`.
    pub system_out: Option<RawText<'a>>,
    /// Body of the first `system-err`.
    pub system_err: Option<RawText<'a>>,
    /// Where the element begins in the text.
    pub at: usize,
    /// Whether its end tag was seen.
    pub is_complete: bool,
}

impl CaseRef<'_> {
    /// The strongest outcome element, else what `status` says, else passed.
    pub fn outcome(&self) -> Outcome {
        let worst = self
            .elements
            .iter()
            .filter_map(|element| match element.kind {
                ElementKind::Outcome(outcome) => Some(outcome),
                ElementKind::Flaky(_) | ElementKind::Rerun(_) => None,
            });
        worst.reduce(Outcome::or_worse).unwrap_or_else(|| {
            let status = self
                .status
                .as_ref()
                .map(RawText::decode)
                .unwrap_or_default();
            match status.trim() {
                "notrun" | "disabled" | "skipped" | "ignored" | "suppressed" => Outcome::Skipped,
                _ => Outcome::Passed,
            }
        })
    }
}

/// An element that takes some attributes.
pub(super) trait Fields<'a> {
    /// The field of an attribute's name, `None` for one that is of no interest.
    fn field(&mut self, name: &str) -> Option<&mut Option<RawText<'a>>>;

    /// Takes the attributes it knows; the first of several names for one thing counts.
    fn fill(&mut self, attributes: &[Attribute<'a>]) {
        for attribute in attributes {
            if let Some(field) = self.field(attribute.name) {
                field.get_or_insert(RawText::attribute(attribute.value, attribute.at));
            }
        }
    }
}

impl SuiteRef<'_> {
    pub(super) const fn new(is_collection: bool, at: usize) -> Self {
        Self {
            index: 0,
            parent: None,
            is_collection,
            name: None,
            file: None,
            time: None,
            timestamp: None,
            tests: None,
            failures: None,
            errors: None,
            skipped: None,
            disabled: None,
            at,
        }
    }
}

impl<'a> Fields<'a> for SuiteRef<'a> {
    fn field(&mut self, name: &str) -> Option<&mut Option<RawText<'a>>> {
        Some(match name {
            "name" => &mut self.name,
            "file" | "filepath" => &mut self.file,
            "time" => &mut self.time,
            "timestamp" => &mut self.timestamp,
            "tests" => &mut self.tests,
            "failures" => &mut self.failures,
            "errors" => &mut self.errors,
            "skipped" | "skip" | "skips" => &mut self.skipped,
            "disabled" | "ignored" => &mut self.disabled,
            _ => return None,
        })
    }
}

impl CaseRef<'_> {
    pub(super) const fn new(at: usize) -> Self {
        Self {
            suite: None,
            suite_name: None,
            name: None,
            classname: None,
            file: None,
            line: None,
            time: None,
            status: None,
            elements: Vec::new(),
            properties: Vec::new(),
            system_out: None,
            system_err: None,
            at,
            is_complete: false,
        }
    }

    /// Whether a failure of it was seen, so that it failed whatever comes.
    pub(super) fn has_failed(&self) -> bool {
        self.elements.iter().any(|element| match element.kind {
            ElementKind::Outcome(outcome) => outcome.is_failure(),
            ElementKind::Flaky(_) | ElementKind::Rerun(_) => false,
        })
    }
}

impl<'a> Fields<'a> for CaseRef<'a> {
    fn field(&mut self, name: &str) -> Option<&mut Option<RawText<'a>>> {
        Some(match name {
            "name" => &mut self.name,
            "classname" => &mut self.classname,
            "file" => &mut self.file,
            "line" | "lineno" => &mut self.line,
            "time" => &mut self.time,
            "status" => &mut self.status,
            _ => return None,
        })
    }
}

impl Element<'_> {
    pub(super) const fn new(kind: ElementKind, at: usize) -> Self {
        Self {
            kind,
            message: None,
            type_name: None,
            time: None,
            body: None,
            at,
        }
    }
}

impl<'a> Fields<'a> for Element<'a> {
    fn field(&mut self, name: &str) -> Option<&mut Option<RawText<'a>>> {
        Some(match name {
            "message" => &mut self.message,
            "type" => &mut self.type_name,
            "time" => &mut self.time,
            _ => return None,
        })
    }
}
