//! A second reader, as simple as can be: a plain loop over `quick-xml` events, without recovery.
use std::fs;

use junit_parse::{Completeness, Limits, Outcome, parse};
use proptest::prelude::*;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::corpus::{folders, testdata};
use crate::laws::{report, suite};

/// Suite, name, outcome and outcomes of the attempts.
pub(crate) type Row = (String, String, Outcome, Vec<Outcome>);

#[derive(Default)]
struct Open {
    local: String,
    suite: String,
    classname: String,
    name: String,
    status: String,
    elements: Vec<String>,
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> String {
    let attribute = tag.try_get_attribute(name).unwrap();
    attribute.map_or(String::new(), |found| {
        found
            .normalized_value(XmlVersion::Implicit1_0)
            .unwrap()
            .into_owned()
    })
}

fn opened(tag: &BytesStart<'_>, stack: &[Open]) -> Open {
    let local = tag.local_name().into_inner().to_owned();
    let name = attribute(tag, "name");
    let outer = stack
        .last()
        .map(|open| open.suite.clone())
        .unwrap_or_default();
    let names_suite = local == "testsuite" && !name.trim().is_empty();
    Open {
        suite: if names_suite { name.clone() } else { outer },
        classname: attribute(tag, "classname"),
        status: attribute(tag, "status"),
        local,
        name,
        elements: Vec::new(),
    }
}

fn close(open: Open, stack: &mut [Open], rows: &mut Vec<Row>) {
    if open.local == "testcase" {
        rows.push(row(open));
    } else if let Some(parent) = stack.last_mut() {
        parent.elements.push(open.local);
    }
}

fn row(open: Open) -> Row {
    let has = |name: &str| open.elements.iter().any(|element| element == name);
    let skips = ["notrun", "disabled", "skipped", "ignored", "suppressed"];
    let outcome = if has("failure") {
        Outcome::Failed
    } else if has("error") {
        Outcome::Error
    } else if has("skipped") || skips.contains(&open.status.as_str()) {
        Outcome::Skipped
    } else {
        Outcome::Passed
    };
    let retries = |wanted: &[&str]| -> Vec<Outcome> {
        let elements = open
            .elements
            .iter()
            .filter(|element| wanted.contains(&element.as_str()));
        let of = |element: &String| {
            if element.ends_with("Error") {
                Outcome::Error
            } else {
                Outcome::Failed
            }
        };
        elements.map(of).collect()
    };
    let attempts = if outcome == Outcome::Passed {
        let mut all = retries(&["flakyFailure", "flakyError"]);
        all.push(outcome);
        all.extend(retries(&["rerunFailure", "rerunError"]));
        all
    } else {
        let mut all = vec![outcome];
        all.extend(retries(&[
            "flakyFailure",
            "flakyError",
            "rerunFailure",
            "rerunError",
        ]));
        all
    };
    let has_class = !open.classname.trim().is_empty();
    let suite = if has_class {
        open.classname
    } else {
        open.suite
    };
    (suite, open.name, outcome, attempts)
}

fn read(xml: &str) -> Vec<Row> {
    let mut reader = Reader::from_str(xml);
    let mut stack: Vec<Open> = Vec::new();
    let mut rows = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) => {
                let open = opened(&tag, &stack);
                stack.push(open);
            }
            Event::Empty(tag) => {
                let open = opened(&tag, &stack);
                close(open, &mut stack, &mut rows);
            }
            Event::End(_) => {
                let open = stack.pop().unwrap();
                close(open, &mut stack, &mut rows);
            }
            Event::Eof => return rows,
            _ => {}
        }
    }
}

/// The same rows from the reader under test.
pub(crate) fn rows(xml: &[u8]) -> Vec<Row> {
    let report = parse(xml, &Limits::default()).unwrap();
    let cases = report.cases.into_iter().map(|case| {
        let attempts = case
            .attempts
            .iter()
            .map(|attempt| attempt.outcome)
            .collect();
        (case.suite.to_string(), case.name, case.outcome, attempts)
    });
    cases.collect()
}

#[test]
fn both_readers_agree_on_every_well_formed_report_of_the_corpus() {
    let mut compared = 0;
    for folder in folders(&testdata()) {
        let bytes = fs::read(folder.join("report.xml")).unwrap();
        let Ok(report) = parse(&bytes, &Limits::default()) else {
            continue;
        };
        let (true, Ok(text)) = (
            report.completeness() == Completeness::Complete,
            std::str::from_utf8(&bytes),
        ) else {
            continue;
        };
        compared += 1;
        assert_eq!(rows(&bytes), read(text), "{}", folder.display());
    }
    assert!(compared > 30, "{compared}");
}

proptest! {
    #[test]
    fn both_readers_agree_on_generated_reports(parts in suite()) {
        let made = report(&parts);
        prop_assert_eq!(rows(made.xml.as_bytes()), read(&made.xml), "{}", made.xml);
    }
}
