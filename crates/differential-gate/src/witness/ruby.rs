//! Ruby: `RSpec`, minitest, test-unit, plain exceptions.
use super::diff::{Diff, Side};
use super::noise::{normalise, normalise_expected};
use super::pattern::patterns;
use super::reading::{Reading, header, is_error};

patterns! {
    MARK = r"^\s*Failure/Error: |^\s*# \S+\.rb:\d+|^\s+got: |^\s*Failure:$|^\s*\S+#\S+ \[\S+\.rb:\d+\]:$|\.rb:\d+:in [`']|^<.*> expected but was|^RSpec::|^Minitest::";
    FRAME = r"^\s*(?:# \S+:\d+(?::in .*)?|(?:from )?\S+\.rb:\d+(?::in .*)?|Failure:|\(compared using .*\))$";
    TITLE = r"^\s*\d+\) ";
    NAMED = r"^(\s*\S+#\S+) \[\S+\.rb:\d+\]:$";
    GOT_LINE = r"^\s*(?:got|Actual): ";
    INLINE_GOT = r"(, (?:but )?got )([^#\s].*)$";
    SUBJECT = r"^(\s*[Ee]xpected )(-?\d[\d._]*|nil|true|false|:\w+|\[.*?\]|\{.*?\})( (?:not )?to .*)$";
    BUT_WAS = r"(expected but was)(?:$| ?<.*>\.?$)";
    VALUE = r"^\s*<.*>\.?$";
    RAISED = r"^\s*(?:\S+\.rb:\d+:in [`'].*?['`]: )(.*?) \(([A-Z][\w:]*)\)$";
}

/// Whether a line is one that only Ruby and its test libraries write.
pub(super) fn marks(line: &str) -> bool {
    MARK.is_match(line)
}

/// Reads the failing expression and the expected value; got values and frames go.
pub(super) fn read(text: &str) -> Option<Reading> {
    let mut kind = String::new();
    let mut kept: Vec<String> = Vec::new();
    let mut diff = Diff::default();
    let mut was = false;
    for line in text.lines().map(str::trim_end) {
        let errno: Option<String>;
        if let Some(found) = RAISED.captures(line) {
            let (_, [said, name]) = found.extract();
            name.clone_into(&mut kind);
            kept.push(normalise(said));
            continue;
        }
        let is_title = kept.is_empty() && kind.is_empty() && TITLE.is_match(line);
        if line.trim().is_empty() || is_title || FRAME.is_match(line) {
            continue;
        }
        if line.trim() == "Diff:" {
            diff.side("--- expected");
            continue;
        }
        match diff.side(line) {
            Side::Heading | Side::Dropped => continue,
            Side::Kept => {
                kept.push(normalise_expected(line.trim_start()));
                continue;
            }
            Side::Outside => {}
        }
        if std::mem::take(&mut was) && VALUE.is_match(line) {
            continue;
        }
        if GOT_LINE.is_match(line) && !is_error(line) {
            continue;
        }
        let mut line = line.trim_start();
        if kind.is_empty()
            && let Some((name, said)) = header(line)
            && !line.starts_with("Failure/Error")
        {
            name.clone_into(&mut kind);
            // The system's text follows the locale; the class is its number.
            errno = name
                .starts_with("Errno::")
                .then(|| normalise(line).replacen(name, "", 1));
            line = errno
                .as_deref()
                .map_or(said, |rest| rest.trim_start_matches([':', ' ']));
        }
        was = line.ends_with("expected but was");
        let said = said(line);
        if !said.is_empty() {
            kept.push(said);
        }
    }
    (!(kept.is_empty() && kind.is_empty())).then(|| Reading::new(kind, kept.join("\n")))
}

/// One line without the value that its words name as got.
fn said(line: &str) -> String {
    if let Some(found) = NAMED.captures(line) {
        return found.get(1).map_or("", |group| group.as_str()).to_owned();
    }
    if SUBJECT.is_match(line) {
        return normalise_expected(&SUBJECT.replace(line, "${1}<actual>${3}"));
    }
    if line.starts_with("expected") || line.starts_with("Expected") {
        if is_error(line) {
            return normalise_expected(line);
        }
        return normalise_expected(&INLINE_GOT.replace(line, "${1}<actual>"));
    }
    normalise(&BUT_WAS.replace(line, "${1}"))
}
