//! The pull reader over a document in memory.
use super::machine::{Care, Machine};
use super::{Ending, Event, Step};
use crate::input::Document;
use crate::markup::Slice;
use crate::warning::Notes;
use crate::{Limits, ParseError};

/// Hands out the suites and cases of a document one at a time; each is borrowed from the reader.
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
///         names.extend(case.name().map(|name| name.decode().into_owned()));
///     }
/// }
/// assert_eq!(names, ["a"]);
/// # Ok::<(), junit_parse::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Reader<'a> {
    document: &'a Document<'a>,
    machine: Machine<Slice<'a>>,
    limits: Limits,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(document: &'a Document<'a>, limits: &Limits) -> Self {
        let care = Care {
            checks_bytes: !document.is_checked(),
            checks_bodies: document.is_checked(),
        };
        let mut machine = Machine::new(Slice::new(document.text_bytes()), limits, care);
        for note in document.notes() {
            let message = || note.message.clone();
            machine.notes_mut().add(note.kind, note.at, message);
        }
        Self {
            document,
            machine,
            limits: limits.clone(),
        }
    }

    /// The next suite or case, `None` at the end.
    ///
    /// # Errors
    /// At the end, when nothing of JUnit was found: [`crate::ParseErrorKind::Empty`] or
    /// [`crate::ParseErrorKind::NotJunit`].
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, ParseError> {
        Ok(self.advance()?.map(|step| self.machine.event(step)))
    }

    #[inline]
    pub(crate) fn advance(&mut self) -> Result<Option<Step>, ParseError> {
        self.machine.advance().map_err(|stopped| {
            let find = |at| self.document.places().find(at);
            stopped.into_error(&self.limits, find)
        })
    }

    pub(crate) fn event(&self, step: Step) -> Event<'_> {
        self.machine.event(step)
    }

    /// How the file ended so far, and the warnings.
    pub fn finish(self) -> Ending {
        let mut places = self.document.places();
        let find_end = |at| self.document.places().find(at);
        self.machine
            .into_ending(None, |at| places.find(at), find_end)
    }

    pub(crate) const fn notes_mut(&mut self) -> &mut Notes {
        self.machine.notes_mut()
    }
}
