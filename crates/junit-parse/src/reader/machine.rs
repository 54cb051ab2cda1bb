//! The stack of open elements: one machine for slices and for streams.
use std::collections::VecDeque;

use super::record::{CaseRecord, Field, Record, SuiteRecord};
use super::stop::{Cause, Stopped};
use super::{CaseRef, Event, SuiteRef};
use crate::markup::{Attribute, Place, Source, Tag, Token, token};
use crate::warning::Notes;
use crate::{Limits, WarningKind};

/// What is looked at and kept beyond the structure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Care {
    /// Whether texts may hold wrong bytes and forbidden characters.
    pub(crate) checks_bytes: bool,
    /// Whether references in bodies are looked at.
    pub(crate) checks_bodies: bool,
}

/// Reads suites and cases from a source.
#[derive(Debug)]
pub(crate) struct Machine<S> {
    pub(super) source: S,
    pub(super) limits: Limits,
    pub(super) care: Care,
    pub(super) notes: Notes,
    pub(super) attributes: Vec<Attribute>,
    pub(super) stack: Vec<Open>,
    /// Names of the open elements, one behind the other.
    pub(super) open_names: Vec<u8>,
    pub(super) cases: Vec<CaseRecord>,
    pub(super) suites: usize,
    pub(super) emitted: usize,
    pub(super) pending: VecDeque<Record>,
    /// The suite and the case that were handed out last.
    suite: SuiteRecord,
    pub(super) case: CaseRecord,
    /// Whether `case` is still to be handed out.
    pub(super) has_case: bool,
    pub(super) has_closed_suite: bool,
    pub(super) root: Root,
    pub(super) truncated: Option<(usize, Option<Place>)>,
    pub(super) is_done: bool,
    pub(super) fault: Option<Stopped>,
    /// End and number of the unclosed bodies last met, against searching one stretch too often.
    pub(super) unclosed: (usize, usize),
}

/// What was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    SuiteStart,
    Case,
    SuiteEnd(usize),
}

/// An open element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    /// Where its name begins among the names of the open elements.
    pub(super) name: usize,
    pub(super) at: usize,
    pub(super) place: Option<Place>,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Suite {
        index: usize,
        /// The name its cases fall back to.
        name: Field,
        /// Where the kept names end that are needed while it is open.
        names_end: usize,
    },
    Case,
    Other,
}

/// What was seen at the top of the file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Root {
    /// Something other than blanks, comments and declarations, and where.
    pub(super) content: Option<(usize, Option<Place>)>,
    pub(super) elements: usize,
    pub(super) has_text: bool,
    pub(super) is_junit: bool,
}

impl<S: Source> Machine<S> {
    pub(crate) fn new(source: S, limits: &Limits, care: Care) -> Self {
        Self {
            source,
            limits: limits.clone(),
            care,
            notes: Notes::new(limits.max_warnings),
            attributes: Vec::new(),
            stack: Vec::new(),
            open_names: Vec::new(),
            cases: Vec::new(),
            suites: 0,
            emitted: 0,
            pending: VecDeque::new(),
            suite: SuiteRecord::default(),
            case: CaseRecord::default(),
            has_case: false,
            has_closed_suite: false,
            root: Root::default(),
            truncated: None,
            is_done: false,
            fault: None,
            unclosed: (0, 0),
        }
    }

    pub(crate) const fn source(&self) -> &S {
        &self.source
    }

    pub(crate) const fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    pub(crate) const fn notes_mut(&mut self) -> &mut Notes {
        &mut self.notes
    }

    /// The next suite or case, `None` at the end. What was handed out before is forgotten.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<Option<Step>, Stopped> {
        loop {
            if self.has_case {
                self.has_case = false;
                return Ok(Some(Step::Case));
            }
            if let Some(record) = self.pending.pop_front() {
                return Ok(Some(self.step(record)));
            }
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            }
            if self.is_done {
                return self.check_root().map(|()| None);
            }
            self.forget();
            let read = match token::next(&mut self.source, &mut self.attributes) {
                Ok(Some(token)) => self.take(token),
                Ok(None) => {
                    self.end_of_text();
                    Ok(())
                }
                Err(fault) => Err(Cause::at_tag(fault)),
            };
            if let Err(cause) = read {
                self.fail(cause);
            }
        }
    }

    fn step(&mut self, record: Record) -> Step {
        match record {
            Record::SuiteStart(suite) => {
                self.suite = suite;
                Step::SuiteStart
            }
            Record::Case(case) => {
                self.case = case;
                Step::Case
            }
            Record::SuiteEnd(index) => Step::SuiteEnd(index),
        }
    }

    /// What `step` was about.
    #[inline]
    pub(crate) fn event(&self, step: Step) -> Event<'_> {
        let store = self.source.store();
        match step {
            Step::SuiteStart => Event::SuiteStart(SuiteRef::new(&self.suite, store)),
            Step::Case => Event::Case(CaseRef::new(&self.case, store)),
            Step::SuiteEnd(index) => Event::SuiteEnd(index),
        }
    }

    fn forget(&mut self) {
        let names = if self.has_closed_suite {
            self.has_closed_suite = false;
            self.enclosing_suite().map_or(0, |(_, _, end)| end)
        } else {
            self.source.names_length()
        };
        self.source.forget(self.cases.is_empty(), names);
    }

    fn take(&mut self, token: Token) -> Result<(), Cause> {
        let (at, place) = match token {
            Token::Declaration(began) => {
                if began.at > 0 {
                    let message = || "an XML declaration inside the file".to_owned();
                    let kind = WarningKind::MisplacedDeclaration;
                    self.notes.add_at(kind, began.at, || began.place, message);
                }
                return Ok(());
            }
            Token::Doctype(began) => {
                let message = || "the document type definition is passed over".to_owned();
                let kind = WarningKind::DtdIgnored;
                self.notes.add_at(kind, began.at, || began.place, message);
                return Ok(());
            }
            Token::Cdata(began) | Token::Cut(began, _) => (began.at, began.place),
            Token::Start(_) | Token::End { .. } | Token::Text(_) | Token::RawLess => {
                (self.source.position(), None)
            }
        };
        if self.root.content.is_none() {
            let place = place.or_else(|| self.source.place(at));
            self.root.content = Some((at, place));
        }
        match token {
            Token::Start(tag) => return self.start(tag),
            Token::End { tag, is_malformed } => self.end(tag, is_malformed),
            Token::Text(length) => self.text(length),
            Token::RawLess => {
                if self.stack.is_empty() {
                    self.outside_text(at, None);
                } else {
                    let message = || "a raw `<`, read as text".to_owned();
                    self.note(WarningKind::UnescapedMarkup, at, message);
                }
                self.source.consume(1);
            }
            Token::Cdata(_) if self.stack.is_empty() => self.outside_text(at, place),
            Token::Cut(began, head) => self.cut(began, head),
            Token::Cdata(_) | Token::Declaration(_) | Token::Doctype(_) => {}
        }
        Ok(())
    }

    fn text(&mut self, length: usize) {
        if self.stack.is_empty() {
            self.outside_text(self.source.position(), None);
        } else {
            self.check_body_text(length);
        }
        self.source.consume(length);
    }

    pub(super) fn note(&mut self, kind: WarningKind, at: usize, message: impl FnOnce() -> String) {
        let source = &self.source;
        self.notes.add_at(kind, at, || source.place(at), message);
    }

    pub(super) fn note_open(&mut self, kind: WarningKind, open: &Open, message: String) {
        self.notes.add_at(kind, open.at, || open.place, || message);
    }

    /// The name of the tag at the position.
    pub(super) fn tag_name(&self, tag: &Tag) -> &[u8] {
        let rest = self.source.rest();
        rest.get(1..tag.name_end).unwrap_or_default()
    }

    pub(super) fn open_name(&self, index: usize) -> &[u8] {
        let start = self.stack.get(index).map_or(0, |open| open.name);
        let end = self.stack.get(index + 1).map(|open| open.name);
        let end = end.unwrap_or(self.open_names.len());
        self.open_names.get(start..end).unwrap_or_default()
    }
}
