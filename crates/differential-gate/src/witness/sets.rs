//! Puts the members of set reprs in order: their order follows the hash seed.

use super::pattern::patterns;

patterns! {
    LISTED = r"(?:Items in the \w+ set but not the \w+|Extra items in the \w+ set):$";
}

/// How deep sets may nest before the text is left as it is.
const DEPTH: usize = 16;

/// Sorts every `{'b', 'a'}` of literals. Dictionaries, blocks of code and JSON objects keep their order.
pub(super) fn sort_sets(text: &mut String) {
    if !text.contains('{') {
        return;
    }
    let mut sorted = String::with_capacity(text.len());
    let mut rest = text.as_str();
    // Work is bounded: after this many failed attempts the remainder is copied.
    let mut attempts = 0;
    while let Some(at) = rest.find('{') {
        let (head, tail) = rest.split_at(at);
        sorted.push_str(head);
        attempts += 1;
        if attempts > 256 {
            rest = tail;
            break;
        }
        if let Some((written, after)) = set(tail, 0) {
            sorted.push_str(&written);
            rest = after;
        } else {
            sorted.push('{');
            rest = tail.get(1..).unwrap_or_default();
        }
    }
    sorted.push_str(rest);
    *text = sorted;
}

/// A set at the start of `text`, in order, and what follows it.
fn set(text: &str, depth: usize) -> Option<(String, &str)> {
    let (mut members, rest) = members(text.strip_prefix('{')?, '}', depth)?;
    if members.len() < 2 {
        return None;
    }
    members.sort();
    Some((format!("{{{}}}", members.join(", ")), rest))
}

/// Literals up to `end`, separated by commas; `None` for anything that is not a plain list of them.
fn members(text: &str, end: char, depth: usize) -> Option<(Vec<String>, &str)> {
    let mut members = Vec::new();
    let mut rest = text;
    loop {
        let (member, after) = literal(rest, depth + 1)?;
        members.push(member);
        if let Some(after) = after.strip_prefix(end) {
            return Some((members, after));
        }
        rest = after
            .strip_prefix(", ")
            .or_else(|| after.strip_prefix(','))?;
        if let Some(after) = rest.strip_prefix(end) {
            return Some((members, after));
        }
    }
}

/// One literal: a quoted text, a number, a name such as `None`, a tuple, a frozen set, an object repr.
fn literal(text: &str, depth: usize) -> Option<(String, &str)> {
    if depth > DEPTH {
        return None;
    }
    let first = text.chars().next()?;
    match first {
        '\'' | '"' => quoted(text, first),
        '(' => {
            let (parts, rest) = members(text.get(1..)?, ')', depth)?;
            let comma = if parts.len() == 1 { "," } else { "" };
            Some((format!("({}{comma})", parts.join(", ")), rest))
        }
        '<' => {
            let end = text.find(['>', '\n'])?;
            let (whole, rest) = text.split_at_checked(end + 1)?;
            whole.ends_with('>').then(|| (whole.to_owned(), rest))
        }
        '{' => set(text, depth),
        _ => {
            if let Some(tail) = text.strip_prefix("frozenset(") {
                let (written, rest) = set(tail, depth).or_else(|| {
                    let (members, rest) = members(tail.strip_prefix('{')?, '}', depth)?;
                    Some((format!("{{{}}}", members.join(", ")), rest))
                })?;
                return Some((format!("frozenset({written})"), rest.strip_prefix(')')?));
            }
            if first == 'b'
                && text
                    .get(1..2)
                    .is_some_and(|next| next == "'" || next == "\"")
            {
                let tail = text.get(1..)?;
                let (written, rest) = quoted(tail, tail.chars().next()?)?;
                return Some((format!("b{written}"), rest));
            }
            word(text)
        }
    }
}

/// A quoted text with backslash escapes, as written.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == quote {
            let (whole, rest) = text.split_at_checked(at + quote.len_utf8())?;
            return Some((whole.to_owned(), rest));
        } else if character == '\n' {
            return None;
        }
    }
    None
}

/// A number, `None`, `True`, `False`, or an enumeration member such as `Color.RED`.
fn word(text: &str) -> Option<(String, &str)> {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+')))
        .unwrap_or(text.len());
    let (whole, rest) = text.split_at_checked(end)?;
    let first = whole.chars().next()?;
    let number = first.is_ascii_digit() || matches!(first, '-' | '.');
    let name = matches!(whole, "None" | "True" | "False" | "nan" | "inf")
        || (first.is_ascii_uppercase() && whole.contains('.'));
    (number || name).then(|| (whole.to_owned(), rest))
}

/// Sorts the members that unittest and pytest list one a line below a heading.
pub(super) fn sort_listed(lines: &mut [String]) {
    let mut at = 0;
    while at < lines.len() {
        let is_heading = lines.get(at).is_some_and(|line| LISTED.is_match(line));
        at += 1;
        if !is_heading {
            continue;
        }
        let rest = lines.get(at..).unwrap_or_default();
        let length = rest
            .iter()
            .take_while(|line| !line.trim().is_empty() && !LISTED.is_match(line))
            .count();
        if let Some(members) = lines.get_mut(at..at + length) {
            members.sort();
        }
        at += length;
    }
}
