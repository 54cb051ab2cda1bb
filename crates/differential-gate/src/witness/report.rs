//! The attributes and the body of a failure in a report, brought together.
use super::clean::clean;
use super::noise::normalise;
use super::pattern::patterns;
use super::reading::{Reading, message as normalised};
use super::{WitnessText, read};

patterns! {
    PHASE = r"^failed on (setup|teardown) with ";
    ENDING = r"\b(?:signal|SIG[A-Z]+|abort(?:ed)?|time(?:d )?out|timeout|killed|crash(?:ed)?|leak)\b";
    // What reporters write into the message when they have nothing to say.
    GENERIC = r"^(?:Failed|FAILED|failed|failure|Failure|error|Error|test failed|No message|None|null)?$";
    PANIC_PLACE = r"^thread '.*'(?: \(\d+\))? panicked at \S+$";
    BLANK_RUN = r"\s+";
}

/// A failure's attributes and body, as plain lines.
#[derive(Debug)]
pub(super) struct Report {
    kind: String,
    message: String,
    detail: String,
}

impl Report {
    /// Cleans what the report says.
    pub(super) fn of(text: &WitnessText<'_>) -> Self {
        let clean_trimmed = |text: Option<&str>| clean(text.unwrap_or_default()).trim().to_owned();
        Self {
            kind: clean_trimmed(text.kind),
            message: clean_trimmed(text.message),
            detail: clean(text.detail),
        }
    }

    /// The texts in which places may be named.
    pub(super) fn place(&self) -> String {
        format!("{}\n{}", self.detail, self.message)
    }

    /// What failed, by the body first, by the message where the body says less.
    pub(super) fn reading(&self) -> Reading {
        let mut reading = if self.detail.trim().is_empty() {
            read(&self.message)
        } else {
            let body = read(&self.detail);
            if self.adds_to(&body) {
                let mut reading = read(&self.message);
                if reading.kind.is_empty() {
                    reading.kind.clone_from(&body.kind);
                }
                reading.assertion = format!("{} / {}", reading.assertion, body.describe());
                reading
            } else {
                body
            }
        };
        if let Some(phase) = PHASE.captures(&self.message).and_then(|found| found.get(1)) {
            reading.assertion = format!("failed on {}: {}", phase.as_str(), reading.assertion);
        }
        if reading.kind.is_empty() {
            reading.kind = normalise(&self.kind);
        } else if ENDING.is_match(&self.kind) && !reading.kind.contains(&self.kind) {
            // How the process ended is told by the attribute alone.
            reading.assertion = format!("{} [{}]", reading.assertion, normalise(&self.kind));
        }
        reading
    }

    /// Whether the message says something that the body does not.
    fn adds_to(&self, body: &Reading) -> bool {
        let message = self.message.as_str();
        if GENERIC.is_match(message) || PHASE.is_match(message) || PANIC_PLACE.is_match(message) {
            return false;
        }
        let squeeze = |text: &str| BLANK_RUN.replace_all(text, "").into_owned();
        let first = squeeze(message.lines().next().unwrap_or_default());
        let detail = squeeze(&self.detail);
        // Attributes lose line feeds, so blanks do not count. pytest and others shorten the message; the body has it behind marks of its own.
        let is_quoted =
            !first.is_empty() && detail.contains(first.trim_end_matches(['.', '\u{2026}']));
        !is_quoted && !body.assertion.contains(&normalised([first.as_str()]))
    }
}
