//! What a family of formats finds in a failure text.
use std::collections::BTreeSet;

use super::noise::{normalise, normalise_expected};
use super::pattern::patterns;

patterns! {
    HEADER = r"^((?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|\\|/))*[\p{L}_$][\p{L}\p{N}_$+`]*)(?: \[\w+\])?(?: ?: |:$|$)(.*)$";
    ERROR_VALUE = r"\b[\p{L}\p{N}_.$]*(?:Error|Exception|Errno)\b|\bErr\(|\b(?:[Ee]rror|errno) ?[:=(]";
    TYPE_NAME = r"(?:Error|Exception|Failure|Failed|Exit|Interrupt|Warning|Fault|Timeout|Expired|Died|Violation|Panic|Throwable|Cancelled|Exceeded|Errno::\w+|Rejection|Group|Flaky|Iteration|Unsatisfiable|Aborted|Refused|Closed|Missing|Mismatch|NotFound|Invalid\w*|Unavailable|Denied|Crash|Crashed|Stop\w*|Problem|Fail)$";
}

/// The type and the assertion of one failure, before they are written as a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    /// The exception type or the kind of failure; empty when the text names none.
    pub(super) kind: String,
    /// The assertion, normalised.
    pub(super) assertion: String,
}

impl Reading {
    /// A failure of a type with an assertion that is normalised already.
    pub(super) fn new(kind: impl Into<String>, assertion: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            assertion: assertion.into(),
        }
    }

    /// Type and assertion as one text, for failures inside failures.
    pub(super) fn describe(&self) -> String {
        match (self.kind.is_empty(), self.assertion.is_empty()) {
            (true, _) => self.assertion.clone(),
            (_, true) => self.kind.clone(),
            _ => format!("{}: {}", self.kind, self.assertion),
        }
    }
}

/// Several failures of one test as one: the first names the type, doubles are dropped.
pub(super) fn join(readings: Vec<Reading>) -> Option<Reading> {
    let mut readings = readings.into_iter();
    let mut first = readings.next()?;
    let mut seen = BTreeSet::from([first.describe()]);
    for other in readings {
        let described = other.describe();
        if !seen.contains(&described) {
            first.assertion.push_str("; ");
            first.assertion.push_str(&described);
            seen.insert(described);
        }
    }
    Some(first)
}

/// A failure with the failures that led to it, nearest first.
pub(super) fn caused_by(
    mut failure: Reading,
    causes: impl IntoIterator<Item = Reading>,
) -> Reading {
    for cause in causes {
        failure.assertion.push_str(" <- ");
        failure.assertion.push_str(&cause.describe());
    }
    failure
}

/// `Type: message` or `Type` at the start of a line, where `Type` is named like an exception.
pub(super) fn header(line: &str) -> Option<(&str, &str)> {
    let found = HEADER.captures(line)?;
    let kind = found.get(1)?.as_str();
    let message = found.get(2).map_or("", |group| group.as_str());
    let dotted = kind.contains('.') || kind.contains("::") || kind.contains('\\');
    let last = kind.rsplit(['.', ':', '\\']).next().unwrap_or(kind);
    let capital = last.chars().next().is_some_and(char::is_uppercase);
    let named = TYPE_NAME.is_match(kind) && capital;
    (named || (dotted && capital && !kind.contains('/'))).then_some((kind, message))
}

/// Whether an actual value is an error: which error came is a way of failing, so it stays.
pub(super) fn is_error(value: &str) -> bool {
    ERROR_VALUE.is_match(value)
}

/// Lines as one normalised message.
pub(super) fn message<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let lines = super::clean::dedent(lines);
    let mut kept: Vec<String> = Vec::with_capacity(lines.len());
    for line in lines {
        let line = normalise(line);
        if !line.is_empty() {
            kept.push(line);
        }
    }
    super::sets::sort_listed(&mut kept);
    kept.join("\n")
}

/// Lines of an expected value.
pub(super) fn expected<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let lines: Vec<String> = super::clean::dedent(lines)
        .into_iter()
        .map(normalise_expected)
        .collect();
    lines.join("\n")
}
