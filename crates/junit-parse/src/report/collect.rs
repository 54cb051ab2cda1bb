//! From the reader's events to the owned report.
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::names::Names;
use super::time::{self, Seconds};
use super::{Attempt, Attempts, Case, Counts, Declared, Report, Suite};
use crate::reader::{CaseRef, Element, ElementKind, Event, SuiteRef};
use crate::warning::{Notes, shown};
use crate::{Document, Limits, Outcome, ParseError, RawText, WarningKind};

/// Reads one report.
///
/// # Errors
/// When no report could be read at all: see [`crate::ParseErrorKind`]. A cut or broken report is no
/// error as long as something of JUnit is in it; [`Report::completeness`] tells.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Report, ParseError> {
    let document = Document::decode(bytes, limits)?;
    let mut reader = document.reader(limits);
    let expected = expected_cases(document.text_bytes()).min(limits.max_cases);
    let mut collector = Collector {
        limits,
        cases: Vec::with_capacity(expected),
        suites: Vec::new(),
        names: Names::new(),
    };
    while let Some(step) = reader.advance()? {
        let mut notes = std::mem::take(reader.notes_mut());
        match reader.event(step) {
            Event::SuiteStart(suite) => collector.start_suite(&suite, &mut notes),
            Event::Case(case) => collector.add_case(&case, &mut notes),
            Event::SuiteEnd(index) => collector.end_suite(index, &mut notes),
        }
        *reader.notes_mut() = notes;
    }
    let ending = reader.finish();
    Ok(Report {
        cases: collector.cases,
        suites: collector
            .suites
            .into_iter()
            .map(|(suite, _)| suite)
            .collect(),
        warnings: ending.warnings,
        warnings_omitted: ending.warnings_omitted,
        completeness: ending.completeness,
    })
}

/// How many cases there will be, from how many there are in the beginning.
fn expected_cases(text: &[u8]) -> usize {
    const SAMPLE: usize = 65_536;
    let sample = text.get(..SAMPLE).unwrap_or(text);
    let found = memchr::memmem::find_iter(sample, b"<testcase").count();
    if sample.len() == text.len() {
        return found;
    }
    found.saturating_mul(text.len() / SAMPLE + 1)
}

struct Collector<'l> {
    limits: &'l Limits,
    cases: Vec<Case>,
    /// Suites with the places of their start tags.
    suites: Vec<(Suite, usize)>,
    names: Names,
}

fn owned(text: RawText<'_>) -> String {
    text.decode().into_owned()
}

impl Collector<'_> {
    fn start_suite(&mut self, suite: &SuiteRef<'_>, notes: &mut Notes) {
        let number =
            |text: Option<RawText<'_>>| text.and_then(|text| text.decode().trim().parse().ok());
        let declared = Declared {
            tests: number(suite.tests()),
            failures: number(suite.failures()),
            errors: number(suite.errors()),
            skipped: number(suite.skipped()),
            disabled: number(suite.disabled()),
        };
        let owned_suite = Suite {
            name: suite.name().map(owned),
            parent: suite.parent(),
            is_collection: suite.is_collection(),
            file: suite.file().map(owned),
            timestamp: suite.timestamp().map(owned),
            duration: duration(suite.time(), notes),
            declared,
            counted: Counts::default(),
        };
        self.suites.push((owned_suite, suite.at()));
    }

    /// Adds a finished suite to the one around it and compares its totals.
    fn end_suite(&mut self, index: usize, notes: &mut Notes) {
        let Some((suite, at)) = self.suites.get(index) else {
            return;
        };
        let (counted, parent) = (suite.counted, suite.parent);
        if suite.declared_mismatch() {
            notes.add(WarningKind::DeclaredCountsDiffer, *at, || mismatch(suite));
        }
        if let Some((parent, _)) = parent.and_then(|parent| self.suites.get_mut(parent)) {
            parent.counted.add_counts(&counted);
        }
    }

    fn add_case(&mut self, case: &CaseRef<'_>, notes: &mut Notes) {
        let outcome = case.outcome();
        if let Some((suite, _)) = case.suite().and_then(|index| self.suites.get_mut(index)) {
            suite.counted.add(outcome);
        }
        let mut text = Texts {
            limits: self.limits,
            names: &mut self.names,
            notes,
            is_clipped: false,
        };
        let classname = case.classname().map(|name| text.names.shared(name));
        let own = classname.as_ref().filter(|name| !name.trim().is_empty());
        let suite = match (own, case.suite_name()) {
            (Some(own), _) => Arc::clone(own),
            (None, Some(name)) => text.names.shared(name),
            (None, None) => text.names.nothing(),
        };
        let name = case.name().map(owned).unwrap_or_default();
        let duration = duration(case.time(), text.notes);
        let (main, attempts) = if case.elements().len() == 0 {
            (plain(outcome), Attempts::plain(outcome))
        } else {
            let main = text.main(case, outcome);
            let attempts = text.attempts(case, &main);
            (main, Attempts::from(attempts))
        };
        let output = |kept: Option<RawText<'_>>, text: &mut Texts<'_>| {
            kept.filter(|_| text.limits.keep_output).map(|body| {
                let limit = text.limits.max_detail_chars;
                text.clip(body, limit, "output").into_owned()
            })
        };
        let (system_out, system_err) = (
            output(case.system_out(), &mut text),
            output(case.system_err(), &mut text),
        );
        let is_clipped = text.is_clipped;
        if suite.is_empty() {
            let message = || format!("the case {} has neither a class nor a suite", shown(&name));
            notes.add(WarningKind::MissingSuiteName, case.at(), message);
        }
        if name.trim().is_empty() {
            let message = || format!("a case of {} has no name", shown(&suite));
            notes.add(WarningKind::MissingCaseName, case.at(), message);
        }
        self.cases.push(Case {
            suite,
            name,
            classname,
            outcome,
            attempts,
            message: main.message,
            kind: main.kind,
            detail: main.detail,
            file: case.file().map(owned),
            line: case
                .line()
                .and_then(|line| line.decode().trim().parse().ok()),
            duration,
            properties: case
                .properties()
                .map(|(name, value)| (owned(name), owned(value)))
                .collect(),
            system_out,
            system_err,
            suite_index: case.suite(),
            is_clipped,
            is_complete: case.is_complete(),
        });
    }
}

pub(super) const fn plain(outcome: Outcome) -> Attempt {
    Attempt {
        outcome,
        message: None,
        kind: None,
        detail: None,
        duration: None,
    }
}

fn mismatch(suite: &Suite) -> String {
    let Suite {
        declared, counted, ..
    } = suite;
    let shown_number = |number: Option<u64>| number.map_or("-".to_owned(), |n| n.to_string());
    format!(
        "{} declares tests={} failures={} errors={} skipped={}, counted are {} cases, {} failed, {} error, {} skipped",
        shown(suite.name.as_deref().unwrap_or_default()),
        shown_number(declared.tests),
        shown_number(declared.failures),
        shown_number(declared.errors),
        shown_number(declared.skipped.or(declared.disabled)),
        counted.cases,
        counted.failed,
        counted.error,
        counted.skipped,
    )
}

fn duration(text: Option<RawText<'_>>, notes: &mut Notes) -> Option<Duration> {
    let text = text?;
    let written = text.decode();
    match time::read(&written) {
        Seconds::Plain(duration) => Some(duration),
        Seconds::Separated(duration) => {
            notes.add(WarningKind::TimeSeparator, text.at(), || {
                format!(
                    "time {} read as {} s",
                    shown(&written),
                    duration.as_secs_f64()
                )
            });
            Some(duration)
        }
        Seconds::Negative => {
            let message = || format!("negative time {} left out", shown(&written));
            notes.add(WarningKind::NegativeTime, text.at(), message);
            None
        }
        Seconds::Bad => {
            let message = || format!("time {} is no number of seconds", shown(&written));
            notes.add(WarningKind::BadTime, text.at(), message);
            None
        }
    }
}

/// Decodes the texts of one case within the limits.
struct Texts<'n> {
    limits: &'n Limits,
    names: &'n mut Names,
    notes: &'n mut Notes,
    is_clipped: bool,
}

impl Texts<'_> {
    fn clip<'a>(&mut self, text: RawText<'a>, limit: usize, what: &str) -> Cow<'a, str> {
        let (decoded, is_clipped) = text.decode_clipped(limit);
        if is_clipped {
            self.is_clipped = true;
            let message = || format!("{what} clipped to {limit} characters");
            self.notes.add(WarningKind::Clipped, text.at(), message);
        }
        decoded
    }

    fn message(&mut self, element: &Element<'_>) -> Option<Arc<str>> {
        let limit = self.limits.max_message_chars;
        let text = self.clip(element.message()?, limit, "message");
        Some(Arc::from(text))
    }

    fn kind(&mut self, element: &Element<'_>) -> Option<Arc<str>> {
        element.type_name().map(|name| self.names.shared(name))
    }

    fn detail(&mut self, body: Option<RawText<'_>>) -> Option<Arc<str>> {
        let limit = self.limits.max_detail_chars;
        let text = self.clip(body?, limit, "detail");
        (!text.trim().is_empty()).then(|| Arc::from(text))
    }

    /// The case's own attempt: what its strongest outcome element says.
    fn main(&mut self, case: &CaseRef<'_>, outcome: Outcome) -> Attempt {
        let deciding = |element: &Element<'_>| element.kind() == ElementKind::Outcome(outcome);
        let mut elements = case.elements().filter(deciding);
        let mut attempt = plain(outcome);
        let Some(first) = elements.next() else {
            return attempt;
        };
        attempt.message = self.message(&first);
        attempt.kind = self.kind(&first);
        attempt.detail = self.detail(first.body());
        for further in elements {
            self.append(&mut attempt.detail, &further);
        }
        attempt
    }

    /// Adds what a further element of the same outcome says, within the limit.
    fn append(&mut self, detail: &mut Option<Arc<str>>, element: &Element<'_>) {
        let text = match self.detail(element.body()) {
            Some(text) => text,
            None => match self.message(element) {
                Some(text) => text,
                None => return,
            },
        };
        let Some(detail) = detail else {
            *detail = Some(text);
            return;
        };
        if self.is_clipped {
            return;
        }
        let used = detail.chars().count().saturating_add(1);
        let left = self.limits.max_detail_chars.saturating_sub(used);
        if text.chars().count() > left {
            self.is_clipped = true;
            let message = || "details of several elements clipped".to_owned();
            self.notes.add(WarningKind::Clipped, element.at(), message);
        }
        let mut longer = format!("{detail}\n");
        longer.extend(text.chars().take(left));
        *detail = Arc::from(longer);
    }

    /// A case that passed in the end: its flaky attempts, the pass, reruns. Any other: its own
    /// outcome, then flaky attempts and reruns in the order of the file.
    fn attempts(&mut self, case: &CaseRef<'_>, main: &Attempt) -> Vec<Attempt> {
        let mut attempts = Vec::with_capacity(1);
        let limit = self.limits.max_attempts.max(1);
        let passed = main.outcome == Outcome::Passed;
        for element in case.elements().filter(|_| passed) {
            if let ElementKind::Flaky(outcome) = element.kind() {
                self.retry(&mut attempts, &element, outcome, limit - 1);
            }
        }
        attempts.push(main.clone());
        for element in case.elements() {
            match element.kind() {
                ElementKind::Flaky(outcome) if !passed => {
                    self.retry(&mut attempts, &element, outcome, limit);
                }
                ElementKind::Rerun(outcome) => self.retry(&mut attempts, &element, outcome, limit),
                ElementKind::Flaky(_) | ElementKind::Outcome(_) => {}
            }
        }
        attempts
    }

    fn retry(
        &mut self,
        attempts: &mut Vec<Attempt>,
        element: &Element<'_>,
        outcome: Outcome,
        limit: usize,
    ) {
        if attempts.len() >= limit {
            let message = || "a case with more attempts than the limit".to_owned();
            self.notes
                .add(WarningKind::AttemptLimit, element.at(), message);
            return;
        }
        let attempt = Attempt {
            outcome,
            message: self.message(element),
            kind: self.kind(element),
            detail: self.detail(element.body().map(|body| body.without_outputs())),
            duration: duration(element.time(), self.notes),
        };
        attempts.push(attempt);
    }
}
