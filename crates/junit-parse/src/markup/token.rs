//! Structure by `quick-xml`, held to the own tag scan and restarted where the two disagree.
use quick_xml::events::Event as XmlEvent;
use std::io::BufRead as _;

use super::tag::{Attribute, Tag, is_name_start, scan_tag};

/// A piece of markup outside skipped bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// `<name ...>` or `<name .../>`, and where it begins.
    Start(Tag<'a>, usize),
    /// `</name>`.
    End {
        name: &'a str,
        at: usize,
        is_malformed: bool,
    },
    /// Text that is not blank, with the references as written.
    Text { raw: &'a str, at: usize },
    /// A CDATA section that is not blank.
    Cdata { at: usize },
    /// A `<` that begins no markup.
    RawLess { at: usize },
    /// `<?xml ...?>`.
    Declaration { at: usize },
    /// `<!DOCTYPE ...>`.
    Doctype { at: usize },
    /// The text ends inside the markup that begins here.
    Cut { at: usize },
}

/// The markup of a text in order.
pub(crate) struct Tokens<'a> {
    text: &'a str,
    xml: quick_xml::Reader<&'a [u8]>,
}

impl std::fmt::Debug for Tokens<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens")
            .field("at", &self.position())
            .finish_non_exhaustive()
    }
}

fn reader(text: &str) -> quick_xml::Reader<&[u8]> {
    let mut xml = quick_xml::Reader::from_str(text);
    let config = xml.config_mut();
    // The stack of open elements is ours, since recovery needs it.
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    xml
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            xml: reader(text),
        }
    }

    /// Offset of the next byte. Counted from the end, because a byte order mark is eaten uncounted.
    pub(crate) fn position(&self) -> usize {
        self.text.len() - self.xml.get_ref().len()
    }

    /// Moves forward to `target`. Allowed only between tokens.
    pub(crate) fn skip_to(&mut self, target: usize) {
        let length = target.saturating_sub(self.position());
        let length = length.min(self.xml.get_ref().len());
        self.xml.stream().consume(length);
    }

    /// Moves to any place, by starting again there.
    pub(crate) fn restart_at(&mut self, target: usize) {
        self.xml = reader(self.text.get(target..).unwrap_or_default());
    }

    /// The next token; attributes of a start tag are given to `each`. `None` at the end.
    pub(crate) fn next(&mut self, each: impl FnMut(Attribute<'a>)) -> Option<Token<'a>> {
        loop {
            let at = self.position();
            let rest = self.text.get(at..).filter(|rest| !rest.is_empty())?;
            let less = memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
            if less > 0 {
                self.skip_to(at + less);
                let raw = rest.get(..less).unwrap_or_default();
                if raw.bytes().all(|byte| byte.is_ascii_whitespace()) {
                    continue;
                }
                return Some(Token::Text { raw, at });
            }
            let rest = rest.as_bytes();
            return match rest.get(1) {
                None => {
                    self.skip_to(self.text.len());
                    Some(Token::Cut { at })
                }
                Some(b'!' | b'?') if is_declaration(rest) => match self.declaration(at) {
                    Some(token) => Some(token),
                    None => continue,
                },
                Some(b'/') if rest.get(2).is_none_or(|byte| is_name_start(*byte)) => {
                    Some(self.end_tag(at))
                }
                Some(byte) if is_name_start(*byte) => Some(self.start_tag(at, each)),
                Some(_) => {
                    self.skip_to(at + 1);
                    Some(Token::RawLess { at })
                }
            };
        }
    }

    fn start_tag(&mut self, at: usize, each: impl FnMut(Attribute<'a>)) -> Token<'a> {
        let Some(tag) = scan_tag(self.text, at, each) else {
            self.restart_at(self.text.len());
            return Token::Cut { at };
        };
        self.agree_on(tag.end, tag.flaws.malformed);
        Token::Start(tag, at)
    }

    fn end_tag(&mut self, at: usize) -> Token<'a> {
        let Some(tag) = scan_tag(self.text, at + 1, |_| {}) else {
            self.restart_at(self.text.len());
            return Token::Cut { at };
        };
        let plain = at + 2 + tag.name.len();
        let tail = self.text.get(plain..tag.end).unwrap_or_default();
        let is_malformed = tail.trim_start() != ">";
        self.agree_on(tag.end, is_malformed);
        Token::End {
            name: tag.name,
            at,
            is_malformed,
        }
    }

    /// Lets `quick-xml` read the tag; where it ends elsewhere, the own scan counts. A malformed tag
    /// is kept from it: it would search for the end far beyond.
    fn agree_on(&mut self, end: usize, is_malformed: bool) {
        if is_malformed || self.xml.read_event().is_err() || self.position() != end {
            self.restart_at(end);
        }
    }

    /// A comment, CDATA section, processing instruction or DOCTYPE; `None` when it says nothing.
    fn declaration(&mut self, at: usize) -> Option<Token<'a>> {
        match self.xml.read_event() {
            Ok(XmlEvent::Decl(_)) => Some(Token::Declaration { at }),
            Ok(XmlEvent::DocType(_)) => Some(Token::Doctype { at }),
            Ok(XmlEvent::CData(text)) if !text.trim().is_empty() => Some(Token::Cdata { at }),
            Ok(_) => None,
            Err(_) => {
                self.restart_at(self.text.len());
                Some(Token::Cut { at })
            }
        }
    }
}

fn is_declaration(rest: &[u8]) -> bool {
    let doctype = b"<!DOCTYPE";
    rest.starts_with(b"<!--")
        || rest.starts_with(b"<![CDATA[")
        || rest.starts_with(b"<?")
        || rest.get(..doctype.len()).is_some_and(|head| head.eq_ignore_ascii_case(doctype))
        // A declaration that the end of the text cut.
        || b"<!--".starts_with(rest)
        || b"<![CDATA[".starts_with(rest)
        || doctype.starts_with(rest)
}
