//! .NET: `xUnit`, `NUnit`, `MSTest`, `FluentAssertions`, Shouldly, plain exceptions.
use super::noise::{normalise, normalise_expected};
use super::pattern::patterns;
use super::reading::{Reading, header, is_error};

patterns! {
    MARK = r"^\s+at \S.* in \S.*:line \d+$|^\s+at [\w.`<>+]+\(.*\)$|^\s*(?:Stack Trace|Error Message):$|^Assert\.\w+(?:\(\))? [Ff]ail|^\s*Expected: .*\n\s*But was: |^System\.[\w.]+Exception\b|^Xunit\.|^NUnit\.|^\s*But was: ";
    FRAME = r"^\s*(?:at (?:[\w`<>+\[\],|&-]+\.)+[\w.`<>+\[\],|&-]+\(.*\)(?: in .*:line \d+)?|--- End of .*---|Stack Trace:|Error Message:|Failed \S+ \[.*\]|Standard Output Messages:)$";
    ACTUAL = r"^\s*(?:Actual|But was) ?: ";
    MARKER = r"^\s*(?:[-\x{2500}]*\^|[\x{2191}\x{2193}].*)$|^\s*[\x{2191}\x{2193}] ";
    MSTEST = r"(Actual:)<.*?>(\. |\.$|$)";
    BUT_FOUND = r"(,? but (?:found|was|it was) )(.*)$";
    BUT_WAS_ALONE = r"^\s*but was$";
    LENGTH = r"(Expected string length \d+ but was )\d+";
}

/// Whether a line is one that only .NET and its test libraries write.
pub(super) fn marks(line: &str) -> bool {
    MARK.is_match(line)
}

/// Reads messages and expected values; actual values and frames go.
pub(super) fn read(text: &str) -> Option<Reading> {
    let mut kind = "";
    let mut kept: Vec<String> = Vec::new();
    let mut is_actual = false;
    let mut skip_next = false;
    for line in text.lines().map(str::trim_end) {
        if FRAME.is_match(line) || MARKER.is_match(line) || line.trim().is_empty() {
            is_actual = false;
            continue;
        }
        if std::mem::take(&mut skip_next) {
            continue;
        }
        if ACTUAL.is_match(line) && !is_error(line) {
            is_actual = true;
            continue;
        }
        // A value of several lines goes on without a name.
        if is_actual && !line.contains(": ") && line.starts_with("          ") {
            continue;
        }
        is_actual = false;
        let mut line = line;
        if kept.is_empty()
            && kind.is_empty()
            && let Some((name, said)) = header(line.trim_start())
        {
            kind = name;
            line = said;
        }
        if BUT_WAS_ALONE.is_match(line) {
            skip_next = true;
        }
        let said = said(
            line,
            kind.is_empty() || kind.contains("Assert") || kind.contains("Xunit"),
        );
        if !said.trim().is_empty() {
            kept.push(said);
        }
    }
    (!(kept.is_empty() && kind.is_empty())).then(|| Reading::new(kind, kept.join("\n")))
}

/// One line without the actual value that its words name.
fn said(line: &str, is_assertion: bool) -> String {
    if MSTEST.is_match(line) && !is_error(line) {
        return normalise_expected(&MSTEST.replace(line, "${1}<actual>${2}"));
    }
    if LENGTH.is_match(line) {
        return LENGTH.replace(line, "${1}<actual>").into_owned();
    }
    let line = line.trim_start();
    if line.starts_with("Expected") {
        if is_error(line) || !is_assertion {
            return normalise_expected(line);
        }
        return normalise_expected(&BUT_FOUND.replace(line, "${1}<actual>"));
    }
    normalise(line)
}
