//! The stack of open elements, recovery, and what the end of the file leaves open.
use std::collections::VecDeque;

use super::case::Fields;
use super::{CaseRef, Element, ElementKind, Ending, Event, SuiteRef};
use crate::input::{Document, empty};
use crate::markup::{Attribute, RawText, Tag, Token, Tokens, local_name};
use crate::warning::{Notes, shown};
use crate::{Completeness, Limits, ParseError, ParseErrorKind, Warning, WarningKind};

/// Hands out the suites and cases of a document one at a time, in bounded memory.
///
/// ```
/// use junit_parse::{Document, Event, Limits};
///
/// let limits = Limits::default();
/// let document = Document::decode(b"<testsuite><testcase name='a'/></testsuite>", &limits)?;
/// let mut reader = document.reader(&limits);
/// let mut names = Vec::new();
/// while let Some(event) = reader.next_event()? {
///     if let Event::Case(case) = event {
///         names.extend(case.name.map(|name| name.decode()));
///     }
/// }
/// assert_eq!(names, ["a"]);
/// # Ok::<(), junit_parse::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Reader<'a> {
    document: &'a Document<'a>,
    pub(super) text: &'a str,
    pub(super) tokens: Tokens<'a>,
    pub(super) limits: Limits,
    pub(super) notes: Notes,
    pub(super) attributes: Vec<Attribute<'a>>,
    pub(super) stack: Vec<Open<'a>>,
    pub(super) cases: Vec<CaseRef<'a>>,
    suites: usize,
    emitted: usize,
    pending: VecDeque<Event<'a>>,
    root: Root,
    truncated_at: Option<usize>,
    is_done: bool,
    /// End and number of the unclosed bodies last met, against searching one stretch too often.
    pub(super) unclosed: (usize, usize),
}

/// An open element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open<'a> {
    pub(super) name: &'a str,
    at: usize,
    pub(super) kind: Kind<'a>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Kind<'a> {
    /// Its index and the name its cases fall back to.
    Suite(usize, Option<RawText<'a>>),
    Case,
    Other,
}

/// What was seen at the top of the file.
#[derive(Debug, Clone, Copy, Default)]
struct Root {
    /// Something other than blanks, comments and declarations, and where.
    content: Option<usize>,
    elements: usize,
    has_text: bool,
    is_junit: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(document: &'a Document<'a>, limits: &Limits) -> Self {
        let mut notes = Notes::new(limits.max_warnings);
        for note in document.notes() {
            notes.add(note.kind, note.at, || note.message.clone());
        }
        Self {
            document,
            text: document.text(),
            tokens: Tokens::new(document.text()),
            limits: limits.clone(),
            notes,
            attributes: Vec::new(),
            stack: Vec::new(),
            cases: Vec::new(),
            suites: 0,
            emitted: 0,
            pending: VecDeque::new(),
            root: Root::default(),
            truncated_at: None,
            is_done: false,
            unclosed: (0, 0),
        }
    }

    /// The next suite or case, `None` at the end.
    ///
    /// # Errors
    /// At the end, when nothing of JUnit was found: [`ParseErrorKind::Empty`] or
    /// [`ParseErrorKind::NotJunit`].
    pub fn next_event(&mut self) -> Result<Option<Event<'a>>, ParseError> {
        loop {
            if let Some(event) = self.pending.pop_front() {
                return Ok(Some(event));
            }
            if self.is_done {
                return self.check_root().map(|()| None);
            }
            self.attributes.clear();
            let attributes = &mut self.attributes;
            match self.tokens.next(|attribute| attributes.push(attribute)) {
                Some(token) => self.take(token),
                None => self.end_of_text(self.text.len()),
            }
        }
    }

    /// How the file ended so far, and the warnings.
    pub fn finish(self) -> Ending {
        let offset = |at| self.document.places().find(at).0;
        let completeness = match self.truncated_at.map(offset) {
            Some(offset) => Completeness::Truncated { offset },
            None if self.notes.is_repaired() => Completeness::Recovered,
            None => Completeness::Complete,
        };
        let warnings_omitted = self.notes.omitted();
        let mut places = self.document.places();
        let warnings = self.notes.into_sorted().into_iter().map(|note| {
            let (offset, line) = places.find(note.at);
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

    pub(crate) const fn notes_mut(&mut self) -> &mut Notes {
        &mut self.notes
    }

    fn check_root(&self) -> Result<(), ParseError> {
        if self.root.is_junit {
            return Ok(());
        }
        let Some(at) = self.root.content else {
            return Err(empty("the report holds nothing"));
        };
        let (offset, line) = self.document.places().find(at);
        let message = "no `testsuites`, `testsuite` or `testcase` element: not a JUnit report";
        Err(ParseError::new(
            ParseErrorKind::NotJunit,
            message.to_owned(),
            offset,
            line,
        ))
    }

    fn take(&mut self, token: Token<'a>) {
        match token {
            Token::Declaration { at } => {
                if at > 0 {
                    let message = || "an XML declaration inside the file".to_owned();
                    self.notes
                        .add(WarningKind::MisplacedDeclaration, at, message);
                }
                return;
            }
            Token::Doctype { at } => {
                let message = || "the document type definition is passed over".to_owned();
                self.notes.add(WarningKind::DtdIgnored, at, message);
                return;
            }
            Token::Start(_, at)
            | Token::End { at, .. }
            | Token::Text { at, .. }
            | Token::Cdata { at }
            | Token::RawLess { at }
            | Token::Cut { at } => {
                self.root.content.get_or_insert(at);
            }
        }
        match token {
            Token::Start(tag, at) => self.start(tag, at),
            Token::End {
                name,
                at,
                is_malformed,
            } => self.end(name, at, is_malformed),
            Token::Text { at, .. } | Token::Cdata { at } | Token::RawLess { at }
                if self.stack.is_empty() =>
            {
                self.outside_text(at);
            }
            Token::Text { raw, at } => RawText::body(raw, at).check(&mut self.notes),
            Token::RawLess { at } => self.note_raw_less(at),
            Token::Cut { at } => self.cut(at),
            Token::Cdata { .. } | Token::Declaration { .. } | Token::Doctype { .. } => {}
        }
    }

    fn note_raw_less(&mut self, at: usize) {
        let message = || "a raw `<`, read as text".to_owned();
        self.notes.add(WarningKind::UnescapedMarkup, at, message);
    }

    fn outside_text(&mut self, at: usize) {
        if self.root.is_junit {
            let message = || "text after the root element".to_owned();
            self.notes.add(WarningKind::TrailingText, at, message);
        } else {
            self.root.has_text = true;
            let message = || "text before the root element".to_owned();
            self.notes.add(WarningKind::LeadingText, at, message);
        }
    }

    fn start(&mut self, tag: Tag<'a>, at: usize) {
        let local = local_name(tag.name);
        let is_structure = matches!(local, "testsuites" | "testsuite" | "testcase");
        if self.stack.is_empty() {
            if !is_structure && (self.root.is_junit || self.root.has_text) {
                self.outside_text(at);
                return;
            }
            self.root.elements += 1;
            if self.root.elements > 1 {
                let message = || format!("another root element {}", shown(tag.name));
                self.notes.add(WarningKind::MultipleRoots, at, message);
            }
        }
        self.check_tag(&tag, at);
        if !tag.is_empty && self.stack.len() >= self.limits.max_depth {
            let limit = self.limits.max_depth;
            let message = || format!("elements nested deeper than the limit of {limit}");
            self.stop_at_limit(WarningKind::DepthLimit, at, message);
            return;
        }
        self.root.is_junit |= is_structure;
        match local {
            "testsuites" | "testsuite" => self.start_suite(tag, at, local == "testsuites"),
            "testcase" => self.start_case(tag, at),
            _ => self.start_other(tag, at, local),
        }
    }

    fn check_tag(&mut self, tag: &Tag<'a>, at: usize) {
        if tag.flaws.malformed {
            let message = || format!("the tag {} is not well-formed", shown(tag.name));
            self.notes.add(WarningKind::MalformedTag, at, message);
        }
        if tag.flaws.raw_less {
            let message = || format!("a raw `<` in an attribute of {}", shown(tag.name));
            self.notes.add(WarningKind::UnescapedMarkup, at, message);
        }
        for (index, attribute) in self.attributes.iter().enumerate() {
            RawText::attribute(attribute.value, attribute.at).check(&mut self.notes);
            // Bounded, so that many attributes cost no more than their number.
            let earlier = self.attributes.iter().take(index.min(32));
            if earlier.clone().any(|other| other.name == attribute.name) {
                self.notes
                    .add(WarningKind::DuplicateAttribute, attribute.at, || {
                        format!(
                            "attribute {} is given twice, the first counts",
                            shown(attribute.name)
                        )
                    });
            }
        }
    }

    pub(super) fn open(&mut self, tag: &Tag<'a>, at: usize, kind: Kind<'a>) {
        self.stack.push(Open {
            name: tag.name,
            at,
            kind,
        });
    }

    fn enclosing_suite(&self) -> Option<(usize, Option<RawText<'a>>)> {
        self.stack.iter().rev().find_map(|open| match open.kind {
            Kind::Suite(index, name) => Some((index, name)),
            Kind::Case | Kind::Other => None,
        })
    }

    fn start_suite(&mut self, tag: Tag<'a>, at: usize, is_collection: bool) {
        if self.suites >= self.limits.max_suites {
            let limit = self.limits.max_suites;
            let message = || format!("more suites than the limit of {limit}");
            self.stop_at_limit(WarningKind::SuiteLimit, at, message);
            return;
        }
        let mut suite = SuiteRef::new(is_collection, at);
        suite.fill(&self.attributes);
        suite.index = self.suites;
        self.suites += 1;
        let outer = self.enclosing_suite();
        suite.parent = outer.map(|(index, _)| index);
        let own = suite.name.filter(|name| !is_collection && !name.is_blank());
        let name = own.or_else(|| outer.and_then(|(_, name)| name));
        let index = suite.index;
        self.pending.push_back(Event::SuiteStart(suite));
        if tag.is_empty {
            self.pending.push_back(Event::SuiteEnd(index));
        } else {
            self.open(&tag, at, Kind::Suite(index, name));
        }
    }

    fn start_case(&mut self, tag: Tag<'a>, at: usize) {
        let mut case = CaseRef::new(at);
        case.fill(&self.attributes);
        if let Some((index, name)) = self.enclosing_suite() {
            case.suite = Some(index);
            case.suite_name = name;
        }
        if tag.is_empty {
            case.is_complete = true;
            self.emit(case);
        } else {
            self.cases.push(case);
            self.open(&tag, at, Kind::Case);
        }
    }

    fn end(&mut self, name: &str, at: usize, is_malformed: bool) {
        if is_malformed {
            let message = || format!("the end tag {} is not well-formed", shown(name));
            self.notes.add(WarningKind::MalformedTag, at, message);
        }
        let Some(index) = self.stack.iter().rposition(|open| open.name == name) else {
            if self.stack.is_empty() && !matches!(local_name(name), "testsuites" | "testsuite") {
                self.outside_text(at);
                return;
            }
            self.end_without_start(name, at);
            return;
        };
        while self.stack.len() > index + 1 {
            let Some(open) = self.stack.pop() else { break };
            let message = || format!("the end tag of {} is missing", shown(open.name));
            self.notes
                .add(WarningKind::UnclosedElement, open.at, message);
            self.close(&open, false);
        }
        if let Some(open) = self.stack.pop() {
            self.close(&open, true);
        }
    }

    /// The start tag was broken, so that it read as text: what it stood for is not forgotten.
    fn end_without_start(&mut self, name: &str, at: usize) {
        let message = || format!("end tag {} without its start tag", shown(name));
        self.notes.add(WarningKind::UnexpectedEndTag, at, message);
        let local = local_name(name);
        if local == "testcase" {
            let message = || "a case whose start tag is broken is left out".to_owned();
            self.notes.add(WarningKind::IncompleteCase, at, message);
        }
        if let (Some(kind), Some(_)) = (ElementKind::of(local), self.inside_case())
            && let Some(case) = self.cases.last_mut()
        {
            case.elements.push(Element::new(kind, at));
        }
    }

    fn close(&mut self, open: &Open<'a>, has_end_tag: bool) {
        match open.kind {
            Kind::Suite(index, _) => self.pending.push_back(Event::SuiteEnd(index)),
            Kind::Case => {
                let Some(mut case) = self.cases.pop() else {
                    return;
                };
                case.is_complete = has_end_tag;
                if has_end_tag || case.has_failed() {
                    self.emit(case);
                } else {
                    self.note_incomplete(case.name, open.at);
                }
            }
            Kind::Other => {}
        }
    }

    fn note_incomplete(&mut self, name: Option<RawText<'a>>, at: usize) {
        self.notes.add(WarningKind::IncompleteCase, at, || {
            let name = name.map(|name| name.decode()).unwrap_or_default();
            format!("the case {} has no end, it is left out", shown(&name))
        });
    }

    fn emit(&mut self, case: CaseRef<'a>) {
        if self.is_done && self.truncated_at.is_some() && self.emitted >= self.limits.max_cases {
            return;
        }
        if self.emitted >= self.limits.max_cases {
            let limit = self.limits.max_cases;
            let message = || format!("more cases than the limit of {limit}");
            self.stop_at_limit(WarningKind::CaseLimit, case.at, message);
            return;
        }
        self.emitted += 1;
        self.pending.push_back(Event::Case(case));
    }

    fn stop_at_limit(&mut self, kind: WarningKind, at: usize, message: impl FnOnce() -> String) {
        self.notes.add(kind, at, message);
        self.truncate(at, "the report is cut at a limit");
    }

    /// The text ended inside the markup that begins at `at`.
    fn cut(&mut self, at: usize) {
        let rest = self.text.get(at..).unwrap_or_default();
        if rest.starts_with("<testcase") && self.root.is_junit {
            let message = || "a case whose start tag is cut, it is left out".to_owned();
            self.notes.add(WarningKind::IncompleteCase, at, message);
        }
        if self.stack.is_empty() && !(self.root.is_junit && rest.starts_with("<test")) {
            self.outside_text(at);
            self.is_done = true;
            return;
        }
        self.truncate(at, "the file ends inside the report");
    }

    fn end_of_text(&mut self, at: usize) {
        self.is_done = true;
        if !self.stack.is_empty() {
            self.truncate(at, "the file ends inside the report");
        }
    }

    fn truncate(&mut self, at: usize, message: &str) {
        self.is_done = true;
        if self.truncated_at.is_none() {
            self.truncated_at = Some(at);
            self.notes
                .add(WarningKind::Truncated, at, || message.to_owned());
        }
        while let Some(open) = self.stack.pop() {
            self.close(&open, false);
        }
    }
}
