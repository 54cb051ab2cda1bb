//! Diffs between an expected and an actual value: the expected side stays.
use std::collections::BTreeSet;

use super::noise::normalise_expected;
use super::pattern::patterns;

patterns! {
    // The sign of the expected side is the first group, when the heading says it in one line.
    EXPECTED_FIRST = r"^\s*(?:- (?:Expected|Snapshot|expected|want)\b(?:\s+- \d+)?|--- (?:Expected|expected)|\(-expected \+actual\)|- Expected:?|\d+(?:st|nd|rd|th) .* call:)$";
    BOTH_MINUS = r"^\s*\+ actual - expected\b";
    BOTH_PLUS = r"^\s*\+ expected - actual\b";
    SECOND = r"^\s*(?:\+ (?:Received|Actual|actual|got)\b(?:\s+\+ \d+)?|\+\+\+ (?:Actual|actual))$";
    HUNK = r"^\s*@@ .*@@$";
    KEY = r#"^\s*("[^"]*"|'[^']*'|[\w$]+)\s*(?::|=>)"#;
}

/// What a line is to a diff that may be under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// A heading of the diff: says nothing about the failure.
    Heading,
    /// The expected value, or what both have.
    Kept,
    /// The actual value.
    Dropped,
    /// Not part of a diff.
    Outside,
}

/// Follows a diff from its heading on.
#[derive(Debug, Default)]
pub(super) struct Diff {
    expected: Option<char>,
}

impl Diff {
    /// What `line` is.
    pub(super) fn side(&mut self, line: &str) -> Side {
        if BOTH_PLUS.is_match(line) {
            self.expected = Some('+');
            return Side::Heading;
        }
        if BOTH_MINUS.is_match(line) || EXPECTED_FIRST.is_match(line) {
            self.expected = Some('-');
            return Side::Heading;
        }
        let Some(expected) = self.expected else {
            return Side::Outside;
        };
        if SECOND.is_match(line) || HUNK.is_match(line) {
            return Side::Heading;
        }
        match line.trim_start().chars().next() {
            Some(sign @ ('+' | '-')) if sign != expected => Side::Dropped,
            _ => Side::Kept,
        }
    }

    /// Ends the diff: what follows is something else.
    pub(super) fn end(&mut self) {
        self.expected = None;
    }
}

/// The key that a line of a diff sets, if it sets one.
fn key(line: &str) -> Option<&str> {
    let body = line.trim_start().trim_start_matches(['+', '-']);
    Some(KEY.captures(body)?.get(1)?.as_str())
}

/// The keys that the lines of the expected side (or of neither) set; `sign` marks the actual side.
pub(super) fn keys<'a>(lines: &[&'a str], sign: char) -> BTreeSet<&'a str> {
    lines
        .iter()
        .filter(|line| !line.trim_start().starts_with(sign))
        .filter_map(|line| key(line))
        .collect()
}

/// Which key an actual-side line adds, when no other line has it: an unexpected key is a way of failing.
pub(super) fn added_key(line: &str, known: &BTreeSet<&str>) -> Option<String> {
    let key = key(line)?;
    (!known.contains(key)).then(|| format!("unexpected {}", normalise_expected(key)))
}
