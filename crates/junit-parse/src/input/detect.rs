//! Which encoding the bytes are in, and decoding them.
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::Origin;
use crate::warning::{Note, shown};
use crate::{ParseError, ParseErrorKind, WarningKind};

/// An XML declaration stands in the first bytes or nowhere.
const DECLARATION_BYTES: usize = 1_000;

/// How many bytes of the beginning [`sniff`] wants to see.
pub(super) const HEAD_BYTES: usize = 4_096;

/// What the first bytes say.
#[derive(Debug)]
pub(super) struct Sniffed {
    pub(super) encoding: &'static Encoding,
    /// Bytes of byte order mark.
    pub(super) mark: usize,
    pub(super) notes: Vec<Note>,
}

impl Sniffed {
    pub(super) fn is_utf8(&self) -> bool {
        self.encoding == UTF_8
    }

    /// How an offset in the text becomes one in the bytes, when the bytes were decoded.
    pub(super) fn origin(&self) -> Origin {
        if self.is_utf8() {
            Origin::Same(self.mark)
        } else if self.encoding == UTF_16LE || self.encoding == UTF_16BE {
            Origin::Utf16(self.mark)
        } else if self.encoding.is_single_byte() {
            Origin::SingleByte
        } else {
            Origin::Other
        }
    }
}

/// Finds the encoding from the first [`HEAD_BYTES`] (or all there are).
pub(super) fn sniff(bytes: &[u8]) -> Result<Sniffed, ParseError> {
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    if head.starts_with(&[0xFF, 0xFE, 0, 0]) || head.starts_with(&[0, 0, 0xFE, 0xFF]) {
        return Err(utf32());
    }
    if let Some(rest) = head.strip_prefix(&[0xEF, 0xBB, 0xBF]) {
        return Ok(Sniffed {
            encoding: UTF_8,
            mark: 3,
            notes: mismatch(rest, |declared| declared == UTF_8, "UTF-8"),
        });
    }
    if let Some((encoding, mark)) = utf16_shape(head) {
        let rest = head.get(mark..).unwrap_or_default();
        let (text, _) = encoding.decode_without_bom_handling(rest);
        let is_utf16 = |declared| declared == UTF_16LE || declared == UTF_16BE;
        return Ok(Sniffed {
            encoding,
            mark,
            notes: mismatch(text.as_bytes(), is_utf16, encoding.name()),
        });
    }
    if head.starts_with(&[b'<', 0, 0, 0]) || head.starts_with(&[0, 0, 0, b'<']) {
        return Err(utf32());
    }
    let (encoding, notes) = by_declaration(head);
    Ok(Sniffed {
        encoding,
        mark: 0,
        notes,
    })
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

/// Notes of bytes in a text that is to be UTF-8 and is not.
pub(super) fn undecodable(rest: &[u8]) -> Vec<Note> {
    let (mut at, mut first, mut count) = (0, None, 0_usize);
    for chunk in rest.utf8_chunks() {
        at += chunk.valid().len();
        if let Some(byte) = chunk.invalid().first() {
            first.get_or_insert((at, *byte));
            count += 1;
        }
        at += chunk.invalid().len();
    }
    let Some((at, byte)) = first else {
        return Vec::new();
    };
    let message = format!(
        "{count} byte sequences are not UTF-8, the first begins with 0x{byte:02X}: read as U+FFFD"
    );
    vec![
        Note::new(WarningKind::UndecodableBytes, message, at),
        not_throughout(at),
    ]
}

pub(crate) fn not_throughout(at: usize) -> Note {
    let message = "the file is to be UTF-8 but is not UTF-8 throughout".to_owned();
    Note::new(WarningKind::EncodingMismatch, message, at)
}

/// The note of a text that was decoded from an encoding with bytes that are not of it.
pub(super) fn replaced(text: &[u8], at: usize, encoding: &'static Encoding) -> Note {
    let found = memchr::memmem::find(text, "\u{FFFD}".as_bytes()).unwrap_or(0);
    let message = format!("some bytes are not {}: read as U+FFFD", encoding.name());
    Note::new(WarningKind::UndecodableBytes, message, at + found)
}

/// Warns when the declaration names another encoding than the one that the bytes have.
fn mismatch(text: &[u8], fits: impl Fn(&'static Encoding) -> bool, found: &str) -> Vec<Note> {
    let head = text.get(..DECLARATION_BYTES).unwrap_or(text);
    let Some(label) = declared(head) else {
        return Vec::new();
    };
    if named(label).is_some_and(fits) {
        return Vec::new();
    }
    let message = format!(
        "the declaration says {}, the bytes are {found}",
        shown(label)
    );
    vec![Note::new(WarningKind::EncodingMismatch, message, 0)]
}

fn by_declaration(bytes: &[u8]) -> (&'static Encoding, Vec<Note>) {
    let head = bytes.get(..DECLARATION_BYTES).unwrap_or(bytes);
    let Some(label) = declared(head) else {
        return (UTF_8, Vec::new());
    };
    match named(label) {
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => {
            let found = "not UTF-16 and were read as UTF-8";
            (UTF_8, mismatch(head, |_| false, found))
        }
        Some(encoding) => (encoding, Vec::new()),
        None => {
            let message = format!("unknown encoding {}: read as UTF-8", shown(label));
            let note = Note::new(WarningKind::UnknownEncoding, message, 0);
            (UTF_8, vec![note])
        }
    }
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
