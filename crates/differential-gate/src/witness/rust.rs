//! Rust: panics, assertion macros, proptest and quickcheck, libtest and nextest output.
use super::pattern::patterns;
use super::reading::{Reading, expected, is_error, join, message};

patterns! {
    PANIC = r"^\s*thread '.*'(?: \(\d+\))? panicked at (.*?):\d+:\d+:$";
    OLD_PANIC = r"^\s*thread '.*' panicked at '(.*?)(?:', \S+:\d+:\d+)?$";
    OLD_END = r"^(.*)', \S+\.rs:\d+:\d+$";
    OLD_PLACE = r"', (\S+):\d+:\d+$";
    RUNTIME_WORDS = r"^(?:called `|index out of bounds|range (?:start|end) index|slice index|(?:start |end )?byte index|attempt to |RefCell already|already (?:mutably )?borrowed|assertion failed: |assertion `left (?:==|!=|matches) right` failed(?:\n|$)|not yet implemented$|not implemented$|internal error: entered unreachable code$|explicit panic$|removal index|swap_remove index|insertion index|mid > len|Option::)";
    OTHER_MARK = r"^\s*(?:thread '.*' has overflowed its stack|fatal runtime error: |note: test did not panic as expected|note: panic did not contain expected string)";
    END = r"^\s*(?:note: (?:run with|Some details|test did not|panic did not|the full)|stack backtrace:$|failures:$|test result: (?:ok|FAILED)|error: test failed|thread '.*' panicked at |test \S+ \.\.\. (?:ok|FAILED|ignored)|---- .* ----$|fatal runtime error: )";
    ASSERTION = r"^assertion `left (?:==|!=|matches) right` failed(: )?|^assertion failed: `\(left (?:==|!=) right\)`";
    LEFT = r"^\s*left: ";
    RIGHT = r"^\s*right: ";
    OLD_MESSAGE = r"^\s*right: `.*`: (.*)$";
    PROPTEST_END = r"^\s*(?:minimal failing input|successes|local rejects|global rejects):";
    PROPTEST_PLACE = r" at \S+\.rs:\d+\.?$";
    QUICKCHECK = r"(\[quickcheck\] TEST FAILED[^.]*)\. Arguments: \(.*\)$";
    DIFF = r"^\s*Diff < left / right > ?:$";
}

/// Whether a line is one that only Rust's runtime or test harness writes.
pub(super) fn marks(line: &str) -> bool {
    (line.contains("panicked at ") && (PANIC.is_match(line) || OLD_PANIC.is_match(line)))
        || OTHER_MARK.is_match(line)
}

/// Reads every panic of a text.
pub(super) fn read(text: &str) -> Option<Reading> {
    let lines: Vec<&str> = text.lines().collect();
    let mut readings = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        if let Some(found) = PANIC.captures(line) {
            let said: Vec<&str> = lines
                .iter()
                .skip(at)
                .copied()
                .take_while(|line| !END.is_match(line))
                .collect();
            at += said.len();
            readings.push(panic(
                &said,
                found.get(1).map_or("", |group| group.as_str()),
            ));
        } else if let Some(found) = OLD_PANIC.captures(line) {
            let mut said = vec![found.get(1).map_or("", |group| group.as_str())];
            let mut end = *line;
            let mut closed = line.ends_with(|c: char| c.is_ascii_digit());
            while let (false, Some(line)) = (closed, lines.get(at)) {
                at += 1;
                match OLD_END.captures(line).and_then(|found| found.get(1)) {
                    Some(last) => {
                        end = *line;
                        said.push(last.as_str());
                        closed = true;
                    }
                    None => said.push(line),
                }
            }
            let file = OLD_PLACE.captures(end).and_then(|found| found.get(1));
            readings.push(panic(&said, file.map_or("", |group| group.as_str())));
        } else if OTHER_MARK.is_match(line) {
            let mut said = vec![*line];
            if line.contains("panic did not contain") {
                // What the panic said is the actual value; what it should say follows.
                said.extend(
                    lines
                        .iter()
                        .skip(at)
                        .take(2)
                        .filter(|line| line.contains("expected substring")),
                );
            }
            readings.push(Reading::new("panic", message(said)));
        }
    }
    join(readings)
}

/// A panic: what it says, and the file it comes from where the words are the runtime's, the same in all files.
fn panic(said: &[&str], file: &str) -> Reading {
    let base = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut assertion = assertion(said);
    // A message of the program's own says which assertion it is wherever it stands.
    if !base.is_empty() && RUNTIME_WORDS.is_match(&assertion) {
        assertion = format!("{assertion} in {base}");
    }
    Reading::new("panic", assertion)
}

/// The assertion of one panic message.
fn assertion(said: &[&str]) -> String {
    let end = said.iter().position(|line| PROPTEST_END.is_match(line));
    let said = said.get(..end.unwrap_or(said.len())).unwrap_or_default();
    let first = said.first().copied().unwrap_or_default();
    // proptest quotes the failure of the property behind its own words.
    let (prefix, first) = match first.strip_prefix("Test failed: ") {
        Some(rest) => ("Test failed: ", rest),
        None => ("", first),
    };
    if let Some(found) = ASSERTION.find(first) {
        return format!("{prefix}{}", comparison(first, found.end(), said));
    }
    let mut lines: Vec<String> = said.iter().map(|line| place(line)).collect();
    if let Some(line) = lines.first_mut() {
        *line = QUICKCHECK.replace(line, "${1}").into_owned();
    }
    message(lines.iter().map(String::as_str))
}

/// A line without the place that proptest appends.
fn place(line: &str) -> String {
    if line.contains(".rs:") {
        PROPTEST_PLACE.replace(line, "").into_owned()
    } else {
        line.to_owned()
    }
}

/// `assert_eq!`: its own message, else the expected side; never the actual one.
fn comparison(first: &str, end: usize, said: &[&str]) -> String {
    let left = said.iter().position(|line| LEFT.is_match(line));
    let head = said.get(..left.unwrap_or(said.len())).unwrap_or_default();
    let macro_words = first.get(..end).unwrap_or(first).trim_end_matches(": ");
    let mut explicit = vec![first.get(end..).unwrap_or_default()];
    explicit.extend(head.iter().skip(1));
    let quoted_diff = head.iter().position(|line| DIFF.is_match(line));
    if let Some(at) = quoted_diff {
        explicit.truncate(at);
    }
    let right = said.iter().position(|line| RIGHT.is_match(line));
    let old = right
        .and_then(|at| said.get(at))
        .and_then(|line| OLD_MESSAGE.captures(line))
        .and_then(|found| found.get(1));
    if let Some(old) = old {
        explicit.push(old.as_str());
    }
    let explicit = message(explicit);
    if !explicit.trim_matches([':', ' ', '\n']).is_empty() {
        return format!("{macro_words}: {explicit}");
    }
    if quoted_diff.is_some() {
        let wanted = said
            .iter()
            .filter(|line| line.trim_start().starts_with('>'));
        return format!("{macro_words}\n{}", expected(wanted.copied()));
    }
    match right {
        Some(at) => {
            // An error on the actual side is the way of failing, as an exception is.
            let error = left
                .and_then(|left| said.get(left))
                .filter(|line| is_error(line));
            let wanted: Vec<String> = said
                .iter()
                .skip(at)
                .chain(error)
                .map(|line| place(line))
                .collect();
            format!(
                "{macro_words}\n{}",
                expected(wanted.iter().map(String::as_str))
            )
        }
        None => message(said.iter().copied()),
    }
}
