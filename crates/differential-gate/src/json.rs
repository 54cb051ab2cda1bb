//! A strict JSON scanner: exact numbers, borrowed strings, no recursion limit but its own.
//!
//! Hand-written because a contract needs integers of any size and duplicate keys seen, and because
//! a row must be read once, whole, without an allocation.
mod node;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;

pub(crate) use node::{Node, text as write_text};

/// The text is not JSON, or nests deeper than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotJson;

/// A number as it was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number<'a> {
    pub(crate) text: &'a str,
    /// Neither a fraction nor an exponent.
    pub(crate) whole: bool,
}

/// Reads one JSON text from its start.
#[derive(Debug)]
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next byte that is no blank, left where it is.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = self.text.as_bytes().get(self.at).copied();
            match byte {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(_) | None => return byte,
            }
        }
    }

    /// Takes the next byte that is no blank.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Result<(), NotJson> {
        if self.take() == Some(byte) {
            Ok(())
        } else {
            Err(NotJson)
        }
    }

    /// Nothing but blanks may follow.
    #[inline]
    pub(crate) fn end(&mut self) -> Result<(), NotJson> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(NotJson),
        }
    }

    /// A string, from its opening quote.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, NotJson> {
        self.expect(b'"')?;
        let start = self.at;
        self.at = plain_end(self.text.as_bytes(), start);
        let plain = self.text.get(start..self.at).ok_or(NotJson)?;
        match self.text.as_bytes().get(self.at) {
            Some(b'"') => {
                self.at += 1;
                Ok(Cow::Borrowed(plain))
            }
            Some(b'\\') => self.escaped(plain).map(Cow::Owned),
            Some(_) | None => Err(NotJson),
        }
    }

    #[cold]
    fn escaped(&mut self, plain: &str) -> Result<String, NotJson> {
        let mut out = String::from(plain);
        loop {
            let byte = self.text.as_bytes().get(self.at).copied();
            self.at += 1;
            match byte {
                Some(b'"') => return Ok(out),
                Some(b'\\') => out.push(self.escape()?),
                Some(_) | None => return Err(NotJson),
            }
            let start = self.at;
            self.at = plain_end(self.text.as_bytes(), start);
            out.push_str(self.text.get(start..self.at).ok_or(NotJson)?);
        }
    }

    fn escape(&mut self) -> Result<char, NotJson> {
        let byte = self.text.as_bytes().get(self.at).copied();
        self.at += 1;
        Ok(match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            Some(_) | None => return Err(NotJson),
        })
    }

    /// A `\u` escape; a surrogate must stand in a pair.
    fn unicode(&mut self) -> Result<char, NotJson> {
        let first = self.hex()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).ok_or(NotJson);
        }
        if self.text.as_bytes().get(self.at..self.at + 2) != Some(b"\\u".as_slice()) {
            return Err(NotJson);
        }
        self.at += 2;
        let second = self.hex()?;
        if !(0xDC00..0xE000).contains(&second) {
            return Err(NotJson);
        }
        char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)).ok_or(NotJson)
    }

    fn hex(&mut self) -> Result<u32, NotJson> {
        let digits = self.text.get(self.at..self.at + 4).ok_or(NotJson)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NotJson);
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| NotJson)
    }

    /// A number by the grammar of JSON: no sign but `-`, no leading zero, no bare point.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<Number<'a>, NotJson> {
        self.peek();
        let start = self.at;
        if self.here() == Some(b'-') {
            self.at += 1;
        }
        if self.here() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        let mut whole = true;
        if self.here() == Some(b'.') {
            whole = false;
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.here(), Some(b'e' | b'E')) {
            whole = false;
            self.at += 1;
            if matches!(self.here(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = self.text.get(start..self.at).ok_or(NotJson)?;
        Ok(Number { text, whole })
    }

    #[inline]
    fn here(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn digits(&mut self) -> Result<(), NotJson> {
        let start = self.at;
        while self.here().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start {
            Ok(())
        } else {
            Err(NotJson)
        }
    }

    /// One of `true`, `false`, `null`.
    pub(crate) fn word(&mut self, word: &str) -> Result<(), NotJson> {
        self.peek();
        let end = self.at + word.len();
        if self.text.as_bytes().get(self.at..end) == Some(word.as_bytes()) {
            self.at = end;
            Ok(())
        } else {
            Err(NotJson)
        }
    }

    /// Passes over one value of at most `depth` nested levels; says whether an object in it
    /// repeats a key.
    pub(crate) fn skip(&mut self, depth: usize) -> Result<bool, NotJson> {
        match self.peek() {
            Some(b'"') => self.string().map(|_| false),
            Some(b'{') => self.skip_object(depth.checked_sub(1).ok_or(NotJson)?),
            Some(b'[') => self.skip_array(depth.checked_sub(1).ok_or(NotJson)?),
            Some(b't') => self.word("true").map(|()| false),
            Some(b'f') => self.word("false").map(|()| false),
            Some(b'n') => self.word("null").map(|()| false),
            Some(_) => self.number().map(|_| false),
            None => Err(NotJson),
        }
    }

    fn skip_array(&mut self, depth: usize) -> Result<bool, NotJson> {
        self.expect(b'[')?;
        let mut repeated = false;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(false);
        }
        loop {
            repeated |= self.skip(depth)?;
            match self.take() {
                Some(b',') => {}
                Some(b']') => return Ok(repeated),
                Some(_) | None => return Err(NotJson),
            }
        }
    }

    fn skip_object(&mut self, depth: usize) -> Result<bool, NotJson> {
        self.expect(b'{')?;
        let mut keys = Keys::default();
        let mut repeated = false;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(false);
        }
        loop {
            let key = self.string()?;
            repeated |= !keys.insert(key);
            self.expect(b':')?;
            repeated |= self.skip(depth)?;
            match self.take() {
                Some(b',') => {}
                Some(b'}') => return Ok(repeated),
                Some(_) | None => return Err(NotJson),
            }
        }
    }
}

/// The keys of one object so far. A few are compared one by one, many are sorted.
#[derive(Debug, Default)]
pub(crate) struct Keys<'a> {
    few: Vec<Cow<'a, str>>,
    many: BTreeSet<Cow<'a, str>>,
}

impl<'a> Keys<'a> {
    const FEW: usize = 24;

    /// Whether `key` was not there before.
    pub(crate) fn insert(&mut self, key: Cow<'a, str>) -> bool {
        if self.few.contains(&key) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(key);
            return true;
        }
        self.many.insert(key)
    }
}

/// Where the plain part of a string that goes on at `start` ends: at a quote, a backslash, a
/// control character or the end of the text. Eight bytes a step.
#[inline]
fn plain_end(bytes: &[u8], start: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let mut at = start;
    while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*eight);
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let quote = (word ^ (ONES * 0x22)).wrapping_sub(ONES) & !(word ^ (ONES * 0x22));
        let slash = (word ^ (ONES * 0x5C)).wrapping_sub(ONES) & !(word ^ (ONES * 0x5C));
        let found = (control | quote | slash) & HIGH;
        if found != 0 {
            // The lowest hit is never a false one: borrows run upwards only.
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..0x20) {
            return at;
        }
        at += 1;
    }
    at
}
