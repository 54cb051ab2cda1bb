//! JVM: JUnit 4 and 5, Hamcrest, `AssertJ`, Kotlin, `TestNG`, Spock, Mockito, plain exceptions with causes.
use super::noise::{normalise, normalise_expected};
use super::pattern::patterns;
use super::reading::{Reading, caused_by, header, is_error};

patterns! {
    MARK = r"^\s+at (?:[\w.$-]*(?:@[\w.]+)?/)*[\w.$<>-]+\((?:[\w$-]+\.(?:java|kt|groovy|scala)(?::\d+)?|Native Method|Unknown Source)\)|^(?:Caused by: )?(?:(?:java|javax|jakarta|kotlin|scala|org|com|io|net)\.[\w.$]+)(?:Error|Exception|Failure|Failed|Throwable)\b|^Condition not satisfied:|^Exception in thread ";
    FRAME = r"^\s*(?:at (?:[\w.$-]*(?:@[\w.]+)?/)*(?:[\w$<>-]+\.)+[\w$<>-]+\((?:[\w$-]+\.\w+(?::-?\d+)?|Native Method|Unknown Source|<generated>|unknown:0|[\w$-]+)\)(?: ~?\[.*\])?|\.\.\. \d+ (?:more|common frames omitted).*|-> at .*)$";
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
}

/// Packages whose frames say nothing about the caller.
const LIBRARIES: [&str; 13] = [
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "kotlin.",
    "scala.",
    "groovy.",
    "org.junit.",
    "org.hamcrest.",
    "org.assertj.",
    "org.testng.",
    "org.opentest4j.",
    "junit.",
];

/// Whether a line is one that only the JVM and its test libraries write.
pub(super) fn marks(line: &str) -> bool {
    MARK.is_match(line)
}

/// Reads an exception and those that caused it; frames go.
pub(super) fn read(text: &str) -> Option<Reading> {
    let mut blocks: Vec<Block<'_>> = vec![Block::default()];
    let mut framed = false;
    for line in text.lines() {
        let line = line.trim_end();
        if FRAME.is_match(line) {
            if let Some(block) = blocks.last_mut() {
                block.frame(line.trim());
            }
            framed = true;
        } else if let Some(found) = CAUSED.find(line) {
            let words = line.get(..found.end()).unwrap_or_default();
            blocks.push(Block {
                words: words.trim(),
                lines: vec![line.get(found.end()..).unwrap_or_default()],
                ..Block::default()
            });
        } else if let Some(block) = blocks.last_mut()
            && !(framed && line.is_empty())
        {
            block.lines.push(line);
        }
    }
    let mut readings = blocks.into_iter().map(|block| {
        let mut reading = exception(&block.lines);
        if block.words.starts_with("Suppressed") {
            reading.kind.insert_str(0, "suppressed ");
        }
        if reading.assertion.is_empty() {
            reading.assertion = block.place();
        }
        reading
    });
    let first = readings.next()?;
    let causes: Vec<Reading> = readings.collect();
    Some(caused_by(first, causes))
}

/// An exception of a chain as it is printed.
#[derive(Debug, Default)]
struct Block<'a> {
    /// What leads from the exception before to this one.
    words: &'a str,
    /// Type and message.
    lines: Vec<&'a str>,
    /// The method that threw it.
    top: &'a str,
    /// The first method below it that belongs to no library of the platform or of the tests.
    own: &'a str,
}

impl<'a> Block<'a> {
    /// Takes a frame in.
    fn frame(&mut self, frame: &'a str) {
        let method = frame
            .trim_start_matches("at ")
            .split('(')
            .next()
            .unwrap_or_default();
        let method = method.rsplit('/').next().unwrap_or_default();
        if self.top.is_empty() {
            self.top = method;
        }
        if self.own.is_empty() && !LIBRARIES.iter().any(|library| method.starts_with(library)) {
            self.own = method;
        }
    }

    /// What is left to tell a failure by when it has no message.
    fn place(&self) -> String {
        match (self.top, self.own) {
            ("", _) => String::new(),
            (top, own) if own.is_empty() || own == top => format!("in {top}"),
            (top, own) => format!("in {top} from {own}"),
        }
    }
}

/// Where in Spock's picture of a condition the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spock {
    /// Outside.
    Before,
    /// The next line is the condition's source.
    Condition,
    /// The lines below it are the values, up to a blank line.
    Values,
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
    let mut kept: Vec<String> = Vec::new();
    let mut is_actual = false;
    let mut spock = Spock::Before;
    for line in lines {
        if line.trim().is_empty() {
            is_actual = false;
            if spock == Spock::Values {
                spock = Spock::Before;
            }
            continue;
        }
        match spock {
            Spock::Before if SPOCK.is_match(line) => spock = Spock::Condition,
            Spock::Before => {}
            Spock::Condition => spock = Spock::Values,
            Spock::Values => continue,
        }
        // AssertJ: the value is indented below its heading.
        if is_actual && line.starts_with([' ', '\t']) {
            continue;
        }
        is_actual = ASSERTJ_VALUE.is_match(line);
        if BUT_LINE.is_match(line) && !is_error(line) {
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
                said = pattern
                    .replace_all(&said, |found: &regex::Captures<'_>| {
                        let mut written = String::new();
                        let whole = found.get(0).map_or("", |group| group.as_str());
                        if is_error(whole) {
                            written.push_str(whole);
                        } else {
                            found.expand(with, &mut written);
                        }
                        written
                    })
                    .into_owned();
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
