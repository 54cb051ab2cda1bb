//! C and C++: `GoogleTest`, Catch2, doctest, Boost.Test, `assert`.
use super::noise::{normalise, normalise_expected};
use super::pattern::patterns;
use super::reading::Reading;

patterns! {
    MARK = r"^\S+(?::\d+|\(\d+\)): (?:Failure|FAILED:|error: Failure|ERROR: |FATAL ERROR: |error: in )|^unknown file: Failure|^\s*Which is: |^with expansion:$|^C\+\+ exception with description|^\[  FAILED  \]|: Assertion [`'].*' failed\.?$";
    PLACE = r"^(\S+?)(?::\d+|\(\d+\)): ((?:Failure|FAILED:|error: |ERROR: |FATAL ERROR: ).*)$";
    NOISE = r"^\s*(?:\[[ =\-A-Z]{10}\].*|[-.=~]{20,}|\S+\.(?:c|cc|cpp|cxx|h|hpp):\d+)$";
    WHICH = r"^\s*Which is: ";
    ACTUAL = r"^\s*Actual: ";
    THROWS = r"Actual: it (?:throws|doesn't throw)";
    INLINE_ACTUAL = r"(, actual: ).*$";
    EXPANSION = r"^with expansion:$";
    VALUES = r"^\s*values: ";
    BOOST = r"(has failed) \[.*\]";
}

/// Whether a line is one that only C and C++ test libraries write.
pub(super) fn marks(line: &str) -> bool {
    MARK.is_match(line)
}

/// Reads the asserted expressions; their values go.
pub(super) fn read(text: &str) -> Option<Reading> {
    let mut kept: Vec<String> = Vec::new();
    let mut in_expansion = false;
    for line in text.lines().map(str::trim_end) {
        if line.trim().is_empty() || NOISE.is_match(line) {
            in_expansion = false;
            continue;
        }
        if EXPANSION.is_match(line) {
            in_expansion = true;
            continue;
        }
        if in_expansion && line.starts_with(' ') {
            continue;
        }
        in_expansion = false;
        let is_value = WHICH.is_match(line) || VALUES.is_match(line);
        let is_actual = ACTUAL.is_match(line) && !THROWS.is_match(line);
        if is_value || is_actual {
            continue;
        }
        kept.push(said(line));
    }
    (!kept.is_empty()).then(|| Reading::new("Failure", kept.join("\n")))
}

/// One line without its line number and without values.
fn said(line: &str) -> String {
    if let Some(found) = PLACE.captures(line) {
        let (_, [file, words]) = found.extract();
        let base = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let words = BOOST.replace(words, "${1}");
        return format!("{base}: {}", normalise(&words));
    }
    if line.contains(", actual: ") {
        return normalise_expected(&INLINE_ACTUAL.replace(line, "${1}<actual>"));
    }
    if line.trim_start().starts_with("Expected") {
        return normalise_expected(line.trim_start());
    }
    normalise(line.trim_start())
}
