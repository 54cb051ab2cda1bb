//! Attribute values and bodies as they stand in the file, decoded on demand.
use std::borrow::Cow;

use super::body::{Stop, skip_body};
use super::pieces::{Piece, Pieces};
use super::reference::{self, Reference};
use super::source::{Slice, Store, Text};
use super::tag::scan_tag;
use crate::input::is_xml_char;

/// A piece of the file's text: an attribute's value or an element's body, not yet decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawText<'a> {
    raw: &'a [u8],
    at: usize,
    is_body: bool,
    is_cut: bool,
    is_plain: bool,
}

impl<'a> RawText<'a> {
    pub(crate) fn of(text: Text, store: Store<'a>) -> Self {
        Self {
            raw: store.bytes(text),
            at: text.start,
            is_body: text.is_body,
            is_cut: text.is_cut,
            is_plain: text.is_plain,
        }
    }

    /// The text as written, with its references and CDATA marks, in the encoding of the document's
    /// text: UTF-8, but for bytes that are wrong in the file.
    pub const fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// Offset into the document's text.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Whether a streaming reader did not keep the end of it ([`crate::Limits::max_text_bytes`]).
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether it holds nothing but blanks.
    pub fn is_blank(&self) -> bool {
        is_blank(self.raw)
    }

    /// The text itself: references replaced, CDATA unwrapped, comments dropped, line ends and (in
    /// attributes) blanks normalised, what XML forbids and what is no UTF-8 as U+FFFD. Raw markup
    /// stays as written.
    pub fn decode(&self) -> Cow<'a, str> {
        self.decode_clipped(usize::MAX).0
    }

    /// The same, at most `limit` characters, and whether that or the reader's window cut it.
    pub fn decode_clipped(&self, limit: usize) -> (Cow<'a, str>, bool) {
        if self.raw.len() <= limit
            && (self.is_plain || self.looks_plain())
            && let Ok(text) = std::str::from_utf8(self.raw)
        {
            return (Cow::Borrowed(text), self.is_cut);
        }
        if let Some(inner) = self.only_section()
            && inner.len() <= limit
            && has_none(inner, 0, 0, true)
            && let Ok(text) = std::str::from_utf8(inner)
        {
            return (Cow::Borrowed(text), self.is_cut);
        }
        let mut out = Output {
            text: Vec::with_capacity(self.raw.len().min(limit)),
            left: limit,
            is_clipped: self.is_cut,
        };
        if self.is_body {
            for piece in Pieces::new(self.raw) {
                let goes_on = match piece {
                    Piece::Text(text, _) => out.push_decoded(text, Blanks::Lines),
                    Piece::Cdata(text, _) => out.push_bytes(text, Blanks::Lines),
                };
                if !goes_on {
                    break;
                }
            }
        } else {
            out.push_decoded(self.raw, Blanks::Spaces);
        }
        let is_clipped = out.is_clipped;
        (Cow::Owned(out.into_text()), is_clipped)
    }

    /// Whether decoding would change nothing, but for bytes that are no UTF-8.
    fn looks_plain(&self) -> bool {
        let less = if self.is_body { b'<' } else { b'&' };
        has_none(self.raw, b'&', less, self.is_body)
    }

    /// What is in the one CDATA section that a body consists of.
    fn only_section(&self) -> Option<&'a [u8]> {
        let inner = self.raw.strip_prefix(b"<![CDATA[")?.strip_suffix(b"]]>")?;
        let is_one = self.is_body && memchr::memmem::find(inner, b"]]>").is_none();
        is_one.then_some(inner)
    }

    /// In the body of a retry element: the stack trace without the outputs that stand beside it.
    pub(crate) fn without_outputs(&self) -> Self {
        let mut from = 0;
        while let Some(less) = self
            .raw
            .get(from..)
            .and_then(|rest| memchr::memchr(b'<', rest))
        {
            let at = from + less;
            let rest = self.raw.get(at..).unwrap_or_default();
            if rest.starts_with(b"<![CDATA[") {
                from = at + memchr::memmem::find(rest, b"]]>").unwrap_or(rest.len());
                continue;
            }
            let Some(tag) = scan_tag(rest, 1, true, |_| {}) else {
                break;
            };
            let inner = at + tag.end;
            match rest.get(1..tag.name_end).unwrap_or_default() {
                name @ b"stackTrace" if !tag.is_empty => {
                    let (end, _) = body_end(self.raw, inner, name);
                    return Self {
                        raw: self.raw.get(inner..end).unwrap_or_default(),
                        at: self.at + inner,
                        ..*self
                    };
                }
                name @ (b"system-out" | b"system-err") => {
                    let before = self.raw.get(..at).unwrap_or_default();
                    if at > 0 && !is_blank(before) {
                        return Self {
                            raw: before,
                            ..*self
                        };
                    }
                    from = match body_end(self.raw, inner, name) {
                        _ if tag.is_empty => inner,
                        (end, Stop::Closed) => end + name.len() + 3,
                        (_, Stop::ParentEnd | Stop::NewStructure | Stop::EndOfText) => {
                            self.raw.len()
                        }
                    };
                }
                _ => from = at + 1,
            }
        }
        let text = self.raw.trim_ascii_start();
        if text.starts_with(b"<system-out") || text.starts_with(b"<system-err") {
            return Self { raw: b"", ..*self };
        }
        *self
    }
}

fn body_end(raw: &[u8], inner: usize, name: &[u8]) -> (usize, Stop) {
    let rest = raw.get(inner..).unwrap_or_default();
    skip_body(&mut Slice::new(rest), name, false).map_or((raw.len(), Stop::EndOfText), |body| {
        (inner + body.end, body.stop)
    })
}

/// Whether a text holds neither of two bytes, nor a control character (but for line ends and tabs
/// where they may stay), nor what may begin U+FFFE or U+FFFF.
fn has_none(raw: &[u8], one: u8, other: u8, keeps_lines: bool) -> bool {
    let keeps = u8::from(keeps_lines);
    // Numbers, so that whole blocks are compared at once.
    let changes = |byte: u8| {
        let is = |wanted: u8| u8::from(byte == wanted);
        let is_blank = (is(b'\t') | is(b'\n')) & keeps;
        let is_control = u8::from(byte < 0x20) & (is_blank ^ 1);
        is(one) | is(other) | is(0xEF) | is_control
    };
    let mut blocks = raw.chunks(64);
    blocks.all(|block| block.iter().fold(0, |found, byte| found | changes(*byte)) == 0)
}

/// Whether a text holds nothing but blanks.
pub(crate) fn is_blank(raw: &[u8]) -> bool {
    match raw.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => true,
        Some(byte) if byte.is_ascii() => false,
        Some(_) => String::from_utf8_lossy(raw).trim().is_empty(),
    }
}

/// What line ends and tabs become.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blanks {
    Lines,
    Spaces,
}

/// Decoded text up to a number of characters.
struct Output {
    /// UTF-8.
    text: Vec<u8>,
    left: usize,
    is_clipped: bool,
}

impl Output {
    fn into_text(self) -> String {
        String::from_utf8(self.text)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    fn push(&mut self, character: char) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            self.is_clipped = true;
            return false;
        };
        self.left = left;
        if character.is_ascii() {
            self.text.push(character as u8);
        } else {
            let mut bytes = [0; 4];
            self.text
                .extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
        }
        true
    }

    /// Text without references. Plain ASCII is taken whole.
    fn push_bytes(&mut self, bytes: &[u8], blanks: Blanks) -> bool {
        let lines = u8::from(blanks == Blanks::Lines);
        let is_odd = |byte: u8| {
            let is = |wanted: u8| u8::from(byte == wanted);
            let is_plain = u8::from(byte.wrapping_sub(0x20) < 0x5F);
            (is_plain | (is(b'\n') | is(b'\t')) & lines) ^ 1
        };
        let mut rest = bytes;
        while !rest.is_empty() {
            let mut plain = 0;
            for block in rest.chunks(32) {
                if block.iter().fold(0, |found, byte| found | is_odd(*byte)) == 0 {
                    plain += block.len();
                } else {
                    let odd = block.iter().position(|byte| is_odd(*byte) != 0);
                    plain += odd.unwrap_or(block.len());
                    break;
                }
                if plain > self.left {
                    break;
                }
            }
            let (run, tail) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
            let fits = run.get(..self.left).unwrap_or(run);
            self.text.extend_from_slice(fits);
            self.left -= fits.len();
            if fits.len() < run.len() || self.left == 0 && !tail.is_empty() {
                self.is_clipped = true;
                return false;
            }
            let plain_again = tail.iter().position(|byte| is_odd(*byte) == 0);
            let plain_again = plain_again.unwrap_or(tail.len());
            let (odd, next) = tail.split_at_checked(plain_again).unwrap_or((tail, &[]));
            if !self.push_odd(&String::from_utf8_lossy(odd), next.first(), blanks) {
                return false;
            }
            rest = next;
        }
        true
    }

    fn push_odd(&mut self, text: &str, next: Option<&u8>, blanks: Blanks) -> bool {
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let follower = characters.peek().copied();
            let before_line = follower == Some('\n') || follower.is_none() && next == Some(&b'\n');
            let character = match character {
                '\r' if before_line => continue,
                '\r' | '\n' | '\t' if blanks == Blanks::Spaces => ' ',
                '\r' => '\n',
                other if is_xml_char(other) => other,
                _ => char::REPLACEMENT_CHARACTER,
            };
            if !self.push(character) {
                return false;
            }
        }
        true
    }

    fn push_decoded(&mut self, text: &[u8], blanks: Blanks) -> bool {
        let mut rest = text;
        while let Some(index) = memchr::memchr(b'&', rest) {
            let (before, tail) = rest.split_at_checked(index).unwrap_or((rest, &[]));
            if !self.push_bytes(before, blanks) {
                return false;
            }
            let (found, length) = reference::read(tail);
            let character = match found {
                Reference::Character(character) => character,
                Reference::IllegalCharacter | Reference::Unknown => char::REPLACEMENT_CHARACTER,
                Reference::Bare => '&',
            };
            if !self.push(character) {
                return false;
            }
            rest = tail.get(length..).unwrap_or_default();
        }
        self.push_bytes(rest, blanks)
    }
}
