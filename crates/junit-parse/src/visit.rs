//! The visitor: every suite and case is shown to a function, which may say that it has seen enough.
use std::io::Read;
use std::ops::ControlFlow;

use crate::{Document, Ending, Event, Limits, ParseError, StreamReader};

/// Shows the suites and cases of a report in memory to `visitor`, until it breaks or the report
/// ends.
///
/// Texts are borrowed and decoded on demand; bodies are not looked at but for where they end.
///
/// ```
/// use std::ops::ControlFlow;
/// use junit_parse::{Event, Limits, visit};
///
/// let xml = b"<testsuite><testcase name='a'><failure/></testcase><testcase name='b'/></testsuite>";
/// let first = visit(xml, &Limits::default(), |event| match event {
///     Event::Case(case) if case.outcome().is_failure() => {
///         ControlFlow::Break(case.name().map(|name| name.decode().into_owned()))
///     }
///     _ => ControlFlow::Continue(()),
/// })?;
/// assert_eq!(first, ControlFlow::Break(Some("a".to_owned())));
/// # Ok::<(), junit_parse::ParseError>(())
/// ```
///
/// `Continue` holds how the report ended: a gate must look at its completeness before it trusts a
/// missing failure.
///
/// # Errors
/// Those of [`Document::open`], and at the end those of [`crate::Reader::next_event`]: what was
/// shown before stands, but is no whole report.
pub fn visit<B>(
    bytes: &[u8],
    limits: &Limits,
    mut visitor: impl FnMut(Event<'_>) -> ControlFlow<B>,
) -> Result<ControlFlow<B, Ending>, ParseError> {
    let document = Document::open(bytes, limits)?;
    let mut reader = document.reader(limits);
    while let Some(event) = reader.next_event()? {
        if let ControlFlow::Break(value) = visitor(event) {
            return Ok(ControlFlow::Break(value));
        }
    }
    Ok(ControlFlow::Continue(reader.finish()))
}

/// The same over a stream, in bounded memory.
///
/// # Errors
/// Those of [`StreamReader::new`] and [`StreamReader::next_event`]: what was shown before stands,
/// but is no whole report.
pub fn visit_read<B>(
    input: impl Read,
    limits: &Limits,
    mut visitor: impl FnMut(Event<'_>) -> ControlFlow<B>,
) -> Result<ControlFlow<B, Ending>, ParseError> {
    let mut reader = StreamReader::new(input, limits)?;
    while let Some(event) = reader.next_event()? {
        if let ControlFlow::Break(value) = visitor(event) {
            return Ok(ControlFlow::Break(value));
        }
    }
    Ok(ControlFlow::Continue(reader.finish()))
}
