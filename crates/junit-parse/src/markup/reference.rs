//! Character and entity references; entities are never expanded.
use crate::input::is_xml_char;

/// What begins at a `&`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reference {
    /// A character: one of the five of XML, or a number that XML allows.
    Character(char),
    /// A number that XML forbids.
    IllegalCharacter,
    /// Any other entity.
    Unknown,
    /// A `&` that begins no reference.
    Bare,
}

/// Longer names are no reference but text.
const LONGEST: usize = 64;

/// Reads the reference at the start of `rest` (which begins with `&`) and its length in bytes.
pub(super) fn read(rest: &[u8]) -> (Reference, usize) {
    // The common five, before anything is searched.
    let known = match rest {
        [_, b'l', b't', b';', ..] => Some(('<', 4)),
        [_, b'g', b't', b';', ..] => Some(('>', 4)),
        [_, b'a', b'm', b'p', b';', ..] => Some(('&', 5)),
        [_, b'q', b'u', b'o', b't', b';', ..] => Some(('"', 6)),
        [_, b'a', b'p', b'o', b's', b';', ..] => Some(('\'', 6)),
        _ => None,
    };
    if let Some((character, length)) = known {
        return (Reference::Character(character), length);
    }
    let window = rest.get(1..).unwrap_or_default();
    let window = window.get(..LONGEST).unwrap_or(window);
    let Some(end) = window.iter().position(|byte| !is_reference_byte(*byte)) else {
        return (Reference::Bare, 1);
    };
    if end == 0 || window.get(end) != Some(&b';') {
        return (Reference::Bare, 1);
    }
    let name = std::str::from_utf8(rest.get(1..=end).unwrap_or_default());
    let Ok(name) = name else {
        return (Reference::Bare, 1);
    };
    match classify(name) {
        Reference::Bare => (Reference::Bare, 1),
        found => (found, end + 2),
    }
}

const fn is_reference_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'_' | b'-' | b'.' | b':') || byte >= 0x80
}

/// A number, or an entity other than the five.
fn classify(name: &str) -> Reference {
    let Some(number) = name.strip_prefix('#') else {
        let starts_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == ':');
        return if starts_well {
            Reference::Unknown
        } else {
            Reference::Bare
        };
    };
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Reference::Bare;
    }
    let character = u32::from_str_radix(digits, radix)
        .ok()
        .and_then(char::from_u32);
    match character {
        Some(character) if is_xml_char(character) => Reference::Character(character),
        _ => Reference::IllegalCharacter,
    }
}
