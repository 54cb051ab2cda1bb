//! Python: pytest in its long, short and native styles, unittest, plain tracebacks and their chains.
use super::clean::dedent;
use super::pattern::patterns;
use super::reading::{Reading, caused_by, header, join, message};
use super::{hypothesis, python_doctest, python_group};

patterns! {
    E_LINE = r"^E(?:   .*| *)$";
    ARROW = r"^>(?:\s|$)";
    SHORT_FRAME = r"^\S.*:\d+: in \S+";
    LOCATION = r"^(\S.*):\d+: ([\p{L}_][\p{L}\p{N}_.]*)$";
    SECTION = r"^-{2,} (?:Captured|Hypothesis|generated xml|live log)[^\n]* -{2,}$";
    RULE = r"^(?:[=_-] ?){10,}$|^[=_-]{3,} .* [=_-]{3,}$";
    UNITTEST_HEADER = r"^(?:FAIL|ERROR): \S+(?: \([^()]*\))?(.*)$";
    UNITTEST_END = r"^(?:Ran \d+ tests? in |FAILED \(|FAIL: |ERROR: )";
    UNITTEST_RULE = r"^(?:-{50,}|={50,}|\*{50,})$";
    UNITTEST_OUTPUT = r"^(?:Stdout|Stderr):$";
    TRACEBACK = r"^\s*Traceback \(most recent call last\):$";
    PY_FRAME = r#"^\s*File "([^"]*)", line \d+(?:, in .*)?$"#;
    CARETS = r"^\s*[~^]+[~^ ]*$";
    CHAIN = r"^(?:The above exception was the direct cause of the following exception|During handling of the above exception, another exception occurred):$";
    ERROR_NAME = r"\b[A-Z][\p{L}\p{N}_]*(?:Error|Exception)\b";
    ASSERT = r"^assert\b";
    UNITTEST_ASSERT = r"^(?:with |await |return )?(?:async )?\w+\.(?:assert[A-Z]\w*|assert_|fail[A-Z]\w*|fail)\(";
    ASSERT_CALL = r"\bassert_?\w*\(|\bpytest\.|\b(?:raises|warns|fail)\(";
}

/// Whether the text is a report of pytest with its `E` lines.
pub(super) fn is_pytest(text: &str) -> bool {
    text.lines()
        .any(|line| line.starts_with('E') && E_LINE.is_match(line) && line.len() > 4)
        || python_doctest::is_report(text)
}

/// Whether a line is one that only Python's reports have.
pub(super) fn marks(line: &str) -> bool {
    TRACEBACK.is_match(line)
        || line.trim_start().starts_with("+ Exception Group Traceback")
        || line == "Failed example:"
        || line.starts_with("UNEXPECTED EXCEPTION:")
}

/// Reads a failure text of Python, or says that it is none.
pub(super) fn read(text: &str) -> Option<Reading> {
    let lines = without_sections(text);
    if let Some(reading) = python_doctest::read(&lines) {
        return Some(reading);
    }
    if let Some(reading) = python_group::read(&lines) {
        return Some(reading);
    }
    read_reports(&lines)
}

/// The lines without captured output and without Hypothesis's hints at the end.
fn without_sections(text: &str) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut skipping = false;
    for line in text.lines() {
        let line = line.trim_end();
        if RULE.is_match(line) || SECTION.is_match(line) {
            skipping = SECTION.is_match(line);
        }
        if !skipping {
            kept.push(line);
        }
    }
    kept
}

/// unittest prints a block a failure; pytest prints one.
pub(super) fn read_reports(lines: &[&str]) -> Option<Reading> {
    let starts: Vec<usize> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| UNITTEST_HEADER.is_match(line))
        .map(|(at, _)| at)
        .collect();
    if starts.is_empty() {
        return read_chain(lines);
    }
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let mut readings = Vec::new();
    for (start, end) in starts.iter().copied().zip(ends) {
        let block = lines.get(start..end).unwrap_or_default();
        let Some(mut reading) = read_chain(block) else {
            continue;
        };
        // The parameters of a sub-test say which of them failed.
        let parameters = block
            .first()
            .and_then(|line| UNITTEST_HEADER.captures(line))
            .and_then(|found| found.get(1))
            .map_or("", |group| group.as_str().trim());
        if !parameters.is_empty() {
            reading.assertion.push(' ');
            reading.assertion.push_str(&message([parameters]));
        }
        readings.push(reading);
    }
    join(readings)
}

/// A chain of exceptions: the last one failed the test, those before led to it.
fn read_chain(lines: &[&str]) -> Option<Reading> {
    let mut readings: Vec<Reading> = lines
        .split(|line| CHAIN.is_match(line.trim_start()))
        .filter_map(read_one)
        .collect();
    let last = readings.pop()?;
    Some(caused_by(last, readings.into_iter().rev()))
}

/// One exception of a chain.
fn read_one(lines: &[&str]) -> Option<Reading> {
    if lines.iter().any(|line| E_LINE.is_match(line)) {
        read_pytest(lines)
    } else {
        read_traceback(lines)
    }
}

/// pytest marks the failing statement by `>` and what it says by `E`.
fn read_pytest(lines: &[&str]) -> Option<Reading> {
    let mut readings = Vec::new();
    let mut at = 0;
    while let Some(offset) = lines.iter().skip(at).position(|line| E_LINE.is_match(line)) {
        let start = at + offset;
        let length = lines
            .iter()
            .skip(start)
            .take_while(|line| E_LINE.is_match(line))
            .count();
        let end = start + length;
        let said: Vec<&str> = lines
            .get(start..end)
            .unwrap_or_default()
            .iter()
            .map(|line| line.get(1..).unwrap_or_default())
            .collect();
        let located = lines
            .iter()
            .skip(end)
            .take_while(|line| !E_LINE.is_match(line))
            .find_map(|line| LOCATION.captures(line));
        let group = |index| {
            let found = located.as_ref()?.get(index)?;
            Some(found.as_str())
        };
        let raised = Raised {
            source: &statement(lines.get(at..start).unwrap_or_default()),
            kind: group(2).unwrap_or_default(),
            file: group(1).unwrap_or_default(),
        };
        readings.push(compose(&dedent(said), &raised));
        at = end;
    }
    join(readings)
}

/// The failing statement above an `E` block: from the last `>` line, or under a short frame line.
fn statement(above: &[&str]) -> String {
    let start = above.iter().rposition(|line| ARROW.is_match(line));
    let (from, is_arrow) = match start {
        Some(at) => (at, true),
        None => match above.iter().rposition(|line| SHORT_FRAME.is_match(line)) {
            Some(at) => (at + 1, false),
            None => return String::new(),
        },
    };
    let lines = above.get(from..).unwrap_or_default().iter().enumerate();
    let words: Vec<&str> = lines
        .filter(|(_, line)| !CARETS.is_match(line))
        .map(|(at, line)| match (at, is_arrow) {
            (0, true) => line.trim_start_matches('>'),
            _ => line,
        })
        .flat_map(str::split_whitespace)
        .collect();
    words.join(" ")
}

/// A plain traceback: frames, then the exception at their parent's indentation.
fn read_traceback(lines: &[&str]) -> Option<Reading> {
    let start = lines.iter().rposition(|line| TRACEBACK.is_match(line))?;
    let indent = indentation(lines.get(start)?);
    let mut source: Vec<&str> = Vec::new();
    let mut file = "";
    let mut exception: Vec<&str> = Vec::new();
    let is_unittest = lines
        .first()
        .is_some_and(|line| UNITTEST_HEADER.is_match(line));
    for (at, line) in lines.iter().enumerate().skip(start + 1) {
        if !exception.is_empty() {
            // unittest appends captured output; elsewhere such a line belongs to the message.
            let is_output = is_unittest && UNITTEST_OUTPUT.is_match(line);
            if is_output || ends_report(line, lines.get(at + 1..).unwrap_or_default()) {
                break;
            }
            exception.push(line);
        } else if line.trim().is_empty() || CARETS.is_match(line) {
            // Between frames.
        } else if let Some(found) = PY_FRAME.captures(line) {
            source.clear();
            file = found.get(1).map_or("", |group| group.as_str());
        } else if indentation(line) > indent {
            source.push(line);
        } else {
            exception.push(line);
        }
    }
    if exception.is_empty() {
        return Some(Reading::new(
            "",
            message(lines.iter().skip(start + 1).copied()),
        ));
    }
    let words: Vec<&str> = source
        .iter()
        .flat_map(|line| line.split_whitespace())
        .collect();
    let source = words.join(" ");
    let raised = Raised {
        source: &source,
        kind: "",
        file,
    };
    Some(compose(&dedent(exception), &raised))
}

/// Whether unittest's report ends here: at its summary, or at a rule with nothing else behind it.
fn ends_report(line: &str, after: &[&str]) -> bool {
    if !UNITTEST_RULE.is_match(line.trim_start()) {
        return line.starts_with("Ran ") && UNITTEST_END.is_match(line);
    }
    let next = after.iter().find(|line| !line.trim().is_empty());
    next.is_none_or(|line| UNITTEST_END.is_match(line))
}

/// Blanks in front of a line.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Where an exception comes from.
#[derive(Debug, Clone, Copy)]
struct Raised<'a> {
    /// The statement.
    source: &'a str,
    /// The type that pytest's last line names.
    kind: &'a str,
    /// The file; a line of it may have moved, its name tells like failures of two modules apart.
    file: &'a str,
}

/// An exception that is no assertion: its message and where it comes from.
fn exceptional(kind: &str, said: &str, raised: &Raised<'_>) -> Reading {
    let base = raised.file.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut assertion = said.to_owned();
    if said.is_empty() {
        // Nothing but a type: the statement says which failure it is.
        raised.source.clone_into(&mut assertion);
    }
    // A type of the program's own with a message says enough; `KeyError: 'id'` may come from anywhere.
    if !base.is_empty() && (said.is_empty() || !kind.contains('.')) {
        assertion = format!("{assertion} in {base}");
    }
    Reading::new(kind, assertion)
}

/// Type and assertion from what an exception says and from the statement that raised it.
fn compose(said: &[&str], raised: &Raised<'_>) -> Reading {
    let source = raised.source;
    let said = hypothesis::without_examples(said);
    let first = said.first().copied().unwrap_or_default();
    let (kind, text) = match exception(first) {
        Some((kind, text)) => (kind, text),
        None => (last_line_kind(&said).unwrap_or(raised.kind), first),
    };
    let is_introspected = kind.is_empty() || kind.ends_with("AssertionError");
    let mut body = vec![text];
    body.extend(said.iter().skip(1));
    if let Some(health) = hypothesis::health_check(kind, &body) {
        return Reading::new(kind, health);
    }
    let kind_name = if kind.is_empty() {
        "AssertionError"
    } else {
        kind
    };
    let is_failed = kind.ends_with("Failed") && !text.starts_with("Timeout");
    if is_introspected && ASSERT.is_match(source) {
        let expression = source.trim_start_matches("assert").trim_start();
        let explicit = body
            .iter()
            .take_while(|line| !line.trim_start().starts_with("assert "));
        let assertion = with_message(expression, &message(explicit.copied()));
        return Reading::new(kind_name, with_errors(assertion, &said));
    }
    if is_introspected && UNITTEST_ASSERT.is_match(source) {
        let explicit = if source.contains(".fail(") {
            message(body.iter().copied())
        } else {
            unittest_message(&body)
        };
        return Reading::new(kind_name, with_message(source, &explicit));
    }
    if (is_introspected || is_failed) && ASSERT_CALL.is_match(source) {
        return Reading::new(kind_name, with_message(source, &message(body)));
    }
    exceptional(kind_name, &hypothesis::without_call(&message(body)), raised)
}

/// An introspected assertion with the exception types among its values, which its source does not name.
fn with_errors(mut assertion: String, said: &[&str]) -> String {
    let introspected = said
        .iter()
        .filter(|line| line.starts_with("assert ") || line.starts_with("AssertionError: assert "));
    let mut types: Vec<&str> = introspected
        .flat_map(|line| ERROR_NAME.find_iter(line))
        .map(|found| found.as_str())
        .filter(|name| *name != "AssertionError" && !assertion.contains(name))
        .collect();
    types.sort_unstable();
    types.dedup();
    if !types.is_empty() {
        assertion = format!("{assertion} [{}]", types.join(", "));
    }
    assertion
}

/// The type that a syntax error names below the line it quotes.
fn last_line_kind<'a>(said: &[&'a str]) -> Option<&'a str> {
    let quotes = said.first()?.trim_start().starts_with("File \"");
    let (kind, _) = header(said.last()?.trim_start())?;
    quotes.then_some(kind)
}

/// `Type: message` of Python: any dotted name that ends in a capitalised word may be an exception.
fn exception(line: &str) -> Option<(&str, &str)> {
    if line.starts_with("assert ") {
        return None;
    }
    if let Some(found) = header(line) {
        return Some(found);
    }
    let (name, text) = line.split_once(": ").unwrap_or((line, ""));
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
        && name.rsplit('.').next()?.chars().next()?.is_uppercase();
    is_name.then_some((name, text))
}

/// The message argument of a unittest assertion, which stands behind ` : `.
fn unittest_message(body: &[&str]) -> String {
    let text = body.join("\n");
    match text.rsplit_once(" : ") {
        Some((_, explicit)) => message(explicit.lines()),
        None => String::new(),
    }
}

/// An assertion's source and its message argument.
fn with_message(source: &str, explicit: &str) -> String {
    if explicit.is_empty() {
        source.to_owned()
    } else {
        format!("{source} : {explicit}")
    }
}
