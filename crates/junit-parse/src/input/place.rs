//! From offsets in the text to offsets in the bytes and lines, in one pass.
use super::Origin;

/// Finds byte offsets and lines of places asked for in rising order.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    bytes: &'a [u8],
    text: &'a str,
    origin: Origin,
    at: usize,
    line: u64,
    offset: usize,
}

impl<'a> Places<'a> {
    pub(super) const fn new(bytes: &'a [u8], text: &'a str, origin: Origin) -> Self {
        let offset = match origin {
            Origin::Same(mark) | Origin::Lossy(mark) | Origin::Utf16(mark) => mark,
            Origin::SingleByte | Origin::Other => 0,
        };
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
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let passed = self.text.get(self.at..at).unwrap_or_default();
        let lines = memchr::memchr_iter(b'\n', passed.as_bytes()).count();
        self.line = self
            .line
            .saturating_add(lines.try_into().unwrap_or(u64::MAX));
        self.offset += match self.origin {
            Origin::Same(_) | Origin::Other => passed.len(),
            Origin::SingleByte => passed.chars().count(),
            Origin::Utf16(_) => passed.encode_utf16().count() * 2,
            Origin::Lossy(_) => lossy_length(self.bytes.get(self.offset..), passed.len()),
        };
        self.at = at;
        (self.offset.try_into().unwrap_or(u64::MAX), self.line)
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
