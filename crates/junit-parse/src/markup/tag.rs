//! An own attribute scan over one tag, which decides where the tag ends.

/// One attribute as written, in bytes from the start of the tag: neither unescaped nor normalised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attribute {
    pub(crate) name: usize,
    pub(crate) name_length: usize,
    pub(crate) value: usize,
    pub(crate) value_length: usize,
    /// Classes of the bytes in the value, for a closer look.
    pub(crate) classes: u8,
}

/// Classes of bytes, see [`CLASSES`].
const NAME_END: u8 = 1;
const QUOTE: u8 = 2;
const LESS: u8 = 4;
/// `&`.
pub(crate) const AMPERSAND: u8 = 8;
/// Control characters and what is not ASCII.
pub(crate) const UNUSUAL: u8 = 16;

#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "evaluated by the compiler, over all bytes"
)]
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut index = 0;
    while index < classes.len() {
        classes[index] = match index as u8 {
            b' ' | b'/' | b'>' | b'=' => NAME_END,
            b'\t' | b'\n' | b'\r' | 0x0C => NAME_END | UNUSUAL,
            b'<' => NAME_END | LESS,
            b'"' | b'\'' => NAME_END | QUOTE,
            b'&' => AMPERSAND,
            0..0x20 | 0x80.. => UNUSUAL,
            _ => 0,
        };
        index += 1;
    }
    classes
};

impl Attribute {
    pub(crate) fn name_in(self, tag: &[u8]) -> &[u8] {
        tag.get(self.name..self.name + self.name_length)
            .unwrap_or_default()
    }

    pub(crate) fn value_in(self, tag: &[u8]) -> &[u8] {
        tag.get(self.value..self.value + self.value_length)
            .unwrap_or_default()
    }
}

/// A start tag, an empty tag or an end tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag {
    /// The name's end, counted like `end`.
    pub(crate) name_end: usize,
    /// Bytes from the start of the text that was scanned to the byte behind the tag.
    pub(crate) end: usize,
    pub(crate) is_empty: bool,
    pub(crate) flaws: Flaws,
}

/// What keeps a tag from being well-formed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Flaws {
    /// Quotes, blanks, values or the closing `>` are missing.
    pub(crate) malformed: bool,
    /// A value holds a raw `<`.
    pub(crate) raw_less: bool,
}

/// Whether none of eight bytes is a quote, a `<`, a `&`, a control character or beyond ASCII.
#[inline]
const fn is_plain(word: [u8; 8]) -> bool {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    let word = u64::from_le_bytes(word);
    // For bytes below 0x80: the high bit is set where the byte is zero after the difference. A
    // borrow can only come from such a byte, so that no byte is missed.
    let found = word
        | word.wrapping_sub(ONES * 0x20)
        | (word ^ (ONES * 0x22)).wrapping_sub(ONES)
        | (word ^ (ONES * 0x26)).wrapping_sub(ONES)
        | (word ^ (ONES * 0x27)).wrapping_sub(ONES)
        | (word ^ (ONES * 0x3C)).wrapping_sub(ONES);
    found & HIGHS == 0
}

/// Longer values are searched by larger steps.
const LONG_VALUE: usize = 96;

/// The part of a name behind its prefix.
#[inline]
pub(crate) fn local_name(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|byte| *byte == b':') {
        Some(colon) => name.get(colon + 1..).unwrap_or_default(),
        None => name,
    }
}

#[inline]
pub(crate) const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80
}

#[inline]
fn class_of(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or_default()
}

#[inline]
fn ends_name(byte: u8) -> bool {
    class_of(byte) & NAME_END != 0
}

/// Scans the tag whose name begins at `from`; `None` when what is at hand ends inside it. Without
/// `is_final` it is also `None` when what follows could change the answer.
pub(crate) fn scan_tag(
    bytes: &[u8],
    from: usize,
    is_final: bool,
    mut each: impl FnMut(Attribute),
) -> Option<Tag> {
    let mut scan = Scan {
        bytes,
        at: from,
        is_final,
        flaws: Flaws::default(),
    };
    scan.skip_name();
    let name_end = scan.at;
    let mut spaced = true;
    let is_empty = loop {
        spaced |= scan.skip_blanks();
        match scan.peek()? {
            b'>' => {
                scan.at += 1;
                break false;
            }
            b'/' if scan.peek_second() == Some(b'>') => {
                scan.at += 2;
                break true;
            }
            b'<' => {
                scan.flaws.malformed = true;
                break false;
            }
            b'/' if !is_final && scan.peek_second().is_none() => return None,
            b'/' | b'=' | b'"' | b'\'' => {
                scan.at += 1;
                scan.flaws.malformed = true;
            }
            _ => {
                scan.flaws.malformed |= !spaced;
                scan.attribute(&mut each)?;
                spaced = false;
            }
        }
    };
    Some(Tag {
        name_end,
        end: scan.at,
        is_empty,
        flaws: scan.flaws,
    })
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    is_final: bool,
    flaws: Flaws,
}

impl<'a> Scan<'a> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn peek_second(&self) -> Option<u8> {
        self.bytes.get(self.at + 1).copied()
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn skip_blanks(&mut self) -> bool {
        let from = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.at > from
    }

    #[inline]
    fn skip_name(&mut self) {
        let rest = self.rest();
        let length = rest.iter().position(|byte| ends_name(*byte));
        self.at += length.unwrap_or(rest.len());
    }

    /// One attribute, given to `each` when it has a value; `None` at the end of the text.
    #[inline]
    fn attribute(&mut self, each: &mut impl FnMut(Attribute)) -> Option<()> {
        let name = self.at;
        self.skip_name();
        let name_length = self.at - name;
        self.skip_blanks();
        if self.peek()? != b'=' {
            self.flaws.malformed = true;
            return Some(());
        }
        self.at += 1;
        self.skip_blanks();
        let quote = self.peek()?;
        let (value, (value_length, classes)) = if matches!(quote, b'"' | b'\'') {
            self.at += 1;
            (self.at, self.quoted(quote)?)
        } else {
            self.flaws.malformed = true;
            (self.at, (self.unquoted()?, AMPERSAND | UNUSUAL))
        };
        each(Attribute {
            name,
            name_length,
            value,
            value_length,
            classes,
        });
        Some(())
    }

    fn unquoted(&mut self) -> Option<usize> {
        let rest = self.rest();
        let ends = |(index, byte): (usize, &u8)| {
            let closes = *byte == b'/' && rest.get(index + 1) == Some(&b'>');
            byte.is_ascii_whitespace() || matches!(byte, b'>' | b'<') || closes
        };
        let length = rest.iter().enumerate().position(ends);
        if length.is_none() && !self.is_final {
            return None;
        }
        let length = length.unwrap_or(rest.len());
        self.at += length;
        Some(length)
    }

    /// Passes over a value up to its quote and says how long it is. A value that runs into markup
    /// because its own quote is missing ends at the next `>` or `<`.
    #[inline]
    fn quoted(&mut self, quote: u8) -> Option<(usize, u8)> {
        let rest = self.rest();
        let mut classes = 0;
        let head = rest.get(..LONG_VALUE).unwrap_or(rest);
        let (words, _) = head.as_chunks::<8>();
        let plain = words.iter().take_while(|word| is_plain(**word)).count() * 8;
        for (index, byte) in head.iter().enumerate().skip(plain) {
            let class = class_of(*byte);
            classes |= class;
            if class & (QUOTE | LESS) == 0 {
                continue;
            }
            if *byte == quote {
                self.at += index + 1;
                return Some((index, classes));
            }
            if class & LESS != 0 {
                break;
            }
        }
        self.quoted_long(quote)
            .map(|length| (length, AMPERSAND | UNUSUAL))
    }

    fn quoted_long(&mut self, quote: u8) -> Option<usize> {
        let rest = self.rest();
        let close = memchr::memchr(quote, rest);
        if close.is_none() && !self.is_final {
            return None;
        }
        let value = close.and_then(|end| rest.get(..end)).unwrap_or(rest);
        let Some(less) = memchr::memchr(b'<', value) else {
            let length = close?;
            self.at += length + 1;
            return Some(length);
        };
        self.broken(rest, close, less)
    }

    #[cold]
    fn broken(&mut self, rest: &[u8], close: Option<usize>, less: usize) -> Option<usize> {
        let follower = close.and_then(|end| rest.get(end + 1).copied());
        if follower.is_none() && !self.is_final {
            return None;
        }
        let closes_well = follower
            .is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'?'));
        if let (Some(end), true) = (close, closes_well) {
            self.flaws.raw_less = true;
            self.at += end + 1;
            return Some(end);
        }
        self.flaws.malformed = true;
        let before = rest.get(..less).unwrap_or(rest);
        let end = memchr::memchr(b'>', before).map_or(less, |greater| {
            let closes = before
                .get(..greater)
                .is_some_and(|value| value.ends_with(b"/"));
            greater - usize::from(closes)
        });
        self.at += end;
        Some(end)
    }
}
