//! JavaScript: Jest, Vitest, Mocha with Chai, `node:test` and `node:assert`.
use std::collections::BTreeSet;

use super::diff::{Diff, Side, added_key, keys};
use super::noise::{normalise, normalise_expected};
use super::pattern::patterns;
use super::reading::{Reading, header, is_error};

patterns! {
    MARK = r"^\s*expect\(.*\)|^\s*(?:Uncaught )?(?:\w*Error )?(?:AssertionError|Error): (?:expect\(|.*\bexpected )|ERR_ASSERTION|ERR_TEST_FAILURE|^\s*\+ expected - actual|^\s+at (?:async )?(?:.* \()?(?:node:|file://)?[^()\s]*(?:\.[cm]?[jt]sx?|node:[\w/]+):\d+:\d+\)?(?: \{)?$|^ ?\x{276f} |^\s*\x{25cf} |^thrown: |^\s*at .*<anonymous>";
    // A message may hold lines that begin with `at`; a frame ends in a place.
    FRAME = r"^\s*(?:at .*(?:\.[A-Za-z]{1,6}|node:[\w/]+|<anonymous>|VM\d+|native)(?::\d+:\d+)?\)?(?: \{)?|at .*\((?:index \d+|<anonymous>|native)\)(?: \{)?|\x{276f} \S+:\d+:\d+|\x{276f} \S+ \S+:\d+:\d+|\x{2014}{3,}.*|\x{23af}{3,}.*)$";
    TITLE = r"^\s*(?:FAIL +\S+.*|\x{25cf} .*|\d+\) .*)$";
    CODE = r"^\s*>?\s*\d+ ?\|(?: |$)|^\s*\|\s*[\^~ ]*$";
    CAUSE = r"^\s*(?:\[?cause\]?: |Caused by: )";
    TEST_FAILURE = r"^\[?Error \[ERR_TEST_FAILURE\]: ";
    RECEIVED = r"^\s*(?:\+ )?Received(?: [\w ]*?)?(?:: |:$| +[<>=]+ )";
    RECEIVED_NAME = r"^\s*Received name:";
    ACTUAL_NOTE = r"^\s*(?:Number of (?:calls|returns): \d+|Resolved to value: .*|generatedMessage: .*|diff: '.*',?|duration_ms: .*)$";
    EXPECTED = r"^\s*(?:Expected|expected)\b.*:";
    ACTUAL_PROPERTY = r"^\s*actual: ";
    NEXT_PROPERTY = r"^\s*(?:expected|operator|code|generatedMessage|diff): ";
    NODE_COMPARISON = r"^(\s*)(.*?) (!==|===|!=|==) (.*)$";
    NODE_INPUT = r"Input:$";
    CHAI = r"^(|.*?: )([Ee]xpected )(.*?)( (?:not )?to (?:not |never )?)(.*)$";
    BUT_GOT = r"(,? but (?:got|was|it was) )(.*)$";
    PROMISE = r#"^(.*promise resolved )".*"( instead of rejecting.*)$"#;
    TYPED = r"^(?:\w*Error|\w*Exception)(?: \[\w+\])?: ";
    OBJECT_PORT = r"^\s*port: (\d{5}),?$";
    DOTS = r"^\s*[.\x{b7}]+$";
}

/// Whether a line is one that only JavaScript's runners and runtime write.
pub(super) fn marks(line: &str) -> bool {
    MARK.is_match(line)
}

/// Reads matcher, expected value and messages; the received value, frames and source excerpts go.
pub(super) fn read(text: &str) -> Option<Reading> {
    let all: Vec<&str> = text.lines().map(str::trim_end).collect();
    let lines = failure_lines(&all);
    let mut kind = String::new();
    let sign = if lines
        .iter()
        .any(|line| line.trim() == "+ expected - actual")
    {
        '-'
    } else {
        '+'
    };
    let mut state = State {
        keys: keys(&lines, sign),
        ..State::default()
    };
    let is_generated = lines
        .iter()
        .any(|line| line.contains("generatedMessage: true"));
    let is_assert = lines.iter().any(|line| line.contains("AssertionError"));
    let is_loopback = lines
        .iter()
        .any(|line| line.contains("127.0.0.1:") || line.contains("::1:"));
    for line in &lines {
        let mut line = *line;
        if kind.is_empty() && state.kept.is_empty() {
            let bare = line
                .trim_start()
                .trim_start_matches('[')
                .trim_start_matches("Uncaught ");
            if let Some((name, said)) = header(bare) {
                name.clone_into(&mut kind);
                line = said;
            }
        }
        if kind.is_empty() && state.kept.is_empty() && TITLE.is_match(line) {
            continue;
        }
        if TYPED.is_match(line) {
            state.diff.end();
            if let Some((name, said)) = header(line).filter(|_| kind.is_empty()) {
                name.clone_into(&mut kind);
                line = said;
            }
        }
        if is_loopback && OBJECT_PORT.is_match(line) {
            continue;
        }
        state.line(line, is_assert, is_generated);
    }
    let assertion = state.kept.join("\n");
    (!(assertion.is_empty() && kind.is_empty())).then(|| Reading::new(kind, assertion))
}

/// The lines of the failure proper: `node:test` wraps it as the cause of an error of its own.
fn failure_lines<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let wraps = lines
        .iter()
        .any(|line| TEST_FAILURE.is_match(line.trim_start()));
    let cause = lines.iter().position(|line| CAUSE.is_match(line));
    let (true, Some(at)) = (wraps, cause) else {
        return lines.to_vec();
    };
    let mut kept = Vec::new();
    for (index, line) in lines.iter().enumerate().skip(at) {
        let end = if index == at {
            CAUSE.find(line).map_or(0, |found| found.end())
        } else {
            0
        };
        kept.push(line.get(end..).unwrap_or_default());
    }
    kept
}

/// What the reader is inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Inside {
    /// Nothing in particular.
    #[default]
    Message,
    /// A received value; it goes on to the next blank or naming line.
    Received,
    /// `actual:` of a printed error object.
    Actual,
    /// The value that `assert.match` was given.
    Input,
    /// The source that `assert.ok` quotes.
    Source,
}

/// What was read so far.
#[derive(Debug, Default)]
struct State<'a> {
    /// Keys that the expected side of a diff sets.
    keys: BTreeSet<&'a str>,
    kept: Vec<String>,
    diff: Diff,
    inside: Inside,
}

impl State<'_> {
    /// Takes one line in.
    fn line(&mut self, line: &str, is_assert: bool, is_generated: bool) {
        if FRAME.is_match(line) || CODE.is_match(line) || DOTS.is_match(line) {
            self.diff.end();
            self.inside = Inside::Message;
            return;
        }
        if self.inside == Inside::Actual {
            if !NEXT_PROPERTY.is_match(line) {
                return;
            }
            self.inside = Inside::Message;
        }
        if is_assert && ACTUAL_PROPERTY.is_match(line) && !is_error(line) {
            self.inside = Inside::Actual;
            return;
        }
        if ACTUAL_NOTE.is_match(line) {
            return;
        }
        if line == "+ Received:" {
            self.diff.end();
            self.inside = Inside::Received;
            return;
        }
        match self.diff.side(line) {
            Side::Heading => {}
            Side::Kept => self.keep(&normalise_expected(line)),
            Side::Dropped => {
                if let Some(key) = added_key(line, &self.keys) {
                    self.keep(&key);
                }
            }
            Side::Outside => self.outside(line, is_assert, is_generated),
        }
    }

    /// A line that belongs to no diff.
    fn outside(&mut self, line: &str, is_assert: bool, is_generated: bool) {
        let names = line.trim().is_empty() || EXPECTED.is_match(line);
        if names && self.inside == Inside::Received {
            self.inside = Inside::Message;
        }
        if line.trim().is_empty() {
            return;
        }
        if RECEIVED.is_match(line) && !RECEIVED_NAME.is_match(line) && !is_error(line) {
            self.inside = Inside::Received;
            return;
        }
        match self.inside {
            Inside::Received | Inside::Actual => {}
            Inside::Input => self.inside = Inside::Message,
            // The source of the assertion, not its values.
            Inside::Source => self.keep(line),
            Inside::Message => {
                if line.ends_with("evaluated to a falsy value:") {
                    self.inside = Inside::Source;
                } else if is_assert && NODE_INPUT.is_match(line) {
                    self.inside = Inside::Input;
                }
                // A message of its own may hold an operator; a value line never comes first.
                let is_strict = line.contains(" !== ") || line.contains(" === ");
                let may_compare =
                    is_assert && (is_generated || (is_strict && !self.kept.is_empty()));
                let said = said(line, is_assert, may_compare);
                // Reporters print the message twice.
                if self.kept.last().is_none_or(|last| *last != said) {
                    self.keep(&said);
                }
            }
        }
    }

    /// Keeps a line.
    fn keep(&mut self, line: &str) {
        let line = line.trim_end();
        if !line.trim().is_empty() {
            self.kept.push(line.to_owned());
        }
    }
}

/// A line outside of diffs: without the actual value where its words name it.
fn said(line: &str, is_assert: bool, may_compare: bool) -> String {
    if PROMISE.is_match(line) {
        return normalise(&PROMISE.replace(line, "${1}<actual>${2}"));
    }
    let chai = CHAI.captures(line).filter(|_| is_assert).filter(|found| {
        found
            .get(3)
            .is_none_or(|group| !matches!(group.as_str(), "value" | "values" | "\"actual\""))
    });
    if let Some(found) = chai {
        let group = |index| found.get(index).map_or("", |group| group.as_str());
        let is_subject = group(5).contains("call")
            || group(3).starts_with("[Function")
            || group(3) == "promise"
            || is_error(group(3));
        let actual = if is_subject { group(3) } else { "<actual>" };
        let tail = match BUT_GOT.captures(group(5)).and_then(|found| found.get(2)) {
            Some(got) if !is_error(got.as_str()) => BUT_GOT.replace(group(5), "${1}<actual>"),
            _ => group(5).into(),
        };
        return format!(
            "{}{}{actual}{}{}",
            normalise(group(1)),
            group(2),
            group(4),
            normalise_expected(&tail)
        );
    }
    if may_compare && NODE_COMPARISON.is_match(line) {
        return normalise_expected(&NODE_COMPARISON.replace(line, "${1}<actual> ${3} ${4}"));
    }
    if EXPECTED.is_match(line) {
        return normalise_expected(line);
    }
    normalise(line)
}
