//! Laws: no panic, a cut or a missing tag hides no failure and makes no pass.
use std::collections::BTreeSet;
use std::fmt::Write as _;

use junit_parse::{Completeness, Limits, Outcome, parse};
use proptest::prelude::*;

use crate::naive::rows;

/// What a generated case holds, in order.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// An element with a message and a body; without one it is empty.
    Element(&'static str, Option<usize>),
    Properties,
    Comment,
}

/// Bodies that look like structure to a careless reader.
const BODIES: [&str; 8] = [
    "at x.rs:4",
    "a &lt; b &amp;&amp; c",
    "<![CDATA[</failure></testcase><testcase name=\"no\"/>]]>",
    "<!-- </testcase><failure/> -->text",
    "<![CDATA[x]]]]><![CDATA[>]]>",
    "<?php </failure> ?>",
    "<stackTrace>at y</stackTrace><system-out>log</system-out>",
    " ",
];

const ELEMENTS: [&str; 9] = [
    "failure",
    "error",
    "skipped",
    "flakyFailure",
    "flakyError",
    "rerunFailure",
    "rerunError",
    "system-out",
    "system-err",
];

/// Cases of one report, each the parts it holds; `None` begins a nested suite.
pub(crate) type Parts = Vec<Option<Vec<Part>>>;

fn part() -> impl Strategy<Value = Part> {
    let element = (
        prop::sample::select(ELEMENTS.to_vec()),
        prop::option::of(0..BODIES.len()),
    );
    prop_oneof![
        8 => element.prop_map(|(name, body)| Part::Element(name, body)),
        1 => Just(Part::Properties),
        1 => Just(Part::Comment),
    ]
}

pub(crate) fn suite() -> impl Strategy<Value = Parts> {
    let case = prop::collection::vec(part(), 0..4);
    prop::collection::vec(prop::option::weighted(0.85, case), 1..7)
}

/// A well-formed report and the places in it that matter.
pub(crate) struct Made {
    pub(crate) xml: String,
    /// Name of a case that fails, and where the tag that says so has been read.
    failures: Vec<(String, usize)>,
    /// Start and end of every end tag.
    end_tags: Vec<(usize, usize)>,
}

impl Made {
    fn end_tag(&mut self, name: &str) {
        let start = self.xml.len();
        write!(self.xml, "</{name}>").unwrap();
        self.end_tags.push((start, self.xml.len()));
    }
}

pub(crate) fn report(parts: &Parts) -> Made {
    let mut made = Made {
        xml: "<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"s\">".to_owned(),
        failures: Vec::new(),
        end_tags: Vec::new(),
    };
    let mut depth = 1;
    for (index, parts) in parts.iter().enumerate() {
        let Some(parts) = parts else {
            write!(made.xml, "\n<testsuite name='n{index}'>").unwrap();
            depth += 1;
            continue;
        };
        let name = format!("t{index}");
        if parts.is_empty() {
            write!(made.xml, "\n<testcase name=\"{name}\" time='0.1'/>").unwrap();
            continue;
        }
        write!(made.xml, "\n<testcase classname=\"a>b\" name=\"{name}\">").unwrap();
        for part in parts {
            add_part(&mut made, part, &name);
        }
        made.end_tag("testcase");
    }
    for _ in 0..depth {
        made.xml.push('\n');
        made.end_tag("testsuite");
    }
    made.end_tag("testsuites");
    made
}

fn add_part(made: &mut Made, part: &Part, case: &str) {
    match part {
        Part::Comment => made.xml.push_str("<!-- <failure/> -->"),
        Part::Properties => {
            made.xml
                .push_str("<properties><property name='p' value='</x'/>");
            made.end_tag("properties");
            // The raw `<` above would not be well-formed.
            made.xml = made.xml.replace("'</x'", "'&lt;/x'");
            for (start, end) in made.end_tags.iter_mut().rev().take(1) {
                *start += 3;
                *end += 3;
            }
        }
        Part::Element(name, None) => {
            write!(made.xml, "<{name} message='a > b'/>").unwrap();
            note_failure(made, name, case);
        }
        Part::Element(name, Some(body)) => {
            write!(made.xml, "<{name} message=\"it's\">").unwrap();
            note_failure(made, name, case);
            made.xml.push_str(BODIES[*body]);
            made.end_tag(name);
        }
    }
}

fn note_failure(made: &mut Made, element: &str, case: &str) {
    if element == "failure" || element == "error" {
        made.failures.push((case.to_owned(), made.xml.len()));
    }
}

fn named(xml: &[u8], wanted: impl Fn(Outcome) -> bool) -> BTreeSet<String> {
    let Ok(report) = parse(xml, &Limits::default()) else {
        return BTreeSet::new();
    };
    let cases = report.cases.into_iter().filter(|case| wanted(case.outcome));
    cases.map(|case| case.name).collect()
}

/// Reads and, whatever came of it, ends without a panic.
pub(crate) fn survives(bytes: &[u8]) {
    if let Ok(report) = parse(bytes, &Limits::default()) {
        assert!(report.counts().cases <= 50_000);
    }
}

fn is_pass(outcome: Outcome) -> bool {
    outcome == Outcome::Passed
}

/// Pieces of markup that a broken report may consist of.
const SOUP: [&str; 24] = [
    "<",
    ">",
    "/",
    "\"",
    "'",
    "=",
    "&",
    ";",
    "<testcase ",
    "<testcase name=\"a\">",
    "</testcase>",
    "<testsuite>",
    "</testsuite>",
    "<failure",
    "<failure>",
    "</failure>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<!DOCTYPE x [",
    "\u{FEFF}\u{1B}é",
];

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survives(&bytes);
    }

    #[test]
    fn no_markup_makes_it_panic(parts in prop::collection::vec(0..SOUP.len(), 0..60)) {
        let text: String = parts.iter().map(|index| SOUP[*index]).collect();
        survives(text.as_bytes());
    }

    #[test]
    fn no_change_of_a_good_report_makes_it_panic(
        parts in suite(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = report(&parts).xml.into_bytes();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        survives(&bytes);
    }

    #[test]
    fn a_missing_end_tag_never_makes_a_pass_nor_hides_a_failure(
        parts in suite(),
        index in any::<prop::sample::Index>(),
    ) {
        let made = report(&parts);
        let (start, end) = made.end_tags[index.index(made.end_tags.len())];
        let mut broken = made.xml.clone();
        broken.replace_range(start..end, "");
        let passed = named(made.xml.as_bytes(), is_pass);
        prop_assert!(named(broken.as_bytes(), is_pass).is_subset(&passed), "{broken}");
        let failed = named(broken.as_bytes(), Outcome::is_failure);
        for (name, _) in &made.failures {
            prop_assert!(failed.contains(name), "{name} of {broken}");
        }
        let report = parse(broken.as_bytes(), &Limits::default()).unwrap();
        prop_assert_ne!(report.completeness(), Completeness::Complete, "{}", broken);
    }

    #[test]
    fn encodings_change_nothing(parts in suite()) {
        let made = report(&parts);
        let expected = rows(made.xml.as_bytes());
        let units = made.xml.encode_utf16();
        let little: Vec<u8> = units.clone().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
        prop_assert_eq!(&rows(&little), &expected);
        prop_assert_eq!(&rows(&big), &expected);
        prop_assert_eq!(&rows(format!("\u{FEFF}{}", made.xml).as_bytes()), &expected);
    }
}

proptest! {
    // Each case is cut at every byte.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_cut_never_makes_a_pass_nor_hides_a_failure(parts in suite()) {
        let made = report(&parts);
        let bytes = made.xml.as_bytes();
        let passed = named(bytes, is_pass);
        for cut in 0..bytes.len() {
            let part = &bytes[..cut];
            let seen = named(part, is_pass);
            prop_assert!(seen.is_subset(&passed), "cut at {cut} of {}", made.xml);
            let failed = named(part, Outcome::is_failure);
            for (name, at) in &made.failures {
                prop_assert!(*at > cut || failed.contains(name), "{name}, cut at {cut} of {}", made.xml);
            }
            if let Ok(report) = parse(part, &Limits::default()) {
                prop_assert!(report.completeness().is_truncated(), "cut at {cut} of {}", made.xml);
            }
        }
    }
}
