//! Texts of no known family: the message with recognised noise removed, and nothing else.
use super::reading::{Reading, header, message};

/// Reads any text: `Type: message`, else the whole.
pub(super) fn read(text: &str) -> Reading {
    let lines: Vec<&str> = super::clean::dedent(text.lines());
    let first = lines.first().copied().unwrap_or_default();
    match header(first) {
        Some((kind, said)) => {
            let rest = lines.iter().skip(1).copied();
            Reading::new(kind, message([said].into_iter().chain(rest)))
        }
        None => Reading::new("", message(lines)),
    }
}
