//! `PHPUnit` and plain PHP exceptions.
use super::diff::{Diff, Side};
use super::noise::{normalise, normalise_expected};
use super::pattern::patterns;
use super::reading::{Reading, header};

patterns! {
    MARK = r"^(?:.*\n)?Failed asserting that |^\S+\.php:\d+$|^PHPUnit\\|^#\d+ \S+\.php\(\d+\)|^PHP (?:Fatal|Parse) error: ";
    FRAME = r"^\s*(?:\S+\.php:\d+|#\d+ (?:\S+\.php\(\d+\)|\{main\}|\[internal function\]).*)$";
    TITLE = r"^\s*\d+\) ";
    ACTUAL = r#"^(.*Failed asserting that )(-?\d[\d.eE+-]*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|true|false|null|Array &\d+|actual size -?\d+)( .*)$"#;
    SIZE = r"(Failed asserting that actual size )-?\d+";
}

/// Whether a line is one that only `PHPUnit` and PHP write.
pub(super) fn marks(line: &str) -> bool {
    MARK.is_match(line)
}

/// Reads the constraint and its expected value; the value it was tried on goes.
pub(super) fn read(text: &str) -> Option<Reading> {
    let mut kind = "";
    let mut kept: Vec<String> = Vec::new();
    let mut diff = Diff::default();
    for line in text.lines().map(str::trim_end) {
        let is_title = kept.is_empty() && kind.is_empty() && TITLE.is_match(line);
        if line.trim().is_empty() || is_title || FRAME.is_match(line) {
            continue;
        }
        match diff.side(line) {
            Side::Heading | Side::Dropped => continue,
            Side::Kept => {
                kept.push(normalise_expected(line));
                continue;
            }
            Side::Outside => {}
        }
        let mut line = line;
        if kind.is_empty()
            && let Some((name, said)) = header(line)
        {
            kind = name;
            line = said;
        }
        let said = if line.contains("Failed asserting that ") {
            let line = SIZE.replace(line, "${1}<actual>");
            normalise_expected(&ACTUAL.replace(&line, "${1}<actual>${3}"))
        } else {
            normalise(line)
        };
        if !said.is_empty() {
            kept.push(said);
        }
    }
    (!(kept.is_empty() && kind.is_empty())).then(|| Reading::new(kind, kept.join("\n")))
}
