//! Where reading ends: the end of the file, a cut, a limit, a stream that fails.
use super::machine::{Machine, Open};
use super::record::{ElementRecord, Field};
use super::{ElementKind, Ending};
use crate::input::{empty, io_error};
use crate::markup::{Began, Fault, Head, Place, RawText, Source, Tag, local_name};
use crate::warning::{Note, shown, shown_bytes};
use crate::{Completeness, Limits, ParseError, ParseErrorKind, Warning, WarningKind};

/// What a fault met.
#[derive(Debug)]
pub(super) struct Cause {
    fault: Fault,
    /// The element that is too large.
    what: String,
}

impl Cause {
    pub(super) fn at_tag(fault: Fault) -> Self {
        Self {
            fault,
            what: "a tag".to_owned(),
        }
    }

    pub(super) fn in_body(fault: Fault, name: &[u8]) -> Self {
        Self {
            fault,
            what: format!("the element {} without its end tag", shown_bytes(name)),
        }
    }
}

/// Why there is nothing more, and where.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// Nothing of a report is in the file; where its first content stands, if there is any.
    NotJunit(Option<(usize, Option<Place>)>),
    /// The source gave out.
    Fault(Fault, String, Place),
}

impl Stopped {
    /// As an error; `find` gives places that are not known yet.
    pub(super) fn into_error(
        self,
        limits: &Limits,
        find: impl FnOnce(usize) -> (u64, u64),
    ) -> ParseError {
        match self {
            Self::NotJunit(None) => empty("the report holds nothing"),
            Self::NotJunit(Some((at, place))) => {
                let (offset, line) = place.map_or_else(|| find(at), |it| (it.offset, it.line));
                let message =
                    "no `testsuites`, `testsuite` or `testcase` element: not a JUnit report";
                ParseError::new(ParseErrorKind::NotJunit, message.to_owned(), offset, line)
            }
            Self::Fault(Fault::Full, what, place) => {
                let limit = limits.max_text_bytes;
                let message = format!("{what} is larger than the limit of {limit} bytes");
                ParseError::new(ParseErrorKind::Limit, message, place.offset, place.line)
            }
            Self::Fault(Fault::TooLarge, ..) => crate::input::too_large(limits),
            Self::Fault(Fault::Io(error), _, place) => io_error(&error, place.offset, place.line),
        }
    }
}

impl<S: Source> Machine<S> {
    pub(super) const fn check_root(&self) -> Result<(), Stopped> {
        if self.root.is_junit {
            Ok(())
        } else {
            Err(Stopped::NotJunit(self.root.content))
        }
    }

    /// The source gave out: what had failed by then is handed out, then the error.
    pub(super) fn fail(&mut self, cause: Cause) {
        let at = self.source.position();
        let place = self.source.place(at);
        let nowhere = Place { offset: 0, line: 1 };
        let Cause { fault, what } = cause;
        self.fault = Some(Stopped::Fault(fault, what, place.unwrap_or(nowhere)));
        self.truncate(at, place, "the report could not be read any further");
    }

    pub(super) fn outside_text(&mut self, at: usize, place: Option<Place>) {
        let place = place.or_else(|| self.source.place(at));
        let (kind, message) = if self.root.is_junit {
            (WarningKind::TrailingText, "text after the root element")
        } else {
            self.root.has_text = true;
            (WarningKind::LeadingText, "text before the root element")
        };
        self.notes.add_at(kind, at, || place, || message.to_owned());
    }

    /// The start tag was broken, so that it read as text: what it stood for is not forgotten.
    pub(super) fn end_without_start(&mut self, tag: &Tag, at: usize) {
        let rest = self.source.rest();
        let name = rest.get(2..tag.name_end).unwrap_or_default();
        let local = local_name(name);
        let (is_case, kind) = (local == b"testcase", ElementKind::of(local));
        let name = shown_bytes(name);
        let message = || format!("end tag {name} without its start tag");
        self.note(WarningKind::UnexpectedEndTag, at, message);
        if is_case {
            let message = || "a case whose start tag is broken is left out".to_owned();
            self.note(WarningKind::IncompleteCase, at, message);
        }
        if let (Some(kind), Some(_)) = (kind, self.inside_case()) {
            self.add_element(ElementRecord::new(kind, at));
        }
    }

    pub(super) fn note_incomplete(&mut self, name: Field, open: &Open) {
        let store = self.source.store();
        let name = name.map(|name| RawText::of(name, store).decode());
        let name = shown(&name.unwrap_or_default());
        let message = format!("the case {name} has no end, it is left out");
        self.note_open(WarningKind::IncompleteCase, open, message);
    }

    pub(super) fn stop_at_limit(
        &mut self,
        kind: WarningKind,
        at: usize,
        message: impl FnOnce() -> String,
    ) {
        self.note(kind, at, message);
        let place = self.source.place(at);
        self.truncate(at, place, "the report is cut at a limit");
    }

    /// The text ended inside the markup that began there.
    pub(super) fn cut(&mut self, began: Began, head: Head) {
        let Began { at, place } = began;
        if head == Head::Case && self.root.is_junit {
            let message = || "a case whose start tag is cut, it is left out".to_owned();
            self.notes
                .add_at(WarningKind::IncompleteCase, at, || place, message);
        }
        if self.stack.is_empty() && !(self.root.is_junit && head != Head::Other) {
            self.outside_text(at, place);
            self.is_done = true;
            return;
        }
        self.truncate(at, place, "the file ends inside the report");
    }

    pub(super) fn end_of_text(&mut self) {
        self.is_done = true;
        if !self.stack.is_empty() {
            let at = self.source.position();
            let place = self.source.place(at);
            self.truncate(at, place, "the file ends inside the report");
        }
    }

    pub(super) fn truncate(&mut self, at: usize, place: Option<Place>, message: &str) {
        self.is_done = true;
        if self.truncated.is_none() {
            self.truncated = Some((at, place));
            let message = || message.to_owned();
            self.notes
                .add_at(WarningKind::Truncated, at, || place, message);
        }
        while !self.stack.is_empty() {
            self.close(false);
        }
    }

    /// How the file ended so far, and the warnings; `find` gives places that are not known yet, and
    /// is asked in rising order.
    pub(super) fn into_ending(
        self,
        more: Option<Note>,
        mut find: impl FnMut(usize) -> (u64, u64),
        find_end: impl FnOnce(usize) -> (u64, u64),
    ) -> Ending {
        let mut notes = self.notes;
        if let Some(note) = more {
            notes.add_first(note);
        }
        let completeness = match self.truncated {
            Some((at, place)) => Completeness::Truncated {
                offset: place.map_or_else(|| find_end(at).0, |place| place.offset),
            },
            None if notes.is_repaired() => Completeness::Recovered,
            None => Completeness::Complete,
        };
        let warnings_omitted = notes.omitted();
        let warnings = notes.into_sorted().into_iter().map(|note| {
            let (offset, line) = match note.place {
                Some(place) => (place.offset, place.line),
                None => find(note.at),
            };
            Warning {
                kind: note.kind,
                message: note.message,
                offset,
                line,
            }
        });
        Ending {
            completeness,
            warnings: warnings.collect(),
            warnings_omitted,
        }
    }
}
