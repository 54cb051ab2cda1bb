//! A JSON value as a tree, and its one canonical spelling.
use std::collections::BTreeSet;

use super::{NotJson, Scanner};

/// What a contract file may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    /// A decimal integer of any size, spelt canonically.
    Integer(String),
    /// A number that two readers may read differently (a fraction, an exponent, another base).
    Refused(String),
    Text(String),
    Array(Vec<Self>),
    /// In the order of the file; keys may repeat until [`Node::repeats_a_key`] says they do not.
    Object(Vec<(String, Self)>),
}

impl Node {
    /// Nested levels a contract may have.
    pub(crate) const DEPTH: usize = 32;

    /// Reads a whole JSON text.
    pub(crate) fn from_json(text: &str) -> Result<Self, NotJson> {
        let mut scanner = Scanner::new(text);
        let node = scanner.node(Self::DEPTH)?;
        scanner.end()?;
        Ok(node)
    }

    /// An integer from its decimal spelling (`-0` is `0`).
    pub(crate) fn integer(text: &str) -> Self {
        let text = if text == "-0" { "0" } else { text };
        Self::Integer(text.to_owned())
    }

    /// Whether any object in it has a key twice.
    pub(crate) fn repeats_a_key(&self) -> bool {
        match self {
            Self::Array(items) => items.iter().any(Self::repeats_a_key),
            Self::Object(entries) => {
                let mut keys = BTreeSet::new();
                entries
                    .iter()
                    .any(|(key, value)| !keys.insert(key) || value.repeats_a_key())
            }
            Self::Null | Self::Bool(_) | Self::Integer(_) | Self::Refused(_) | Self::Text(_) => {
                false
            }
        }
    }

    /// The first refused number in it, as written.
    pub(crate) fn refused(&self) -> Option<&str> {
        match self {
            Self::Refused(text) => Some(text),
            Self::Array(items) => items.iter().find_map(Self::refused),
            Self::Object(entries) => entries.iter().find_map(|(_, value)| value.refused()),
            Self::Null | Self::Bool(_) | Self::Integer(_) | Self::Text(_) => None,
        }
    }

    /// The canonical JSON: keys sorted by code point, no blanks, as few escapes as JSON allows.
    pub(crate) fn canonical(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, None);
        out
    }

    /// The same value over several lines, for people.
    pub(crate) fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Some(0));
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, indent: Option<usize>) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            Self::Integer(digits) | Self::Refused(digits) => out.push_str(digits),
            Self::Text(value) => text(out, value),
            Self::Array(items) => {
                // Lists of plain values stay on one line.
                let inner = if items.iter().any(Self::is_nested) {
                    indent.map(|by| by + 1)
                } else {
                    None
                };
                let spaced = indent.is_some() && inner.is_none();
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push_str(if spaced { ", " } else { "," });
                    }
                    line(out, inner);
                    item.write(out, inner);
                }
                if !items.is_empty() {
                    line(out, inner.map(|by| by - 1));
                }
                out.push(']');
            }
            Self::Object(entries) => {
                let mut sorted: Vec<_> = entries.iter().collect();
                sorted.sort_by(|(left, _), (right, _)| left.cmp(right));
                let inner = indent.map(|by| by + 1);
                out.push('{');
                for (at, (key, value)) in sorted.into_iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    line(out, inner);
                    text(out, key);
                    out.push_str(if inner.is_some() { ": " } else { ":" });
                    value.write(out, inner);
                }
                if !entries.is_empty() {
                    line(out, indent);
                }
                out.push('}');
            }
        }
    }

    const fn is_nested(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Object(_))
    }
}

impl Scanner<'_> {
    /// One value of at most `depth` nested levels.
    pub(crate) fn node(&mut self, depth: usize) -> Result<Node, NotJson> {
        match self.peek() {
            Some(b'"') => Ok(Node::Text(self.string()?.into_owned())),
            Some(b'{') => self.object(depth.checked_sub(1).ok_or(NotJson)?),
            Some(b'[') => self.array(depth.checked_sub(1).ok_or(NotJson)?),
            Some(b't') => self.word("true").map(|()| Node::Bool(true)),
            Some(b'f') => self.word("false").map(|()| Node::Bool(false)),
            Some(b'n') => self.word("null").map(|()| Node::Null),
            Some(_) => {
                let number = self.number()?;
                Ok(if number.whole {
                    Node::integer(number.text)
                } else {
                    Node::Refused(number.text.to_owned())
                })
            }
            None => Err(NotJson),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Node, NotJson> {
        let mut items = Vec::new();
        self.items(|scanner| {
            items.push(scanner.node(depth)?);
            Ok(())
        })?;
        Ok(Node::Array(items))
    }

    fn object(&mut self, depth: usize) -> Result<Node, NotJson> {
        let mut entries = Vec::new();
        self.entries(|scanner, key| {
            entries.push((key, scanner.node(depth)?));
            Ok(())
        })?;
        Ok(Node::Object(entries))
    }

    /// Passes over an array; `item` reads each item, whole.
    pub(crate) fn items(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), NotJson>,
    ) -> Result<(), NotJson> {
        self.expect(b'[')?;
        if self.peek() == Some(b']') {
            self.take();
            return Ok(());
        }
        loop {
            item(self)?;
            match self.take() {
                Some(b',') => {}
                Some(b']') => return Ok(()),
                Some(_) | None => return Err(NotJson),
            }
        }
    }

    /// Passes over an object; `entry` reads each value, whole.
    pub(crate) fn entries(
        &mut self,
        mut entry: impl FnMut(&mut Self, String) -> Result<(), NotJson>,
    ) -> Result<(), NotJson> {
        self.expect(b'{')?;
        if self.peek() == Some(b'}') {
            self.take();
            return Ok(());
        }
        loop {
            let key = self.string()?.into_owned();
            self.expect(b':')?;
            entry(self, key)?;
            match self.take() {
                Some(b',') => {}
                Some(b'}') => return Ok(()),
                Some(_) | None => return Err(NotJson),
            }
        }
    }
}

fn line(out: &mut String, indent: Option<usize>) {
    if let Some(by) = indent {
        out.push('\n');
        for _ in 0..by {
            out.push_str("  ");
        }
    }
}

/// A JSON string as RFC 8785 spells it.
pub(crate) fn text(out: &mut String, value: &str) {
    out.push('"');
    for symbol in value.chars() {
        match symbol {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => {
                let code = u32::from(control);
                out.push_str("\\u00");
                for digit in [code >> 4, code & 15] {
                    out.push(char::from_digit(digit, 16).unwrap_or('0'));
                }
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
