//! From the bytes of a file to text: encodings, byte order marks, characters that XML forbids.
mod detect;
mod place;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::warning::Note;
use crate::{Limits, ParseError, ParseErrorKind, Reader, WarningKind};

pub(crate) use place::Places;

/// The text of one report, decoded as far as it can be; borrowed where the bytes are good UTF-8.
#[derive(Debug, Clone)]
pub struct Document<'a> {
    bytes: &'a [u8],
    text: Cow<'a, str>,
    origin: Origin,
    notes: Vec<Note>,
}

/// How an offset in the text becomes one in the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// One byte each; so many bytes of byte order mark in front.
    Same(usize),
    /// Bad bytes of UTF-8 were replaced; so many bytes of byte order mark in front.
    Lossy(usize),
    /// UTF-16, with so many bytes of byte order mark in front.
    Utf16(usize),
    /// One byte a character.
    SingleByte,
    /// Cannot be told: offsets are those of the text.
    Other,
}

impl<'a> Document<'a> {
    /// Decodes `bytes`: a byte order mark counts first, then the shape of UTF-16, then the declared
    /// encoding, then UTF-8.
    ///
    /// # Errors
    /// [`ParseErrorKind::TooLarge`] above [`Limits::max_bytes`], [`ParseErrorKind::Empty`] for no
    /// bytes or only a byte order mark, [`ParseErrorKind::Encoding`] for UTF-32.
    pub fn decode(bytes: &'a [u8], limits: &Limits) -> Result<Self, ParseError> {
        if bytes.len() > limits.max_bytes {
            let limit = limits.max_bytes;
            return Err(ParseError::new(
                ParseErrorKind::TooLarge,
                format!("the report is larger than the limit of {limit} bytes"),
                u64::try_from(limit).unwrap_or(u64::MAX),
                1,
            ));
        }
        let mut document = detect::decode(bytes)?;
        if document.text.is_empty() {
            return Err(empty("the report is empty"));
        }
        document.note_illegal_characters();
        Ok(document)
    }

    /// The decoded text, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A reader over this document.
    pub fn reader(&self, limits: &Limits) -> Reader<'_> {
        Reader::new(self, limits)
    }

    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Finds offsets and lines of places in the text, which must be asked for in rising order.
    pub(crate) fn places(&self) -> Places<'_> {
        Places::new(self.bytes, &self.text, self.origin)
    }

    fn note_illegal_characters(&mut self) {
        let mut found = Vec::new();
        let mut more = 0_usize;
        for (at, character) in IllegalCharacters::new(&self.text) {
            if found.len() < 100 {
                found.push((at, character));
            } else {
                more += 1;
            }
        }
        let last = found.len();
        for (index, (at, character)) in found.into_iter().enumerate() {
            let code = u32::from(character);
            let tail = if more > 0 && index + 1 == last {
                format!("; {more} more follow")
            } else {
                String::new()
            };
            self.notes.push(Note {
                kind: WarningKind::IllegalChar,
                message: format!(
                    "character U+{code:04X} is not allowed in XML, read as U+FFFD{tail}"
                ),
                at,
            });
        }
    }
}

pub(crate) fn empty(message: &str) -> ParseError {
    ParseError::new(ParseErrorKind::Empty, message.to_owned(), 0, 1)
}

/// Whether XML 1.0 allows a character.
pub(crate) const fn is_xml_char(character: char) -> bool {
    matches!(character,
        '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Places of the characters that XML forbids; blocks without a suspect are passed over whole.
struct IllegalCharacters<'a> {
    text: &'a str,
    from: usize,
}

impl<'a> IllegalCharacters<'a> {
    const fn new(text: &'a str) -> Self {
        Self { text, from: 0 }
    }

    /// The next byte that may begin a forbidden character.
    fn suspect(&self) -> Option<usize> {
        let bytes = self.text.as_bytes().get(self.from..)?;
        let mut at = self.from;
        for block in bytes.chunks(64) {
            if block
                .iter()
                .fold(false, |found, byte| found | is_suspect(*byte))
            {
                return Some(at + block.iter().position(|byte| is_suspect(*byte))?);
            }
            at += block.len();
        }
        None
    }
}

const fn is_suspect(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\t' && byte != b'\n' && byte != b'\r') || byte == 0xEF
}

impl Iterator for IllegalCharacters<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = self.suspect()?;
            let character = self.text.get(at..)?.chars().next()?;
            self.from = at + character.len_utf8();
            if !is_xml_char(character) {
                return Some((at, character));
            }
        }
    }
}
