//! The readers that are compared, each as a function from a report to its number of cases.
use std::hint::black_box;
use std::ops::ControlFlow;

use junit_parse::{Event, Limits, parse, visit, visit_read};
use quick_xml::events::Event as XmlEvent;

/// A reader and its name.
pub(crate) type Reader = (&'static str, fn(&str) -> Option<u64>);

pub(crate) const READERS: [Reader; 8] = [
    ("bare quick-xml loop", bare),
    ("visitor", visitor),
    ("streaming", streaming),
    ("owned", owned),
    ("owned, no output check", owned_unchecked),
    ("junit-parser", junit_parser_slice),
    ("quick-junit", quick_junit),
    ("junit-parser, buffered", junit_parser_buffered),
];

/// The inputs are larger than what is read by default.
pub(crate) fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_bytes = usize::MAX;
    limits.max_cases = usize::MAX;
    limits.max_suites = usize::MAX;
    limits
}

/// Every tag is an event, and test cases are counted.
fn bare(xml: &str) -> Option<u64> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut cases = 0;
    loop {
        match reader.read_event().ok()? {
            XmlEvent::Start(tag) | XmlEvent::Empty(tag) if tag.name().as_ref() == "testcase" => {
                cases += 1;
            }
            XmlEvent::Eof => return Some(cases),
            _ => {}
        }
    }
}

/// Looks at what a judge would look at: the names and the outcome.
fn look(event: &Event<'_>, cases: &mut u64) {
    if let Event::Case(case) = event {
        *cases += 1;
        black_box((case.name(), case.classname(), case.time(), case.outcome()));
    }
}

fn visitor(xml: &str) -> Option<u64> {
    let mut cases = 0;
    let end = visit(xml.as_bytes(), &limits(), |event| {
        look(&event, &mut cases);
        ControlFlow::<()>::Continue(())
    });
    end.ok().map(|_| cases)
}

fn streaming(xml: &str) -> Option<u64> {
    stream(xml.as_bytes())
}

pub(crate) fn stream(input: impl std::io::Read) -> Option<u64> {
    let mut cases = 0;
    let end = visit_read(input, &limits(), |event| {
        look(&event, &mut cases);
        ControlFlow::<()>::Continue(())
    });
    end.ok().map(|_| cases)
}

fn owned(xml: &str) -> Option<u64> {
    let report = parse(xml.as_bytes(), &limits()).ok()?;
    Some(report.counts().cases)
}

fn owned_unchecked(xml: &str) -> Option<u64> {
    let mut limits = limits();
    limits.check_output = false;
    let report = parse(xml.as_bytes(), &limits).ok()?;
    Some(report.counts().cases)
}

fn junit_parser_slice(xml: &str) -> Option<u64> {
    let suites = junit_parser::from_reader(xml.as_bytes()).ok()?;
    Some(counted(&suites))
}

fn junit_parser_buffered(xml: &str) -> Option<u64> {
    let input = std::io::BufReader::with_capacity(65_536, xml.as_bytes());
    let suites = junit_parser::from_reader(input).ok()?;
    Some(counted(&suites))
}

fn counted(suites: &junit_parser::TestSuites) -> u64 {
    let cases = suites.suites.iter().map(|suite| suite.cases.len() as u64);
    cases.sum()
}

fn quick_junit(xml: &str) -> Option<u64> {
    let report = quick_junit::Report::deserialize_from_str(xml).ok()?;
    let cases = report
        .test_suites
        .iter()
        .map(|suite| suite.test_cases.len() as u64);
    Some(cases.sum())
}
