//! Takes what a terminal adds off a text: colours, carriage returns, XML stand-ins for both.
use super::pattern::{patterns, replace};

patterns! {
    // CSI and OSC sequences, single-character escapes, and pytest's `#x1B` spelling of the escape character.
    ESCAPE = r"(?:\x1b|\x{241b}|#x1[Bb]|\x{fffd}(?:\[[0-9;]*m))(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])?";
    BARE_COLOUR = r"\x{9b}[0-?]*[ -/]*[@-~]";
}

/// The text as plain lines ended by LF.
pub(super) fn clean(text: &str) -> String {
    let mut text = text.trim_start_matches('\u{feff}').to_owned();
    replace(&mut text, &ESCAPE, "");
    replace(&mut text, &BARE_COLOUR, "");
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    if text.contains("#x0D") {
        text = text.replace("#x0D", "");
    }
    text
}

/// The lines without the indentation that all of them share, and without blank ends.
pub(super) fn dedent<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut lines: Vec<&str> = lines.into_iter().map(str::trim_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|line| line.is_empty()).count();
    lines.drain(..blank);
    let indent = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared = lines
        .iter()
        .filter(|line| !line.is_empty())
        .map(indent)
        .min()
        .unwrap_or(0);
    lines
        .iter()
        .map(|line| line.get(shared..).unwrap_or_default())
        .collect()
}
