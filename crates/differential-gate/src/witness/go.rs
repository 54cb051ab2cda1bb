//! Go: `testing`, testify, panics, fatal errors, data races.
use super::go_race;
use super::pattern::patterns;
use super::reading::{Reading, expected, is_error, join, message};

patterns! {
    MARK = r"^\s*(?:--- FAIL: |=== (?:RUN|PAUSE|CONT|NAME|FAIL)\b|panic: |fatal error: |WARNING: DATA RACE|goroutine \d+ \[)|^\s+[\w.-]+_test\.go:\d+: ?";
    LOCATED = r"^\s*([\w./-]+\.go):\d+: ?(.*)$";
    FAILED = r"^\s*--- FAIL: (\S+)";
    NOISE = r"^\s*(?:--- (?:FAIL|PASS|SKIP): |=== (?:RUN|PAUSE|CONT|NAME|FAIL)\b|FAIL\b|PASS$|ok\s|exit status \d+|coverage: |={10,}$)";
    PANIC = r"^\s*(panic|fatal error): (.*?)(?: \[recovered(?:, repanicked)?\])?$";
    SIGNAL = r"^\[signal (\w+)";
    PANIC_END = r"^(?:$|goroutine \d+|\[signal |\s+panic: )";
    RUNNING = r"^\s*(\S+) \([\d.hms\x{b5}]+\)$";
    POINTERS = r"\(0x[0-9a-f]+,\s?0x[0-9a-f]+\)|\b0x[0-9a-f]{6,}\b";
    GOT_WANT = r"^(.*?\b(?:(?:[Gg]ot|GOT)\b(?:[:=]| =)?|(?:[Aa]ctual|[Hh]ave)(?:[:=]| =)) ?)(.*?)([,;] ?(?:but )?(?:[Ww]ant|WANT|[Ww]anted|[Ee]xpected)\b.*)$";
    VALUE_WANT = r"^(.*)( = | == | returned )(.*?)([,;] ?(?:want|WANT|wanted|expected)\b.*)$";
    WANT_GOT = r#"^(.*\b(?:[Ww]ant|WANT|[Ww]anted|[Ee]xpected)\b.*[,;]? (?:but )?(?:got|GOT|actual|was|have|received|found)(?:[:=]| =| was)? )("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w.*&]*[\[{(][^\]})]*[\]})]|<nil>|[^\s,;()]+)(.*)$"#;
    WANT_NOTHING = r"\b(?:[Ww]ant|WANT|[Ww]anted|[Ee]xpected)(?:[:=]| =)? ?(?:nil|<nil>|no error|success|none)\b";
    GOT_LINE = r"^\s*(?:got|Got|GOT|actual|Actual|have)\s*[:=]";
    WANT_FIRST = r"\(-(?:want|expected) \+(?:got|actual)\)";
    GOT_FIRST = r"\(-(?:got|actual) \+(?:want|expected)\)";
    TESTIFY = r"^\s*(Error Trace|Error|Test|Messages):\s?\t?\s*(.*)$";
    ACTUAL = r"^\s*actual\s*:";
    DIFF = r"^\s*Diff:$";
}

/// Whether a line is one that only Go's tools write.
pub(super) fn marks(line: &str) -> bool {
    MARK.is_match(line)
}

/// Reads races, panics, and the lines that `t.Error` wrote.
pub(super) fn read(text: &str) -> Option<Reading> {
    let lines: Vec<&str> = text.lines().collect();
    let mut readings = go_race::read(&lines);
    let is_race = !readings.is_empty();
    let mut at = 0;
    let mut subtests: Vec<&str> = Vec::new();
    while let Some(line) = lines.get(at) {
        at += 1;
        if let Some(found) = PANIC.captures(line) {
            readings.push(panic(&found, lines.get(at..).unwrap_or_default()));
            // What follows are stacks.
            break;
        }
        if let Some(found) = FAILED.captures(line) {
            let name = found.get(1).map_or("", |group| group.as_str());
            subtests.extend(name.split_once('/').map(|(_, rest)| rest));
        } else if let Some(found) = LOCATED.captures(line) {
            let (_, [file, first]) = found.extract();
            let indent = line.len() - line.trim_start().len();
            let more: Vec<&str> = lines
                .iter()
                .skip(at)
                .copied()
                .take_while(|line| continues(line, indent))
                .collect();
            at += more.len();
            if !(is_race && first.contains("race detected during execution")) {
                readings.push(Reading::new("", located(file, first, &more)));
            }
        }
    }
    let mut reading = join(readings).or_else(|| {
        let rest = message(lines.iter().copied().filter(|line| !NOISE.is_match(line)));
        let failed = lines.iter().any(|line| FAILED.is_match(line));
        (failed || !rest.is_empty()).then(|| Reading::new("", rest))
    })?;
    if reading.kind.is_empty() {
        "FAIL".clone_into(&mut reading.kind);
    }
    if !subtests.is_empty() {
        subtests.sort_unstable();
        subtests.dedup();
        reading.assertion = format!("{} [{}]", reading.assertion, subtests.join(", "));
    }
    Some(reading)
}

/// Whether a line belongs to the message above it, whose first line has `indent` blanks.
fn continues(line: &str, indent: usize) -> bool {
    let own = line.len() - line.trim_start().len();
    own > indent && !LOCATED.is_match(line) && !NOISE.is_match(line)
}

/// A panic: what it says, and the signal if the processor raised one.
fn panic(found: &regex::Captures<'_>, after: &[&str]) -> Reading {
    let group = |index| found.get(index).map_or("", |group| group.as_str());
    let mut said = vec![group(2).to_owned()];
    for line in after.iter().take_while(|line| !PANIC_END.is_match(line)) {
        said.push(RUNNING.replace(line, "${1}").into_owned());
    }
    for line in &mut said {
        *line = POINTERS.replace_all(line, "<addr>").into_owned();
    }
    let mut assertion = message(said.iter().map(String::as_str));
    let signal = after
        .iter()
        .take(6)
        .find_map(|line| SIGNAL.captures(line))
        .and_then(|found| found.get(1));
    if let Some(signal) = signal {
        assertion = format!("{assertion} [{}]", signal.as_str());
    }
    Reading::new(group(1), assertion)
}

/// One failure that `testing` located: without its line, without what was got.
fn located(file: &str, first: &str, more: &[&str]) -> String {
    let base = file.rsplit('/').next().unwrap_or(file);
    let said = if more.iter().any(|line| TESTIFY.is_match(line)) {
        testify(more)
    } else {
        let mut lines = vec![first];
        lines.extend_from_slice(more);
        wanted(&lines)
    };
    format!("{base}: {said}")
}

/// testify's block: the error and the message, without the trace and the actual value.
fn testify(lines: &[&str]) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut section = "";
    let mut in_diff = false;
    for line in lines {
        let mut value = line.trim();
        if let Some(found) = TESTIFY.captures(line) {
            section = found.get(1).map_or("", |group| group.as_str());
            value = found.get(2).map_or("", |group| group.as_str()).trim();
            in_diff = false;
        }
        in_diff = in_diff || DIFF.is_match(line);
        let keep = matches!(section, "Error" | "Messages") && !in_diff && !value.is_empty();
        if keep && (!ACTUAL.is_match(value) || is_error(value)) {
            kept.push(if value.starts_with("expected") {
                expected([value])
            } else {
                message([value])
            });
        }
    }
    kept.join("\n")
}

/// A message of `t.Errorf` without the value that it says it got.
fn wanted(lines: &[&str]) -> String {
    let all = lines.join("\n");
    let dropped = if WANT_FIRST.is_match(&all) {
        Some('+')
    } else if GOT_FIRST.is_match(&all) {
        Some('-')
    } else {
        None
    };
    let has_want_line = lines.iter().any(|line| {
        let line = line.trim_start().to_ascii_lowercase();
        line.starts_with("want") || line.starts_with("expected")
    });
    let mut kept: Vec<String> = Vec::new();
    for line in lines {
        if dropped.is_some_and(|sign| line.trim_start().starts_with(sign)) {
            continue;
        }
        if has_want_line && GOT_LINE.is_match(line) && !wants_no_error(&all) && !is_error(line) {
            continue;
        }
        kept.push(without_got(line));
    }
    message(kept.iter().map(String::as_str))
}

/// Whether the wanted value is that there is no error: then the got one says which error came.
fn wants_no_error(line: &str) -> bool {
    WANT_NOTHING.is_match(line)
}

/// One line with the got value replaced where the words around it name it.
fn without_got(line: &str) -> String {
    if wants_no_error(line) || is_error(line) {
        return line.to_owned();
    }
    for (pattern, with) in [
        (&GOT_WANT, "${1}<actual>${3}"),
        (&VALUE_WANT, "${1}${2}<actual>${4}"),
        (&WANT_GOT, "${1}<actual>${3}"),
    ] {
        if pattern.is_match(line) {
            return pattern.replace(line, with).into_owned();
        }
    }
    line.to_owned()
}
