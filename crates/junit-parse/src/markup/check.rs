//! What is wrong with a text that is handed out: references, raw markup, bytes.
use super::pieces::{Piece, Pieces};
use super::reference::{self, Reference};
use crate::WarningKind;
use crate::input::is_xml_char;
use crate::warning::shown_bytes;

/// Where a check tells what it found: kind, offset into the text that was checked, message.
pub(crate) type Tell<'t> = &'t mut dyn FnMut(WarningKind, usize, &dyn Fn() -> String);

/// Tells what is wrong with the references in an attribute's value.
pub(crate) fn check_attribute(raw: &[u8], tell: Tell<'_>) {
    check_references(raw, 0, tell);
}

/// Tells what is wrong with the references in a body, and of a `]]>` that is none.
pub(crate) fn check_body(raw: &[u8], tell: Tell<'_>) {
    if memchr::memchr2(b'&', b']', raw).is_none() {
        return;
    }
    for piece in Pieces::new(raw) {
        let Piece::Text(text, at) = piece else {
            continue;
        };
        check_references(text, at, tell);
        if let Some(index) = memchr::memmem::find(text, b"]]>") {
            tell(WarningKind::UnescapedMarkup, at + index, &|| {
                "`]]>` outside a CDATA section, read as text".to_owned()
            });
        }
    }
}

fn check_references(text: &[u8], at: usize, tell: Tell<'_>) {
    let mut from = 0;
    while let Some(rest) = text.get(from..) {
        let Some(start) = next_odd_reference(rest).map(|index| from + index) else {
            return;
        };
        let (found, length) = reference::read(text.get(start..).unwrap_or_default());
        from = start + length;
        let written = || shown_bytes(text.get(start..start + length).unwrap_or_default());
        match found {
            Reference::Character(_) => {}
            Reference::IllegalCharacter => tell(WarningKind::IllegalCharRef, at + start, &|| {
                let written = written();
                format!("{written} is a character that XML forbids, read as U+FFFD")
            }),
            Reference::Unknown => tell(WarningKind::UnknownEntity, at + start, &|| {
                format!("entity {} is not expanded, read as U+FFFD", written())
            }),
            Reference::Bare => tell(WarningKind::UnescapedMarkup, at + start, &|| {
                "a raw `&`, read as text".to_owned()
            }),
        }
    }
}

/// Whether a text holds a `&` that begins none of the five entities of XML.
#[inline]
pub(crate) fn has_odd_reference(text: &[u8]) -> bool {
    next_odd_reference(text).is_some()
}

/// The next `&` that begins none of the five entities of XML.
fn next_odd_reference(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'&', text).find(|at| {
        let rest = text.get(at + 1..at + 6).or_else(|| text.get(at + 1..));
        !matches!(
            rest.unwrap_or_default(),
            [b'l' | b'g', b't', b';', ..]
                | [b'a', b'm', b'p', b';', ..]
                | [b'q', b'u', b'o', b't', b';']
                | [b'a', b'p', b'o', b's', b';']
        )
    })
}

/// Tells of bytes that are no UTF-8 and of characters that XML forbids.
pub(crate) fn check_bytes(raw: &[u8], tell: Tell<'_>) {
    if raw.iter().all(|byte| (0x20..0x80).contains(byte)) {
        return;
    }
    let mut at = 0;
    for chunk in raw.utf8_chunks() {
        for (index, character) in chunk.valid().char_indices() {
            if !is_xml_char(character) {
                let code = u32::from(character);
                tell(WarningKind::IllegalChar, at + index, &|| {
                    format!("character U+{code:04X} is not allowed in XML, read as U+FFFD")
                });
            }
        }
        at += chunk.valid().len();
        if let Some(first) = chunk.invalid().first() {
            tell(WarningKind::UndecodableBytes, at, &|| {
                format!("bytes that are not UTF-8, the first is 0x{first:02X}: read as U+FFFD")
            });
        }
        at += chunk.invalid().len();
    }
}
