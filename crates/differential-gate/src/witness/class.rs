//! How a class is written: parts, escapes, the limit on a part.
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::frames::Frame;

/// Characters of a part that are kept before a digest stands for the rest.
const PART_LIMIT: usize = 600;
/// Characters that stay of a part that is longer than the limit.
const PART_KEPT: usize = 400;

/// `PROP|`, with `PROP` escaped: what every class of the property begins with.
pub fn witness_prefix(prop: &str) -> String {
    let mut prefix = escape(prop);
    prefix.push('|');
    prefix
}

/// Whether `text` is a class of `prop` already: its prefix, then one line of two or more parts.
pub(super) fn is_class(prop: &str, text: &str) -> bool {
    let Some(rest) = text.strip_prefix(&witness_prefix(prop)) else {
        return false;
    };
    let parts = split(rest);
    let lengths = parts
        .iter()
        .all(|part| part.chars().count() <= PART_LIMIT * 2 + 80);
    let frames = parts.iter().skip(2).all(|part| part.starts_with('@'));
    parts.len() >= 2 && lengths && frames && !rest.chars().any(char::is_control)
}

/// Writes the class of one failure.
pub(super) fn write(prop: &str, kind: &str, assertion: &str, frames: &[Frame]) -> String {
    let mut class = witness_prefix(prop);
    class.push_str(&part(kind));
    class.push('|');
    class.push_str(&part(assertion));
    for Frame { file, line } in frames {
        class.push_str("|@");
        class.push_str(&part(file));
        class.push(':');
        class.push_str(line);
    }
    class
}

/// One part: on one line, no longer than the limit, escaped.
fn part(text: &str) -> String {
    let line = one_line(text);
    if line.chars().count() <= PART_LIMIT {
        return escape(&line);
    }
    let mut short: String = line.chars().take(PART_KEPT).collect();
    short.push_str("...#");
    // 128 bits: two long texts that differ anywhere stay two.
    for byte in Sha256::digest(line.as_bytes()).iter().take(16) {
        write!(short, "{byte:02x}").ok();
    }
    escape(&short)
}

/// Joins lines and spells out control characters, so that a class is one printable line.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.trim().chars() {
        match character {
            '\n' => line.push('\u{23ce}'),
            '\t' => line.push(' '),
            other if other.is_control() => line.extend(other.escape_unicode()),
            other => line.push(other),
        }
    }
    line
}

/// `|` becomes `\|`; backslashes are doubled only where they would else read as part of that escape.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut backslashes = 0_usize;
    for character in text.chars() {
        if character == '|' {
            escaped.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if character == '\\' {
            backslashes + 1
        } else {
            0
        };
        escaped.push(character);
    }
    escaped.extend(std::iter::repeat_n('\\', backslashes));
    escaped
}

/// Parts between unescaped bars, as written.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut odd) = (0, false);
    for (at, character) in text.char_indices() {
        if character == '|' && !odd {
            parts.push(text.get(start..at).unwrap_or_default());
            start = at + 1;
        }
        odd = character == '\\' && !odd;
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}
