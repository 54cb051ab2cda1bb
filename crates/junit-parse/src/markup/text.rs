//! Attribute values and bodies as they stand in the file, decoded on demand.
use std::borrow::Cow;

use super::reference::{self, Reference};
use super::tag::scan_tag;
use super::{Stop, skip_body};
use crate::WarningKind;
use crate::input::is_xml_char;
use crate::warning::{Notes, shown};

/// A piece of the file's text: an attribute's value or an element's body, not yet decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawText<'a> {
    raw: &'a str,
    at: usize,
    is_body: bool,
}

/// A part of a body.
enum Piece<'a> {
    Text(&'a str, usize),
    Cdata(&'a str),
}

impl<'a> RawText<'a> {
    pub(crate) const fn attribute(raw: &'a str, at: usize) -> Self {
        Self {
            raw,
            at,
            is_body: false,
        }
    }

    pub(crate) const fn body(raw: &'a str, at: usize) -> Self {
        Self {
            raw,
            at,
            is_body: true,
        }
    }

    /// The text as written, with its references and CDATA marks.
    pub const fn raw(&self) -> &'a str {
        self.raw
    }

    /// Offset into [`crate::Document::text`].
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Whether it holds nothing but blanks.
    pub fn is_blank(&self) -> bool {
        self.raw.trim().is_empty()
    }

    /// The text itself: references replaced, CDATA unwrapped, comments dropped, line ends and (in
    /// attributes) blanks normalised, what XML forbids as U+FFFD. Raw markup stays as written.
    pub fn decode(&self) -> Cow<'a, str> {
        self.decode_clipped(usize::MAX).0
    }

    /// The same, at most `limit` characters, and whether that cut it.
    pub fn decode_clipped(&self, limit: usize) -> (Cow<'a, str>, bool) {
        if self.is_plain() && self.raw.len() <= limit {
            return (Cow::Borrowed(self.raw), false);
        }
        let mut out = Output {
            text: String::new(),
            left: limit,
            is_clipped: false,
        };
        if self.is_body {
            for piece in Pieces::new(self.raw, self.at) {
                match piece {
                    Piece::Text(text, _) => out.push_decoded(text, Blanks::Lines),
                    Piece::Cdata(text) => {
                        out.push_literal(text, Blanks::Lines);
                    }
                }
            }
        } else {
            out.push_decoded(self.raw, Blanks::Spaces);
        }
        (Cow::Owned(out.text), out.is_clipped)
    }

    /// Whether decoding would change nothing.
    fn is_plain(&self) -> bool {
        let changes = |byte: u8| match byte {
            // 0xEF may begin U+FFFE or U+FFFF.
            b'&' | b'\r' | 0xEF => true,
            b'<' => self.is_body,
            b'\t' | b'\n' => !self.is_body,
            _ => byte < 0x20,
        };
        !self.raw.bytes().any(changes)
    }

    /// Notes what is wrong with the references in it.
    pub(crate) fn check(&self, notes: &mut Notes) {
        if memchr::memchr2(b'&', b']', self.raw.as_bytes()).is_none() {
            return;
        }
        if !self.is_body {
            check_references(self.raw, self.at, notes);
            return;
        }
        for piece in Pieces::new(self.raw, self.at) {
            let Piece::Text(text, at) = piece else {
                continue;
            };
            check_references(text, at, notes);
            if let Some(index) = memchr::memmem::find(text.as_bytes(), b"]]>") {
                let message = || "`]]>` outside a CDATA section, read as text".to_owned();
                notes.add(WarningKind::UnescapedMarkup, at + index, message);
            }
        }
    }

    /// In the body of a retry element: the stack trace without the outputs that stand beside it.
    pub(crate) fn without_outputs(&self) -> Self {
        let mut from = 0;
        while let Some(less) = self.raw.get(from..).and_then(|rest| rest.find('<')) {
            let at = from + less;
            let rest = self.raw.get(at..).unwrap_or_default();
            if rest.starts_with("<![CDATA[") {
                from = at + rest.find("]]>").unwrap_or(rest.len());
                continue;
            }
            let Some(tag) = scan_tag(self.raw, at, |_| {}) else {
                break;
            };
            match tag.name {
                "stackTrace" if !tag.is_empty => {
                    let body = skip_body(self.raw, tag.end, tag.name);
                    let raw = self.raw.get(tag.end..body.end).unwrap_or_default();
                    return Self {
                        raw,
                        at: self.at + tag.end,
                        ..*self
                    };
                }
                "system-out" | "system-err" if at > 0 => {
                    let before = Self {
                        raw: self.raw.get(..at).unwrap_or_default(),
                        ..*self
                    };
                    if !before.is_blank() {
                        return before;
                    }
                    from = after_element(self.raw, tag.end, tag.name, tag.is_empty);
                }
                "system-out" | "system-err" => {
                    from = after_element(self.raw, tag.end, tag.name, tag.is_empty);
                }
                _ => from = at + 1,
            }
        }
        let starts_with_output = {
            let text = self.raw.trim_start();
            text.starts_with("<system-out") || text.starts_with("<system-err")
        };
        if starts_with_output {
            return Self { raw: "", ..*self };
        }
        *self
    }
}

fn after_element(raw: &str, end: usize, name: &str, is_empty: bool) -> usize {
    if is_empty {
        return end;
    }
    let body = skip_body(raw, end, name);
    match body.stop {
        Stop::Closed => body.end + name.len() + 3,
        Stop::ParentEnd | Stop::NewStructure | Stop::EndOfText => raw.len(),
    }
}

fn check_references(text: &str, at: usize, notes: &mut Notes) {
    let mut from = 0;
    while let Some(rest) = text.get(from..) {
        let Some(index) = memchr::memchr(b'&', rest.as_bytes()) else {
            return;
        };
        let start = from + index;
        let (found, length) = reference::read(rest.get(index..).unwrap_or_default());
        from = start + length;
        let written = || shown(text.get(start..from).unwrap_or_default());
        match found {
            Reference::Character(_) => {}
            Reference::IllegalCharacter => {
                notes.add(WarningKind::IllegalCharRef, at + start, || {
                    format!(
                        "{} is a character that XML forbids, read as U+FFFD",
                        written()
                    )
                });
            }
            Reference::Unknown => notes.add(WarningKind::UnknownEntity, at + start, || {
                format!("entity {} is not expanded, read as U+FFFD", written())
            }),
            Reference::Bare => notes.add(WarningKind::UnescapedMarkup, at + start, || {
                "a raw `&`, read as text".to_owned()
            }),
        }
    }
}

/// The parts of a body in order; comments are left out.
struct Pieces<'a> {
    raw: &'a str,
    from: usize,
    base: usize,
}

impl<'a> Pieces<'a> {
    const fn new(raw: &'a str, base: usize) -> Self {
        Self { raw, from: 0, base }
    }

    /// The next CDATA section or closed comment at or behind `from`.
    fn section(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let rest = self.raw.get(at..)?;
            at += memchr::memchr(b'<', rest.as_bytes())?;
            let rest = self.raw.get(at..)?;
            if rest.starts_with("<!--") {
                // An open comment is the rest of a cut body: read as text.
                return comment_length(rest).map(|_| at);
            }
            if rest.starts_with("<![CDATA[") {
                return Some(at);
            }
            at += 1;
        }
    }
}

fn comment_length(rest: &str) -> Option<usize> {
    let inner = rest.get(4..)?;
    memchr::memmem::find(inner.as_bytes(), b"-->").map(|end| end + 7)
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let rest = self.raw.get(self.from..).filter(|rest| !rest.is_empty())?;
            if let Some(inner) = rest.strip_prefix("<![CDATA[") {
                let end = memchr::memmem::find(inner.as_bytes(), b"]]>");
                let text = inner.get(..end.unwrap_or(inner.len())).unwrap_or_default();
                self.from += text.len() + 9 + if end.is_some() { 3 } else { 0 };
                return Some(Piece::Cdata(text));
            }
            if rest.starts_with("<!--")
                && let Some(length) = comment_length(rest)
            {
                self.from += length;
                continue;
            }
            let start = self.from;
            self.from = if rest.starts_with("<!--") {
                self.raw.len()
            } else {
                self.section(start).unwrap_or(self.raw.len())
            };
            let text = self.raw.get(start..self.from).unwrap_or_default();
            return Some(Piece::Text(text, self.base + start));
        }
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
    text: String,
    left: usize,
    is_clipped: bool,
}

impl Output {
    fn push(&mut self, character: char) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            self.is_clipped = true;
            return false;
        };
        self.left = left;
        self.text.push(character);
        true
    }

    fn push_literal(&mut self, text: &str, blanks: Blanks) -> bool {
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let character = match character {
                '\r' if characters.peek() == Some(&'\n') => continue,
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

    fn push_decoded(&mut self, text: &str, blanks: Blanks) {
        let mut rest = text;
        while let Some(index) = memchr::memchr(b'&', rest.as_bytes()) {
            if !self.push_literal(rest.get(..index).unwrap_or_default(), blanks) {
                return;
            }
            rest = rest.get(index..).unwrap_or_default();
            let (found, length) = reference::read(rest);
            let character = match found {
                Reference::Character(character) => character,
                Reference::IllegalCharacter | Reference::Unknown => char::REPLACEMENT_CHARACTER,
                Reference::Bare => '&',
            };
            if !self.push(character) {
                return;
            }
            rest = rest.get(length..).unwrap_or_default();
        }
        self.push_literal(rest, blanks);
    }
}
