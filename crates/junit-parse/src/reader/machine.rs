//! The stack of open elements: one machine for slices and for streams.
use std::collections::VecDeque;

use super::record::{CaseRecord, Field, Fields as _, Record, SuiteRecord};
use super::stop::{Cause, Stopped};
use super::{CaseRef, Event, SuiteRef};
use crate::markup::{Attribute, Place, Source, Tag, Token, local_name, token};
use crate::warning::{Notes, shown_bytes};
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
    suites: usize,
    emitted: usize,
    pub(super) pending: VecDeque<Record>,
    /// The suite and the case that were handed out last.
    suite: SuiteRecord,
    case: CaseRecord,
    /// Whether `case` is still to be handed out.
    has_case: bool,
    has_closed_suite: bool,
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

    fn start(&mut self, tag: Tag) -> Result<(), Cause> {
        let at = self.source.position();
        let local = Local::of(self.tag_name(&tag));
        let is_structure = matches!(local, Local::Collection | Local::Suite | Local::Case);
        if self.stack.is_empty() {
            if !is_structure && (self.root.is_junit || self.root.has_text) {
                self.outside_text(at, None);
                self.source.consume(tag.end);
                return Ok(());
            }
            self.root.elements += 1;
            if self.root.elements > 1 {
                let name = shown_bytes(self.tag_name(&tag));
                let message = || format!("another root element {name}");
                self.note(WarningKind::MultipleRoots, at, message);
            }
        }
        self.check_tag(&tag, at);
        if !tag.is_empty && self.stack.len() >= self.limits.max_depth {
            let limit = self.limits.max_depth;
            let message = || format!("elements nested deeper than the limit of {limit}");
            self.stop_at_limit(WarningKind::DepthLimit, at, message);
            return Ok(());
        }
        self.root.is_junit |= is_structure;
        match local {
            Local::Collection => self.start_suite(&tag, at, true),
            Local::Suite => self.start_suite(&tag, at, false),
            Local::Case => self.start_case(&tag, at),
            Local::Other => return self.start_other(&tag, at),
        }
        Ok(())
    }

    /// Opens the element whose tag is at the position, and passes over the tag.
    pub(super) fn open(&mut self, tag: &Tag, at: usize, kind: Kind) {
        let name = self.open_names.len();
        let rest = self.source.rest();
        let bytes = rest.get(1..tag.name_end).unwrap_or_default();
        self.open_names.extend_from_slice(bytes);
        let place = self.source.mark(at);
        self.source.consume(tag.end);
        self.stack.push(Open {
            name,
            at,
            place,
            kind,
        });
    }

    fn enclosing_suite(&self) -> Option<(usize, Field, usize)> {
        self.stack.iter().rev().find_map(|open| match open.kind {
            Kind::Suite {
                index,
                name,
                names_end,
            } => Some((index, name, names_end)),
            Kind::Case | Kind::Other => None,
        })
    }

    fn start_suite(&mut self, tag: &Tag, at: usize, is_collection: bool) {
        if self.suites >= self.limits.max_suites {
            let limit = self.limits.max_suites;
            let message = || format!("more suites than the limit of {limit}");
            self.stop_at_limit(WarningKind::SuiteLimit, at, message);
            return;
        }
        let outer = self.enclosing_suite();
        let index = self.suites;
        let mut suite = SuiteRecord {
            index,
            parent: outer.map(|(index, ..)| index),
            is_collection,
            at,
            ..SuiteRecord::default()
        };
        suite.fill(&self.attributes, &mut self.source, false);
        self.suites += 1;
        let own = (!is_collection && !tag.is_empty)
            .then(|| self.suite_name())
            .flatten();
        self.pending.push_back(Record::SuiteStart(suite));
        if tag.is_empty {
            self.source.consume(tag.end);
            self.pending.push_back(Record::SuiteEnd(index));
        } else {
            let kind = Kind::Suite {
                index,
                name: own.or_else(|| outer.and_then(|(_, name, _)| name)),
                names_end: self.source.names_length(),
            };
            self.open(tag, at, kind);
        }
    }

    /// The `name` of the tag at the position, unless blank, kept as long as the suite is open.
    fn suite_name(&mut self) -> Field {
        let rest = self.source.rest();
        let mut attributes = self.attributes.iter();
        let name = attributes.find(|attribute| attribute.name_in(rest) == b"name")?;
        let is_blank = crate::markup::is_blank(name.value_in(rest));
        (!is_blank).then(|| self.source.keep_name(name.value, name.value_length))
    }

    #[inline]
    fn start_case(&mut self, tag: &Tag, at: usize) {
        let suite = self.enclosing_suite();
        let case = &mut self.case;
        case.begin(at);
        // Nothing is pending here, so that an empty tag is handed out before more is read.
        let lends = tag.is_empty && self.emitted < self.limits.max_cases;
        case.fill(&self.attributes, &mut self.source, lends);
        if let Some((index, name, _)) = suite {
            case.suite = Some(index);
            case.suite_name = name;
        }
        if tag.is_empty {
            case.is_complete = true;
            self.source.consume(tag.end);
            if self.emitted < self.limits.max_cases {
                // The common way: nothing is pending, so that no queue is needed.
                self.emitted += 1;
                self.has_case = true;
            } else {
                self.beyond_case_limit(at, None);
            }
        } else {
            self.cases.push(std::mem::take(&mut self.case));
            self.open(tag, at, Kind::Case);
        }
    }

    fn end(&mut self, tag: Tag, is_malformed: bool) {
        let at = self.source.position();
        let rest = self.source.rest();
        let name = rest.get(2..tag.name_end).unwrap_or_default();
        if is_malformed {
            let name = shown_bytes(name);
            let message = || format!("the end tag {name} is not well-formed");
            self.note(WarningKind::MalformedTag, at, message);
        }
        let rest = self.source.rest();
        let name = rest.get(2..tag.name_end).unwrap_or_default();
        let mut indices = (0..self.stack.len()).rev();
        let Some(index) = indices.find(|index| self.open_name(*index) == name) else {
            let local = local_name(name);
            if self.stack.is_empty() && !matches!(local, b"testsuites" | b"testsuite") {
                self.outside_text(at, None);
            } else {
                self.end_without_start(&tag, at);
            }
            self.source.consume(tag.end);
            return;
        };
        while self.stack.len() > index + 1 {
            self.close_unclosed();
        }
        self.close(true);
        self.source.consume(tag.end);
    }

    /// Closes the innermost element, whose end tag is missing, with a warning.
    fn close_unclosed(&mut self) {
        let Some(open) = self.stack.last().copied() else {
            return;
        };
        let name = shown_bytes(self.open_names.get(open.name..).unwrap_or_default());
        let message = format!("the end tag of {name} is missing");
        self.note_open(WarningKind::UnclosedElement, &open, message);
        self.close(false);
    }

    pub(super) fn close(&mut self, has_end_tag: bool) {
        let Some(open) = self.stack.pop() else {
            return;
        };
        self.open_names.truncate(open.name);
        match open.kind {
            Kind::Suite { index, .. } => {
                self.has_closed_suite = true;
                self.pending.push_back(Record::SuiteEnd(index));
            }
            Kind::Case => {
                let Some(mut case) = self.cases.pop() else {
                    return;
                };
                case.is_complete = has_end_tag;
                case.place = open.place;
                if has_end_tag || case.has_failed() {
                    self.emit(case);
                } else {
                    self.note_incomplete(case.name, &open);
                }
            }
            Kind::Other => {}
        }
    }

    #[inline]
    fn emit(&mut self, case: CaseRecord) {
        if self.emitted >= self.limits.max_cases {
            self.beyond_case_limit(case.at, case.place);
            return;
        }
        self.emitted += 1;
        self.pending.push_back(Record::Case(case));
    }

    #[cold]
    fn beyond_case_limit(&mut self, at: usize, place: Option<Place>) {
        if self.is_done && self.truncated.is_some() {
            return;
        }
        let limit = self.limits.max_cases;
        let message = || format!("more cases than the limit of {limit}");
        let place = place.or_else(|| self.source.place(at));
        self.notes
            .add_at(WarningKind::CaseLimit, at, || place, message);
        self.truncate(at, place, "the report is cut at a limit");
    }
}

/// The elements that make the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Local {
    Collection,
    Suite,
    Case,
    Other,
}

impl Local {
    #[inline]
    fn of(name: &[u8]) -> Self {
        match local_name(name) {
            b"testcase" => Self::Case,
            b"testsuite" => Self::Suite,
            b"testsuites" => Self::Collection,
            _ => Self::Other,
        }
    }
}
