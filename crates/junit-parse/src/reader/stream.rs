//! The pull reader over a stream: bounded memory, whatever the size of the report.
use std::io::Read;

use super::machine::{Care, Machine};
use super::{Ending, Event};
use crate::input::Window;
use crate::markup::Source as _;
use crate::warning::Note;
use crate::{Limits, ParseError};

/// Hands out the suites and cases of a stream one at a time; each is borrowed from the reader.
///
/// It reads in large pieces, so that the input needs no buffer of its own.
///
/// ```
/// use junit_parse::{Event, Limits, StreamReader};
///
/// let input: &[u8] = b"<testsuite><testcase name='a'/></testsuite>";
/// let mut reader = StreamReader::new(input, &Limits::default())?;
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
pub struct StreamReader<R> {
    machine: Machine<Window<R>>,
    limits: Limits,
}

impl<R: Read> StreamReader<R> {
    /// Looks at the beginning of `input`.
    ///
    /// # Errors
    /// [`crate::ParseErrorKind::Empty`] and [`crate::ParseErrorKind::Encoding`] as for a document in
    /// memory, [`crate::ParseErrorKind::Io`] when the stream fails.
    pub fn new(input: R, limits: &Limits) -> Result<Self, ParseError> {
        let (window, notes) = Window::open(input, limits)?;
        let care = Care {
            checks_bytes: true,
            checks_bodies: false,
        };
        let mut machine = Machine::new(window, limits, care);
        for note in notes {
            let place = machine.source().place(note.at);
            let Note { kind, at, .. } = note;
            machine
                .notes_mut()
                .add_at(kind, at, || place, || note.message);
        }
        Ok(Self {
            machine,
            limits: limits.clone(),
        })
    }

    /// The next suite or case, `None` at the end. After an error there is nothing more; what was
    /// handed out before stands, but is no whole report.
    ///
    /// # Errors
    /// [`crate::ParseErrorKind::Io`], [`crate::ParseErrorKind::TooLarge`] and
    /// [`crate::ParseErrorKind::Limit`] anywhere; at the end [`crate::ParseErrorKind::Empty`] or
    /// [`crate::ParseErrorKind::NotJunit`] when nothing of JUnit was found.
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, ParseError> {
        match self.machine.advance() {
            Ok(step) => Ok(step.map(|step| self.machine.event(step))),
            Err(stopped) => Err(stopped.into_error(&self.limits, |_| (0, 1))),
        }
    }

    /// How the stream ended so far, and the warnings.
    pub fn finish(mut self) -> Ending {
        let replaced = self.machine.source_mut().take_replaced();
        let replaced = replaced.map(|(mut note, place)| {
            note.place = Some(place);
            note
        });
        self.machine.into_ending(replaced, |_| (0, 1), |_| (0, 1))
    }
}
