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
    let bytes = text.as_bytes();
    let mut at = from;
    let mut own_depth = 0_usize;
    let mut foreign = Vec::new();
    let mut has_raw_markup = false;
    let mut no_instruction_ends = false;
    let stopped = |end, stop, has_raw_markup| Body {
        end,
        stop,
        has_raw_markup,
    };
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(less) = memchr::memchr(b'<', rest) else {
            return stopped(text.len(), Stop::EndOfText, has_raw_markup);
        };
        at += less;
        let rest = rest.get(less..).unwrap_or_default();
        match rest.get(1) {
            // Once no end was found there is none further on: each byte is searched once.
            Some(b'?') if no_instruction_ends => {
                has_raw_markup = true;
                at += 1;
            }
            Some(b'!' | b'?') => match declaration_end(rest) {
                Section::Ends(length) => at += length,
                Section::NeverEnds => {
                    return stopped(text.len(), Stop::EndOfText, has_raw_markup);
                }
                Section::IsText => {
                    no_instruction_ends |= rest.starts_with(b"<?");
                    has_raw_markup = true;
                    at += 1;
                }
            },
            Some(b'/') => {
                let found = tag_name(text, at + 2);
                if found == name {
                    let Some(depth) = own_depth.checked_sub(1) else {
                        let raw = has_raw_markup || !foreign.is_empty();
                        return stopped(at, Stop::Closed, raw);
                    };
                    own_depth = depth;
                } else if is_structure(found) {
                    return stopped(at, Stop::ParentEnd, true);
                } else if foreign.last() == Some(&found) {
                    foreign.pop();
                } else {
                    has_raw_markup = true;
                }
                at += 2;
            }
            Some(byte) if is_name_start(*byte) => {
                let found = tag_name(text, at + 1);
                if is_structure(found) {
                    return stopped(at, Stop::NewStructure, has_raw_markup);
                }
                match scan_tag(text, at, |_| {}) {
                    Some(tag) => {
                        has_raw_markup |= tag.flaws.malformed || tag.flaws.raw_less;
                        if tag.is_empty {
                            at = tag.end;
                            continue;
                        }
                        if found == name {
                            own_depth += 1;
                        } else if foreign.len() < 256 {
                            foreign.push(found);
                        } else {
                            has_raw_markup = true;
                        }
                    }
                    None => has_raw_markup = true,
                }
                // Not behind the tag: when it is text, what follows may be markup.
                at += 1;
            }
            _ => {
                has_raw_markup = true;
                at += 1;
            }
        }
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

fn declaration_end(rest: &[u8]) -> Section {
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
