//! Finds the end of an element's body by search, without looking at each piece of markup in it.
use super::tag::{is_name_start, local_name, scan_tag};

/// Where a skipped body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Body {
    /// Offset of the `<` that ended it, or the end of the text.
    pub(crate) end: usize,
    pub(crate) stop: Stop,
    /// Raw markup in it that is no child element.
    pub(crate) has_raw_markup: bool,
}

/// What ended a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Its end tag.
    Closed,
    /// The end tag of a case or suite: the body's own end tag is missing.
    ParentEnd,
    /// The start tag of a case or suite.
    NewStructure,
    /// The end of the text.
    EndOfText,
}

/// The structure a body must not run over, whatever is missing in it.
fn is_structure(name: &str) -> bool {
    matches!(local_name(name), "testcase" | "testsuite" | "testsuites")
}

/// Finds the end of the body that begins at `from` and belongs to an element called `name`.
pub(crate) fn skip_body(text: &str, from: usize, name: &str) -> Body {
    let mut skip = Skip {
        text,
        name,
        at: from,
        own_depth: 0,
        foreign: Vec::new(),
        has_raw_markup: false,
        no_instruction_ends: false,
    };
    let stop = loop {
        let rest = text.as_bytes().get(skip.at..).unwrap_or_default();
        let Some(less) = memchr::memchr(b'<', rest) else {
            skip.at = text.len();
            break Stop::EndOfText;
        };
        skip.at += less;
        if let Some(stop) = skip.markup(rest.get(less..).unwrap_or_default()) {
            break stop;
        }
    };
    Body {
        end: skip.at,
        stop,
        has_raw_markup: skip.has_raw_markup,
    }
}

/// Open foreign elements that are told apart; deeper ones count as raw markup.
const FOREIGN_DEPTH: usize = 256;

struct Skip<'a> {
    text: &'a str,
    name: &'a str,
    at: usize,
    own_depth: usize,
    foreign: Vec<&'a str>,
    has_raw_markup: bool,
    no_instruction_ends: bool,
}

impl Skip<'_> {
    /// Passes over the markup at a `<`, or says that the body ends there.
    fn markup(&mut self, rest: &[u8]) -> Option<Stop> {
        match rest.get(1) {
            Some(b'!' | b'?') => self.section(rest),
            Some(b'/') => self.end_tag(),
            Some(byte) if is_name_start(*byte) => self.start_tag(),
            _ => {
                self.raw_less();
                None
            }
        }
    }

    const fn raw_less(&mut self) {
        self.has_raw_markup = true;
        self.at += 1;
    }

    fn section(&mut self, rest: &[u8]) -> Option<Stop> {
        // Once no end was found there is none further on: each byte is searched once.
        if self.no_instruction_ends && rest.starts_with(b"<?") {
            self.raw_less();
            return None;
        }
        match section_end(rest) {
            Section::Ends(length) => self.at += length,
            Section::NeverEnds => {
                self.at = self.text.len();
                return Some(Stop::EndOfText);
            }
            Section::IsText => {
                self.no_instruction_ends |= rest.starts_with(b"<?");
                self.raw_less();
            }
        }
        None
    }

    fn end_tag(&mut self) -> Option<Stop> {
        let found = tag_name(self.text, self.at + 2);
        if found == self.name {
            let Some(depth) = self.own_depth.checked_sub(1) else {
                self.has_raw_markup |= !self.foreign.is_empty();
                return Some(Stop::Closed);
            };
            self.own_depth = depth;
        } else if is_structure(found) {
            return Some(Stop::ParentEnd);
        } else if self.foreign.last() == Some(&found) {
            self.foreign.pop();
        } else {
            self.has_raw_markup = true;
        }
        self.at += 2;
        None
    }

    fn start_tag(&mut self) -> Option<Stop> {
        let found = tag_name(self.text, self.at + 1);
        if is_structure(found) {
            return Some(Stop::NewStructure);
        }
        match scan_tag(self.text, self.at, |_| {}) {
            Some(tag) => {
                self.has_raw_markup |= tag.flaws.malformed || tag.flaws.raw_less;
                if tag.is_empty {
                    self.at = tag.end;
                    return None;
                }
                if found == self.name {
                    self.own_depth += 1;
                } else if self.foreign.len() < FOREIGN_DEPTH {
                    self.foreign.push(found);
                } else {
                    self.has_raw_markup = true;
                }
            }
            None => self.has_raw_markup = true,
        }
        // Not behind the tag: when it is text, what follows may be markup.
        self.at += 1;
        None
    }
}

/// The name that begins at `at`.
fn tag_name(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<' | b'=');
    let end = rest.bytes().position(|byte| ends(&byte));
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}

/// How far a CDATA section, a comment or a processing instruction reaches.
enum Section {
    Ends(usize),
    /// A CDATA section or comment that is open at the end of the text.
    NeverEnds,
    /// Something that only looks like one.
    IsText,
}

fn section_end(rest: &[u8]) -> Section {
    let end = |begin: &[u8], mark: &[u8]| {
        let inner = rest.get(begin.len()..)?;
        let found = memchr::memmem::find(inner, mark)?;
        Some(begin.len() + found + mark.len())
    };
    if rest.starts_with(b"<![CDATA[") {
        return end(b"<![CDATA[", b"]]>").map_or(Section::NeverEnds, Section::Ends);
    }
    if rest.starts_with(b"<!--") {
        // What an open comment hides must not come to light as cases.
        return end(b"<!--", b"-->").map_or(Section::NeverEnds, Section::Ends);
    }
    let found = rest.starts_with(b"<?").then(|| end(b"<?", b"?>")).flatten();
    found.map_or(Section::IsText, Section::Ends)
}
