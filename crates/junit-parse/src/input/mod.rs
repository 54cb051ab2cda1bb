//! From the bytes of a file to text: encodings, byte order marks, characters that XML forbids.
mod characters;
mod detect;
mod place;
#[cfg(test)]
mod tests;
mod window;

use std::borrow::Cow;

use crate::warning::Note;
use crate::{Limits, ParseError, ParseErrorKind, Reader};

pub(crate) use characters::is_xml_char;
pub(crate) use detect::not_throughout;
pub(crate) use place::Places;
pub(crate) use window::{Window, io_error};

/// The text of one report, in UTF-8 as far as it can be; borrowed where the bytes are.
#[derive(Debug, Clone)]
pub struct Document<'a> {
    bytes: &'a [u8],
    text: Cow<'a, [u8]>,
    origin: Origin,
    notes: Vec<Note>,
    is_checked: bool,
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
    /// Decodes `bytes` and looks at every character: a byte order mark counts first, then the shape
    /// of UTF-16, then the declared encoding, then UTF-8.
    ///
    /// # Errors
    /// [`ParseErrorKind::TooLarge`] above [`Limits::max_bytes`], [`ParseErrorKind::Empty`] for no
    /// bytes or only a byte order mark, [`ParseErrorKind::Encoding`] for UTF-32.
    pub fn decode(bytes: &'a [u8], limits: &Limits) -> Result<Self, ParseError> {
        let mut document = Self::open(bytes, limits)?;
        document.is_checked = true;
        let plain = characters::plain_head(&document.text);
        if matches!(document.origin, Origin::Same(_))
            && let Cow::Borrowed(text) = document.text
            && std::str::from_utf8(text.get(plain..).unwrap_or_default()).is_err()
        {
            let repaired = String::from_utf8_lossy(text).into_owned();
            document.notes.extend(detect::undecodable(text));
            document.origin = Origin::Lossy(document.origin.mark());
            document.text = Cow::Owned(repaired.into_bytes());
        }
        let notes = characters::illegal(&document.text, plain);
        document.notes.extend(notes);
        Ok(document)
    }

    /// The same, but good and bad characters are told apart only where a text is handed out: what
    /// is passed over is not looked at.
    ///
    /// # Errors
    /// Those of [`Document::decode`].
    pub fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, ParseError> {
        if bytes.len() > limits.max_bytes {
            return Err(too_large(limits));
        }
        let sniffed = detect::sniff(bytes)?;
        let rest = bytes.get(sniffed.mark..).unwrap_or_default();
        let mut origin = sniffed.origin();
        let mut notes = sniffed.notes;
        let text = if origin == Origin::Same(sniffed.mark) {
            Cow::Borrowed(rest)
        } else {
            let (text, has_bad) = sniffed.encoding.decode_without_bom_handling(rest);
            if has_bad {
                notes.push(detect::replaced(text.as_bytes(), 0, sniffed.encoding));
            }
            match text {
                Cow::Borrowed(text) => {
                    origin = Origin::Same(sniffed.mark);
                    Cow::Borrowed(text.as_bytes())
                }
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            }
        };
        if text.is_empty() {
            return Err(empty("the report is empty"));
        }
        Ok(Self {
            bytes,
            text,
            origin,
            notes,
            is_checked: false,
        })
    }

    /// The decoded text, without a byte order mark.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.text)
    }

    /// A reader over this document.
    pub fn reader(&self, limits: &Limits) -> Reader<'_> {
        Reader::new(self, limits)
    }

    pub(crate) fn text_bytes(&self) -> &[u8] {
        &self.text
    }

    pub(crate) const fn is_checked(&self) -> bool {
        self.is_checked
    }

    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Finds offsets and lines of places in the text, which must be asked for in rising order.
    pub(crate) fn places(&self) -> Places<'_> {
        Places::new(self.bytes, &self.text, self.origin)
    }
}

pub(crate) fn too_large(limits: &Limits) -> ParseError {
    let limit = limits.max_bytes;
    ParseError::new(
        ParseErrorKind::TooLarge,
        format!("the report is larger than the limit of {limit} bytes"),
        u64::try_from(limit).unwrap_or(u64::MAX),
        1,
    )
}

pub(crate) fn empty(message: &str) -> ParseError {
    ParseError::new(ParseErrorKind::Empty, message.to_owned(), 0, 1)
}
