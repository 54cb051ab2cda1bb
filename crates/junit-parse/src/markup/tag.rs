//! An own attribute scan over one tag, which decides where the tag ends.

/// One attribute as written: the value is neither unescaped nor normalised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
    /// Where the value begins in the text.
    pub(crate) at: usize,
}

/// A start tag or an empty tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    pub(crate) name: &'a str,
    /// Offset behind the tag.
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

/// The part of a name behind its prefix.
pub(crate) fn local_name(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

pub(crate) const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80
}

const fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<' | b'=' | b'"' | b'\'')
}

/// Scans the tag whose `<` stands at `start`; `None` when the text ends inside it.
pub(crate) fn scan_tag<'a>(
    text: &'a str,
    start: usize,
    mut each: impl FnMut(Attribute<'a>),
) -> Option<Tag<'a>> {
    let mut scan = Scan {
        text,
        bytes: text.as_bytes(),
        at: start + 1,
        flaws: Flaws::default(),
    };
    let name = scan.name();
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
        name,
        end: scan.at,
        is_empty,
        flaws: scan.flaws,
    })
}

struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    flaws: Flaws,
}

impl<'a> Scan<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn peek_second(&self) -> Option<u8> {
        self.bytes.get(self.at + 1).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) -> bool {
        let blanks = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let count = blanks.count();
        self.at += count;
        count > 0
    }

    /// Takes `length` bytes; all ends are ASCII bytes or the end of the text.
    fn take(&mut self, length: usize) -> &'a str {
        let part = self.text.get(self.at..self.at + length).unwrap_or_default();
        self.at += length;
        part
    }

    fn name(&mut self) -> &'a str {
        let length = self
            .rest()
            .iter()
            .take_while(|byte| !ends_name(**byte))
            .count();
        self.take(length)
    }

    /// One attribute, given to `each` when it has a value; `None` at the end of the text.
    fn attribute(&mut self, each: &mut impl FnMut(Attribute<'a>)) -> Option<()> {
        let name = self.name();
        self.skip_blanks();
        if self.peek()? != b'=' {
            self.flaws.malformed = true;
            return Some(());
        }
        self.at += 1;
        self.skip_blanks();
        let quote = self.peek()?;
        if !matches!(quote, b'"' | b'\'') {
            self.flaws.malformed = true;
            let at = self.at;
            let value = self.unquoted();
            each(Attribute { name, value, at });
            return Some(());
        }
        self.at += 1;
        let at = self.at;
        let value = self.quoted(quote)?;
        each(Attribute { name, value, at });
        Some(())
    }

    fn unquoted(&mut self) -> &'a str {
        let rest = self.rest();
        let ends = |(index, byte): &(usize, &u8)| {
            let closes = **byte == b'/' && rest.get(index + 1) == Some(&b'>');
            !(byte.is_ascii_whitespace() || matches!(byte, b'>' | b'<') || closes)
        };
        let length = rest.iter().enumerate().take_while(ends).count();
        self.take(length)
    }

    /// A value up to its quote. A value that runs into markup because its own quote is missing
    /// ends at the next `>` or `<`.
    fn quoted(&mut self, quote: u8) -> Option<&'a str> {
        let rest = self.rest();
        let close = memchr::memchr(quote, rest);
        let less = memchr::memchr(b'<', close.and_then(|end| rest.get(..end)).unwrap_or(rest));
        let Some(less) = less else {
            let value = self.take(close?);
            self.at += 1;
            return Some(value);
        };
        let follower = close.and_then(|end| rest.get(end + 1).copied());
        let closes_well = follower
            .is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'?'));
        if let (Some(end), true) = (close, closes_well) {
            self.flaws.raw_less = true;
            let value = self.take(end);
            self.at += 1;
            return Some(value);
        }
        self.flaws.malformed = true;
        let before = rest.get(..less).unwrap_or(rest);
        let end = memchr::memchr(b'>', before).map_or(less, |greater| {
            let closes = before
                .get(..greater)
                .is_some_and(|value| value.ends_with(b"/"));
            greater - usize::from(closes)
        });
        Some(self.take(end))
    }
}
