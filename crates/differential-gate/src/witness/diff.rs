//! Diffs between an expected and an actual value: the expected side stays.
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

/// Which key an actual-side line adds, when no expected line has it: an unexpected key is a way of failing.
pub(super) fn added_key(line: &str, others: &[&str]) -> Option<String> {
    let body = line.trim_start().trim_start_matches(['+', '-']);
    let key = KEY.captures(body)?.get(1)?.as_str();
    let known = others.iter().any(|other| {
        let other = other.trim_start();
        other != line.trim_start()
            && !other.starts_with(line.trim_start().get(..1).unwrap_or_default())
            && KEY
                .captures(other.trim_start_matches(['+', '-']))
                .and_then(|found| found.get(1))
                .is_some_and(|group| group.as_str() == key)
    });
    (!known).then(|| format!("unexpected {}", normalise_expected(key)))
}
