//! The result channel: what an adapter streams while its tests run, apart from the report.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

/// What came over the channel of one run.
///
/// It proves that the framework's own loop saw these outcomes: a report that was rewritten, or
/// written by somebody else, differs from it. Code in the same process that looks for the channel
/// can write to it, so it proves nothing against a test that was made to deceive this very adapter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Channel {
    /// Each test that gave a result, by the id that stands in the report's `pv.nodeid`; the
    /// gravest of its phases.
    pub results: BTreeMap<String, ChannelOutcome>,
    /// The test that had started and not finished when the last event came.
    pub running: Option<String>,
    /// The exit status that the framework announced at its end; `None` when it did not get there.
    pub ended: Option<i32>,
}

/// One test's outcome; ordered so that the graver is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a test passes, is skipped, or fails"
)]
pub enum ChannelOutcome {
    /// Every phase passed.
    Passed,
    /// A phase was skipped (or failed as expected).
    Skipped,
    /// A phase failed, or its outcome is none that the framework is known to have.
    Failed,
}

/// Why what came over a channel cannot be believed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChannelError {
    /// Nothing came at all: the adapter's part did not run, or lost the channel.
    #[error("nothing came over the result channel")]
    Silent,
    /// A line is no event.
    #[error("event {0} on the result channel cannot be read")]
    Malformed(u64),
    /// A line has another number than the one that was due: one is missing, or one was added.
    #[error("event {0} on the result channel is out of order")]
    Order(u64),
    /// Something came after the end.
    #[error("event {0} on the result channel came after its end")]
    AfterEnd(u64),
}

/// One line; exactly one of `open`, `start`, `test` and `end` is there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Event {
    n: u64,
    open: Option<u8>,
    start: Option<String>,
    test: Option<String>,
    when: Option<String>,
    outcome: Option<String>,
    end: Option<i32>,
}

impl Channel {
    /// Reads events, one JSON object a line, numbered from 0 without a gap. A last line without its
    /// line feed is one that the end of the run cut off, and is left out.
    ///
    /// # Errors
    /// [`ChannelError`] where a line is no event, one is missing, or none came.
    ///
    /// ```
    /// use test_frameworks::{Channel, ChannelOutcome};
    ///
    /// let bytes = b"{\"n\":0,\"open\":1}\n{\"n\":1,\"start\":\"t.py::a\"}\n";
    /// let channel = Channel::parse(bytes)?;
    /// assert_eq!(channel.running.as_deref(), Some("t.py::a"));
    /// assert_eq!(channel.ended, None);
    /// # Ok::<(), test_frameworks::ChannelError>(())
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Self, ChannelError> {
        let mut channel = Self::default();
        let mut due = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(line) = line.strip_suffix(b"\n") else {
                break;
            };
            let event: Event =
                serde_json::from_slice(line).map_err(|_| ChannelError::Malformed(due))?;
            if event.n != due {
                return Err(ChannelError::Order(due));
            }
            if channel.ended.is_some() {
                return Err(ChannelError::AfterEnd(due));
            }
            channel.take(event).ok_or(ChannelError::Malformed(due))?;
            due += 1;
        }
        if due == 0 {
            return Err(ChannelError::Silent);
        }
        Ok(channel)
    }

    fn take(&mut self, event: Event) -> Option<()> {
        match event {
            Event {
                n: 0,
                open: Some(1),
                start: None,
                test: None,
                when: None,
                outcome: None,
                end: None,
            } => {}
            Event {
                n: 1..,
                open: None,
                start: Some(id),
                test: None,
                when: None,
                outcome: None,
                end: None,
            } => self.running = Some(id),
            Event {
                n: 1..,
                open: None,
                start: None,
                test: Some(id),
                when: Some(when),
                outcome: Some(outcome),
                end: None,
            } => {
                if when == "teardown" && self.running.as_ref() == Some(&id) {
                    self.running = None;
                }
                let outcome = match outcome.as_str() {
                    "passed" => ChannelOutcome::Passed,
                    "skipped" => ChannelOutcome::Skipped,
                    // A failed attempt, whatever came after, and any word that is not known.
                    _ => ChannelOutcome::Failed,
                };
                let kept = self.results.entry(id).or_insert(outcome);
                *kept = outcome.max(*kept);
            }
            Event {
                n: 1..,
                open: None,
                start: None,
                test: None,
                when: None,
                outcome: None,
                end: Some(status),
            } => self.ended = Some(status),
            _ => return None,
        }
        Some(())
    }
}
