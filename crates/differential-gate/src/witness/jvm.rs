//! JVM: JUnit 4 and 5, Hamcrest, `AssertJ`, Kotlin, `TestNG`, Spock, Mockito, plain exceptions with causes.
use super::noise::{normalise, normalise_expected};
use super::pattern::patterns;
use super::reading::{Reading, caused_by, header};

patterns! {
    MARK = r"^\s+at (?:[\w.$-]*(?:@[\w.]+)?/)*[\w.$<>-]+\((?:[\w$-]+\.(?:java|kt|groovy|scala)(?::\d+)?|Native Method|Unknown Source)\)|^(?:Caused by: )?(?:(?:java|javax|jakarta|kotlin|scala|org|com|io|net)\.[\w.$]+)(?:Error|Exception|Failure|Failed|Throwable)\b|^Condition not satisfied:|^Exception in thread ";
    FRAME = r"^\s*(?:at (?:[\w.$-]*(?:@[\w.]+)?/)*[\w.$<>-]+\(.*\).*|\.\.\. \d+ (?:more|common frames omitted).*|-> at .*)$";
    CAUSED = r"^\s*(?:Caused by|Suppressed|Wrapped by): ";
    THREAD = r#"^Exception in thread "[^"]*" "#;
    WAS_BOX = r"(?sm)(but was:? ?)(?:[\w.$]+(?:@(?:[0-9a-f]+|<addr>))?)?<.*?>([ \t]*$)";
    FOUND_BOX = r"(?sm)(but (?:found|was):? )\[.*?\]([ \t]*$)";
    KOTLIN = r"(?sm)(, actual )<.*?>(\.?[ \t]*$)";
    KOTEST = r"(?m)(but was:?)<.*?>([ \t]*$)";
    BUT_LINE = r"^\s*(?:but: was|but was ?:)(?: .*)?$";
    ASSERTJ_VALUE = r"^\s*Expecting(?: actual(?:'s \w+)?| [A-Z]\w*|):$|^Expecting actual throwable message:$";
    THROWN = r"exception type thrown";
    SPOCK = r"^Condition (?:not satisfied|failed)";
    SPOCK_VALUES = r"^[|\s]*\||^\s+\S";
}

/// Whether a line is one that only the JVM and its test libraries write.
pub(super) fn marks(line: &str) -> bool {
    MARK.is_match(line)
}

/// Reads an exception and those that caused it; frames go.
pub(super) fn read(text: &str) -> Option<Reading> {
    let mut blocks: Vec<(&str, Vec<&str>, &str)> = vec![("", Vec::new(), "")];
    let mut framed = false;
    for line in text.lines() {
        let line = line.trim_end();
        if FRAME.is_match(line) {
            if let Some(block) = blocks.last_mut()
                && block.2.is_empty()
            {
                block.2 = line.trim();
            }
            framed = true;
        } else if let Some(found) = CAUSED.find(line) {
            let words = line.get(..found.end()).unwrap_or_default();
            blocks.push((
                words.trim(),
                vec![line.get(found.end()..).unwrap_or_default()],
                "",
            ));
        } else if let Some(block) = blocks.last_mut()
            && !(framed && line.is_empty())
        {
            block.1.push(line);
        }
    }
    let mut readings = blocks.into_iter().map(|(words, lines, top)| {
        let mut reading = exception(&lines);
        if words.starts_with("Suppressed") {
            reading.kind.insert_str(0, "suppressed ");
        }
        if reading.assertion.is_empty() {
            reading.assertion = method(top);
        }
        reading
    });
    let first = readings.next()?;
    let causes: Vec<Reading> = readings.collect();
    Some(caused_by(first, causes))
}

/// The method of a frame: what is left to tell a failure by when it has no message.
fn method(frame: &str) -> String {
    let name = frame
        .trim_start_matches("at ")
        .split('(')
        .next()
        .unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    if name.is_empty() {
        String::new()
    } else {
        format!("in {name}")
    }
}

/// One exception: its type, and its message without actual values.
fn exception(lines: &[&str]) -> Reading {
    let mut lines: Vec<&str> = super::clean::dedent(lines.iter().copied());
    let mut kind = "";
    if let Some(first) = lines.first_mut() {
        let end = THREAD.find(first).map_or(0, |found| found.end());
        let bare = first.get(end..).unwrap_or_default();
        if let Some((name, said)) = header(bare) {
            kind = name;
            *first = said;
        }
    }
    let is_spock = lines.iter().any(|line| SPOCK.is_match(line));
    let mut kept: Vec<String> = Vec::new();
    let mut is_actual = false;
    let mut spock_source = 0;
    for line in lines {
        if line.trim().is_empty() {
            is_actual = false;
            continue;
        }
        if is_spock && !SPOCK.is_match(line) {
            spock_source += 1;
            if spock_source > 1 && SPOCK_VALUES.is_match(line) {
                continue;
            }
        }
        // AssertJ: the value is indented below its heading.
        if is_actual && line.starts_with([' ', '\t']) {
            continue;
        }
        is_actual = ASSERTJ_VALUE.is_match(line);
        if BUT_LINE.is_match(line) {
            is_actual = true;
            continue;
        }
        kept.push(line.trim_end().to_owned());
    }
    let mut said = kept.join("\n");
    // Which exception came is the way of failing, not a value.
    if !THROWN.is_match(&said) {
        for (pattern, with) in [
            (&WAS_BOX, "${1}<actual>${2}"),
            (&FOUND_BOX, "${1}<actual>${2}"),
            (&KOTLIN, "${1}<actual>${2}"),
            (&KOTEST, "${1}<actual>${2}"),
        ] {
            if pattern.is_match(&said) {
                said = pattern.replace_all(&said, with).into_owned();
            }
        }
    }
    let lines: Vec<String> = said.lines().map(line).collect();
    Reading::new(kind, lines.join("\n"))
}

/// One line: what stands behind `expected` is kept as a constant.
fn line(line: &str) -> String {
    let lower = line.to_ascii_lowercase();
    match lower.find("expected") {
        Some(at) => {
            let (head, tail) = line.split_at_checked(at).unwrap_or((line, ""));
            format!("{}{}", normalise(head), normalise_expected(tail))
        }
        None => normalise(line),
    }
}
