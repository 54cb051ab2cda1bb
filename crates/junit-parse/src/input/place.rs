//! From offsets in the text to offsets in the bytes and lines, in one pass.
use super::Origin;

/// Finds byte offsets and lines of places asked for in rising order.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    bytes: &'a [u8],
    text: &'a [u8],
    origin: Origin,
    at: usize,
    line: u64,
    offset: usize,
}

impl<'a> Places<'a> {
    pub(super) const fn new(bytes: &'a [u8], text: &'a [u8], origin: Origin) -> Self {
        let offset = origin.mark();
        Self {
            bytes,
            text,
            origin,
            at: 0,
            line: 1,
            offset,
        }
    }

    /// The byte offset (0-based) and the line (1-based) of a place in the text.
    pub(crate) fn find(&mut self, at: usize) -> (u64, u64) {
        let mut at = at.min(self.text.len()).max(self.at);
        let is_same = matches!(self.origin, Origin::Same(_));
        while !is_same && at > self.at && self.text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80)
        {
            at -= 1;
        }
        let passed = self.text.get(self.at..at).unwrap_or_default();
        self.line = self.line.saturating_add(lines(passed));
        self.offset += match self.origin {
            Origin::Lossy(_) => lossy_length(self.bytes.get(self.offset..), passed.len()),
            other => other.length(passed),
        };
        self.at = at;
        (self.offset.try_into().unwrap_or(u64::MAX), self.line)
    }
}

/// Line ends in a text.
pub(super) fn lines(text: &[u8]) -> u64 {
    let count = memchr::memchr_iter(b'\n', text).count();
    u64::try_from(count).unwrap_or(u64::MAX)
}

impl Origin {
    /// Bytes of byte order mark in front.
    pub(super) const fn mark(self) -> usize {
        match self {
            Self::Same(mark) | Self::Lossy(mark) | Self::Utf16(mark) => mark,
            Self::SingleByte | Self::Other => 0,
        }
    }

    /// How many bytes of the file a decoded text was; lossy ones apart.
    pub(super) fn length(self, text: &[u8]) -> usize {
        let count = |wanted: fn(u8) -> bool| text.iter().filter(|byte| wanted(**byte)).count();
        let characters = || count(|byte| byte & 0xC0 != 0x80);
        match self {
            Self::Same(_) | Self::Lossy(_) | Self::Other => text.len(),
            Self::SingleByte => characters(),
            // Four bytes of UTF-8 are two units.
            Self::Utf16(_) => (characters() + count(|byte| byte >= 0xF0)) * 2,
        }
    }
}

/// How many bytes the lossy decoding turned into `length` bytes of text.
fn lossy_length(bytes: Option<&[u8]>, length: usize) -> usize {
    let (mut text, mut taken) = (0, 0);
    for chunk in bytes.unwrap_or_default().utf8_chunks() {
        let valid = chunk.valid().len();
        if text + valid >= length {
            return taken + (length - text);
        }
        text += valid;
        taken += valid;
        if !chunk.invalid().is_empty() {
            text += char::REPLACEMENT_CHARACTER.len_utf8();
            taken += chunk.invalid().len();
        }
        if text >= length {
            break;
        }
    }
    taken
}
