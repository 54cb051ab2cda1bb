//! Finds the end of an element's body by search, without looking at each piece of markup in it.
use super::source::{Fault, Source, Text};
use super::tag::{is_name_start, local_name, scan_tag};

/// Where a skipped body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Body {
    /// Bytes from the position to the `<` that ended it, or to the end of the text.
    pub(crate) end: usize,
    pub(crate) stop: Stop,
    /// Raw markup in it that is no child element.
    pub(crate) has_raw_markup: bool,
    /// Its text, if that was asked for.
    pub(crate) text: Option<Text>,
    /// Whether the position is still the beginning of the body.
    pub(crate) is_at_hand: bool,
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
fn is_structure(name: &[u8]) -> bool {
    matches!(local_name(name), b"testcase" | b"testsuite" | b"testsuites")
}

/// Longer names of elements in a body are told apart by their beginning only.
const NAME_BYTES: usize = 256;

/// A tag in a body that has not ended by then is text.
const TAG_BYTES: usize = 65_536;

/// Open foreign elements that are told apart; deeper ones count as raw markup.
const FOREIGN_DEPTH: usize = 256;

/// Finds the end of the body that begins at the position and belongs to an element called `name`.
/// `keeps`: whether its text is asked for.
///
/// # Errors
/// When the stream fails. A body larger than the window is passed over all the same.
pub(crate) fn skip_body<S: Source>(
    source: &mut S,
    name: &[u8],
    keeps: bool,
) -> Result<Body, Fault> {
    let mut skip = Skip {
        source,
        name: tag_name(name),
        keeps,
        at: 0,
        head: None,
        is_at_hand: true,
        own_depth: 0,
        foreign: Foreign::default(),
        has_raw_markup: false,
        no_instruction_ends: 0,
    };
    let stop = skip.run()?;
    Ok(skip.ended(stop))
}

/// Names of open foreign elements.
#[derive(Default)]
struct Foreign {
    names: Vec<u8>,
    starts: Vec<usize>,
}

impl Foreign {
    fn push(&mut self, name: &[u8]) {
        self.starts.push(self.names.len());
        self.names.extend_from_slice(name);
    }

    fn pop_if(&mut self, name: &[u8]) -> bool {
        let Some(start) = self.starts.last().copied() else {
            return false;
        };
        let found = self.names.get(start..) == Some(name);
        if found {
            self.starts.pop();
            self.names.truncate(start);
        }
        found
    }
}

struct Skip<'s, 'n, S> {
    source: &'s mut S,
    name: &'n [u8],
    keeps: bool,
    /// Bytes from the position that were passed over.
    at: usize,
    /// The kept beginning of a body that is larger than the window.
    head: Option<Text>,
    is_at_hand: bool,
    own_depth: usize,
    foreign: Foreign,
    has_raw_markup: bool,
    /// Text offset before which no `?>` is left to be found.
    no_instruction_ends: usize,
}

impl<S: Source> Skip<'_, '_, S> {
    fn run(&mut self) -> Result<Stop, Fault> {
        loop {
            let rest = self.source.rest().get(self.at..).unwrap_or_default();
            if let Some(less) = memchr::memchr(b'<', rest) {
                self.at += less;
                if let Some(stop) = self.markup()? {
                    return Ok(stop);
                }
            } else {
                self.at += rest.len();
                if self.source.is_final() {
                    return Ok(Stop::EndOfText);
                }
                self.more()?;
            }
        }
    }

    fn ended(self, stop: Stop) -> Body {
        let text = match self.head {
            Some(head) => Some(head),
            None if self.keeps => {
                let mut text = self.source.keep(0, self.at);
                text.is_body = true;
                Some(text)
            }
            None => None,
        };
        Body {
            end: self.at,
            stop,
            has_raw_markup: self.has_raw_markup,
            text,
            is_at_hand: self.is_at_hand,
        }
    }

    /// Brings more to hand. Once the window is full, what was passed over is given up.
    fn more(&mut self) -> Result<(), Fault> {
        if !self.is_at_hand {
            self.source.consume(self.at);
            self.at = 0;
        }
        match self.source.more() {
            Err(Fault::Full) if self.at > 0 => {
                if self.keeps {
                    let mut head = self.source.keep(0, self.at);
                    head.is_body = true;
                    head.is_cut = true;
                    self.head = Some(head);
                    self.keeps = false;
                }
                self.is_at_hand = false;
                self.source.consume(self.at);
                self.at = 0;
                self.source.more()
            }
            other => other,
        }
    }

    /// Tries to have `length` bytes at hand behind what was passed over.
    fn ensure(&mut self, length: usize) -> Result<(), Fault> {
        while !self.source.is_final() && self.source.rest().len() - self.at < length {
            self.more()?;
        }
        Ok(())
    }

    fn rest(&self) -> &[u8] {
        self.source.rest().get(self.at..).unwrap_or_default()
    }

    /// Passes over the markup at a `<`, or says that the body ends there.
    fn markup(&mut self) -> Result<Option<Stop>, Fault> {
        self.ensure(NAME_BYTES)?;
        match self.rest().get(1) {
            Some(b'!' | b'?') => self.section(),
            Some(b'/') => Ok(self.end_tag()),
            Some(byte) if is_name_start(*byte) => self.start_tag(),
            _ => {
                self.raw_less();
                Ok(None)
            }
        }
    }

    const fn raw_less(&mut self) {
        self.has_raw_markup = true;
        self.at += 1;
    }

    fn section(&mut self) -> Result<Option<Stop>, Fault> {
        let rest = self.rest();
        let found = if rest.starts_with(b"<![CDATA[") {
            self.at += b"<![CDATA[".len();
            self.pass(b"]]>")?
        } else if rest.starts_with(b"<!--") {
            // What an open comment hides must not come to light as cases.
            self.at += b"<!--".len();
            self.pass(b"-->")?
        } else if rest.starts_with(b"<?") {
            if !self.pass_instruction()? {
                self.raw_less();
            }
            true
        } else {
            self.raw_less();
            true
        };
        Ok((!found).then_some(Stop::EndOfText))
    }

    /// Passes over everything up to and with `mark`; false when the text ends before.
    fn pass(&mut self, mark: &[u8]) -> Result<bool, Fault> {
        loop {
            let rest = self.rest();
            if let Some(found) = memchr::memmem::find(rest, mark) {
                self.at += found + mark.len();
                return Ok(true);
            }
            let length = rest.len();
            if self.source.is_final() {
                self.at += length;
                return Ok(false);
            }
            self.at += length.saturating_sub(mark.len() - 1);
            self.more()?;
        }
    }

    /// Passes over a processing instruction; false when there is none.
    fn pass_instruction(&mut self) -> Result<bool, Fault> {
        self.ensure(TAG_BYTES)?;
        let from = self.source.position() + self.at;
        let rest = self.rest();
        let rest = rest.get(..TAG_BYTES).unwrap_or(rest);
        // Each byte is searched once, however many `<?` there are.
        let known = self.no_instruction_ends.saturating_sub(from).max(2);
        let search = rest.get(known..).unwrap_or_default();
        if let Some(found) = memchr::memmem::find(search, b"?>") {
            self.at += known + found + 2;
            return Ok(true);
        }
        self.no_instruction_ends = from + rest.len().saturating_sub(1);
        Ok(false)
    }

    fn end_tag(&mut self) -> Option<Stop> {
        let rest = self.source.rest().get(self.at + 2..).unwrap_or_default();
        let found = tag_name(rest);
        if found == self.name {
            let Some(depth) = self.own_depth.checked_sub(1) else {
                self.has_raw_markup |= !self.foreign.starts.is_empty();
                return Some(Stop::Closed);
            };
            self.own_depth = depth;
        } else if is_structure(found) {
            return Some(Stop::ParentEnd);
        } else if !self.foreign.pop_if(found) {
            self.has_raw_markup = true;
        }
        self.at += 2;
        None
    }

    fn start_tag(&mut self) -> Result<Option<Stop>, Fault> {
        if is_structure(tag_name(self.rest().get(1..).unwrap_or_default())) {
            return Ok(Some(Stop::NewStructure));
        }
        let tag = loop {
            let rest = self.rest();
            let is_whole = self.source.is_final() || rest.len() >= TAG_BYTES;
            let rest = rest.get(..TAG_BYTES).unwrap_or(rest);
            match scan_tag(rest, 1, is_whole, |_| {}) {
                None if !is_whole => self.more()?,
                found => break found,
            }
        };
        if let Some(tag) = tag {
            self.has_raw_markup |= tag.flaws.malformed || tag.flaws.raw_less;
            if tag.is_empty {
                self.at += tag.end;
                return Ok(None);
            }
            let rest = self.source.rest().get(self.at + 1..).unwrap_or_default();
            let found = tag_name(rest);
            if found == self.name {
                self.own_depth += 1;
            } else if self.foreign.starts.len() < FOREIGN_DEPTH {
                self.foreign.push(found);
            } else {
                self.has_raw_markup = true;
            }
        } else {
            self.has_raw_markup = true;
        }
        // Not behind the tag: when it is text, what follows may be markup.
        self.at += 1;
        Ok(None)
    }
}

/// The name at the start of `rest`, as far as it is told apart.
fn tag_name(rest: &[u8]) -> &[u8] {
    let rest = rest.get(..NAME_BYTES - 2).unwrap_or(rest);
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<' | b'=');
    let end = rest.iter().position(ends);
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}
