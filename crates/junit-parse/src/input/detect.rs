//! Which encoding the bytes are in, and decoding them.
use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::{Document, Origin};
use crate::warning::{Note, shown};
use crate::{ParseError, ParseErrorKind, WarningKind};

/// An XML declaration stands in the first bytes or nowhere.
const DECLARATION_BYTES: usize = 1_000;

pub(super) fn decode(bytes: &[u8]) -> Result<Document<'_>, ParseError> {
    if bytes.starts_with(&[0xFF, 0xFE, 0, 0]) || bytes.starts_with(&[0, 0, 0xFE, 0xFF]) {
        return Err(utf32());
    }
    if let Some(rest) = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]) {
        let mut document = utf8(bytes, rest, 3);
        note_mismatch(&mut document, |declared| declared == UTF_8, "UTF-8");
        return Ok(document);
    }
    if let Some((encoding, mark)) = utf16_shape(bytes) {
        let rest = bytes.get(mark..).unwrap_or_default();
        return Ok(utf16(bytes, rest, encoding, mark));
    }
    if bytes.starts_with(&[b'<', 0, 0, 0]) || bytes.starts_with(&[0, 0, 0, b'<']) {
        return Err(utf32());
    }
    Ok(by_declaration(bytes))
}

fn utf32() -> ParseError {
    let message = "the report is UTF-32, which is not read: convert it to UTF-8";
    ParseError::new(ParseErrorKind::Encoding, message.to_owned(), 0, 1)
}

/// UTF-16 by its mark, or by zero bytes around the first `<`; and the length of the mark.
fn utf16_shape(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    match bytes {
        [0xFF, 0xFE, ..] => Some((UTF_16LE, 2)),
        [0xFE, 0xFF, ..] => Some((UTF_16BE, 2)),
        // Blanks may stand before the first `<`.
        [b'<' | b'\n' | b'\r' | b' ' | b'\t', 0, second, 0, ..] if *second != 0 => {
            Some((UTF_16LE, 0))
        }
        [0, b'<' | b'\n' | b'\r' | b' ' | b'\t', 0, second, ..] if *second != 0 => {
            Some((UTF_16BE, 0))
        }
        _ => None,
    }
}

fn utf16<'a>(
    bytes: &'a [u8],
    rest: &'a [u8],
    encoding: &'static Encoding,
    mark: usize,
) -> Document<'a> {
    let (text, bad) = encoding.decode_without_bom_handling(rest);
    let mut document = Document {
        bytes,
        text,
        origin: Origin::Utf16(mark),
        notes: Vec::new(),
    };
    if bad {
        note_replacement(&mut document, encoding.name());
    }
    let is_utf16 = |declared| declared == UTF_16LE || declared == UTF_16BE;
    note_mismatch(&mut document, is_utf16, encoding.name());
    document
}

fn utf8<'a>(bytes: &'a [u8], rest: &'a [u8], mark: usize) -> Document<'a> {
    let text = String::from_utf8_lossy(rest);
    let origin = match text {
        Cow::Borrowed(_) => Origin::Same(mark),
        Cow::Owned(_) => Origin::Lossy(mark),
    };
    let mut document = Document {
        bytes,
        text,
        origin,
        notes: Vec::new(),
    };
    if matches!(origin, Origin::Lossy(_)) {
        note_bad_utf8(&mut document, rest);
    }
    document
}

fn note_bad_utf8(document: &mut Document<'_>, rest: &[u8]) {
    let mut at = 0;
    let mut first = None;
    let mut count = 0_usize;
    for chunk in rest.utf8_chunks() {
        at += chunk.valid().len();
        if let Some(byte) = chunk.invalid().first() {
            first.get_or_insert((at, *byte));
            count += 1;
            at += char::REPLACEMENT_CHARACTER.len_utf8();
        }
    }
    if let Some((at, byte)) = first {
        document.notes.push(Note {
            kind: WarningKind::UndecodableBytes,
            message: format!(
                "{count} byte sequences are not UTF-8, the first begins with 0x{byte:02X}: read as U+FFFD"
            ),
            at,
        });
        document.notes.push(Note {
            kind: WarningKind::EncodingMismatch,
            message: "the file is to be UTF-8 but is not UTF-8 throughout".to_owned(),
            at,
        });
    }
}

fn note_replacement(document: &mut Document<'_>, name: &str) {
    let at = document.text.find(char::REPLACEMENT_CHARACTER).unwrap_or(0);
    document.notes.push(Note {
        kind: WarningKind::UndecodableBytes,
        message: format!("some bytes are not {name}: read as U+FFFD"),
        at,
    });
}

/// Warns when the declaration names another encoding than the one that the bytes have.
fn note_mismatch(
    document: &mut Document<'_>,
    fits: impl Fn(&'static Encoding) -> bool,
    found: &str,
) {
    let head = document.text.as_bytes();
    let head = head.get(..DECLARATION_BYTES).unwrap_or(head);
    let Some(label) = declared(head) else { return };
    if named(label).is_some_and(fits) {
        return;
    }
    let message = format!(
        "the declaration says {}, the bytes are {found}",
        shown(label)
    );
    document.notes.push(Note {
        kind: WarningKind::EncodingMismatch,
        message,
        at: 0,
    });
}

fn by_declaration(bytes: &[u8]) -> Document<'_> {
    let head = bytes.get(..DECLARATION_BYTES).unwrap_or(bytes);
    let Some(label) = declared(head) else {
        return utf8(bytes, bytes, 0);
    };
    match named(label) {
        Some(encoding) if encoding == UTF_8 => utf8(bytes, bytes, 0),
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => {
            let mut document = utf8(bytes, bytes, 0);
            note_mismatch(
                &mut document,
                |_| false,
                "not UTF-16 and were read as UTF-8",
            );
            document
        }
        Some(encoding) => legacy(bytes, encoding),
        None => {
            let message = format!("unknown encoding {}: read as UTF-8", shown(label));
            let mut document = utf8(bytes, bytes, 0);
            document.notes.push(Note {
                kind: WarningKind::UnknownEncoding,
                message,
                at: 0,
            });
            document
        }
    }
}

fn legacy<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Document<'a> {
    let (text, bad) = encoding.decode_without_bom_handling(bytes);
    let origin = match &text {
        Cow::Borrowed(_) => Origin::Same(0),
        Cow::Owned(_) if encoding.is_single_byte() => Origin::SingleByte,
        Cow::Owned(_) => Origin::Other,
    };
    let mut document = Document {
        bytes,
        text,
        origin,
        notes: Vec::new(),
    };
    if bad {
        note_replacement(&mut document, encoding.name());
    }
    document
}

/// The encoding of a label, `None` where it is unknown or must not be decoded.
fn named(label: &str) -> Option<&'static Encoding> {
    // `utf-16` alone is a name of either order here.
    let label = label.trim();
    let encoding = match label.to_ascii_lowercase().as_str() {
        "ucs-2" | "iso-10646-ucs-2" | "utf16" | "unicode" => Some(UTF_16LE),
        "us-ascii" | "ascii" => Some(UTF_8),
        "cp850" | "ibm850" | "cp437" | "ibm437" => None,
        _ => Encoding::for_label_no_replacement(label.as_bytes()),
    }?;
    encoding
        .is_ascii_compatible()
        .then_some(encoding)
        .or_else(|| (encoding == UTF_16LE || encoding == UTF_16BE).then_some(encoding))
}

/// The label of `encoding="..."` in an XML declaration at the start.
fn declared(head: &[u8]) -> Option<&str> {
    let start = head.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let rest = head.get(start..)?.strip_prefix(b"<?xml")?;
    let end = memchr::memmem::find(rest, b"?>").unwrap_or(rest.len());
    let rest = rest.get(..end)?;
    let at = memchr::memmem::find(rest, b"encoding")?;
    let rest = rest.get(at + b"encoding".len()..)?.trim_ascii_start();
    let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
    let (quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let end = memchr::memchr(*quote, rest)?;
    std::str::from_utf8(rest.get(..end)?).ok()
}
