//! The visitor over a slice and the one over a stream say the same, whatever the pieces.
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;

use junit_parse::{
    Case, Ending, Event, Limits, Outcome, ParseError, ParseErrorKind, RawText, WarningKind, parse,
    visit, visit_read,
};
use proptest::prelude::*;

use crate::corpus::{folders, testdata};
use crate::laws::{report, suite};

/// A stream that gives at most so many bytes at once.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, target: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.min(target.len()).min(self.0.len());
        let (piece, rest) = self.0.split_at(count);
        target[..count].copy_from_slice(piece);
        self.0 = rest;
        Ok(count)
    }
}

fn text(raw: Option<RawText<'_>>) -> Option<String> {
    raw.map(|raw| raw.decode().into_owned())
}

/// Everything that an event holds.
fn told(event: Event<'_>, all: &mut String) {
    match event {
        Event::SuiteStart(suite) => writeln!(
            all,
            "suite {} {:?} {} {:?} {:?} {:?} @{}",
            suite.index(),
            suite.parent(),
            suite.is_collection(),
            text(suite.name()),
            text(suite.time()),
            text(suite.tests()),
            suite.at(),
        ),
        Event::Case(case) => {
            let elements: Vec<_> = case
                .elements()
                .map(|it| {
                    (
                        it.kind(),
                        text(it.message()),
                        text(it.type_name()),
                        text(it.body()),
                        it.at(),
                    )
                })
                .collect();
            let properties: Vec<_> = case
                .properties()
                .map(|(name, value)| (name.decode().into_owned(), value.decode().into_owned()))
                .collect();
            writeln!(
                all,
                "case {:?} {:?} {:?} {:?} {:?} {} {:?} {elements:?} {properties:?} {:?} {:?} @{}",
                case.suite(),
                text(case.suite_name()),
                text(case.classname()),
                text(case.name()),
                text(case.time()),
                case.is_complete(),
                case.outcome(),
                text(case.system_out()),
                text(case.system_err()),
                case.at(),
            )
        }
        Event::SuiteEnd(index) => writeln!(all, "end {index}"),
        _ => Ok(()),
    }
    .unwrap();
}

type Visited = (String, Result<Ending, ParseError>);

fn ended(all: String, end: Result<ControlFlow<(), Ending>, ParseError>) -> Visited {
    let end = end.map(|flow| match flow {
        ControlFlow::Continue(ending) => ending,
        ControlFlow::Break(()) => panic!("nothing broke"),
    });
    (all, end)
}

fn slice(bytes: &[u8], limits: &Limits) -> Visited {
    let mut all = String::new();
    let end = visit(bytes, limits, |event| {
        told(event, &mut all);
        ControlFlow::Continue(())
    });
    ended(all, end)
}

fn stream(input: impl Read, limits: &Limits) -> Visited {
    let mut all = String::new();
    let end = visit_read(input, limits, |event| {
        told(event, &mut all);
        ControlFlow::Continue(())
    });
    ended(all, end)
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.keep_output = true;
    limits
}

#[track_caller]
fn agree(bytes: &[u8], pieces: &[usize]) {
    let limits = limits();
    let expected = slice(bytes, &limits);
    for piece in pieces {
        let found = stream(Pieces(bytes, *piece), &limits);
        assert_eq!(
            found,
            expected,
            "pieces of {piece}: {}",
            String::from_utf8_lossy(bytes)
        );
    }
    // The owned report has the same cases.
    if let Ok(report) = parse(bytes, &limits) {
        let line = |case: &Case| format!("{:?} {:?}", case.name, case.outcome);
        let cases: Vec<String> = report.cases.iter().map(line).collect();
        let mut visited = Vec::new();
        let end = visit_read(bytes, &limits, |event| {
            if let Event::Case(case) = event {
                let name = text(case.name()).unwrap_or_default();
                visited.push(format!("{name:?} {:?}", case.outcome()));
            }
            ControlFlow::<()>::Continue(())
        });
        assert!(end.is_ok());
        assert_eq!(visited, cases);
    }
}

fn corpus() -> Vec<Vec<u8>> {
    let folders = folders(&testdata());
    let read = |folder: &std::path::PathBuf| fs::read(folder.join("report.xml")).unwrap();
    folders.iter().map(read).collect()
}

#[test]
fn slices_and_streams_agree_on_every_report() {
    let corpus = corpus();
    assert!(corpus.len() > 40);
    for bytes in corpus {
        let piece = if bytes.len() > 20_000 { 1_021 } else { 1 };
        agree(&bytes, &[piece, 1 << 20]);
    }
}

/// The same changes on every run: no seed is drawn.
#[test]
fn slices_and_streams_agree_on_changed_reports() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(limit.max(1)).unwrap()).unwrap()
    };
    let pieces: [&[u8]; 20] = [
        b"<",
        b">",
        b"\"",
        b"'",
        b"&",
        b"/",
        b"</testcase>",
        b"<testcase name='x'>",
        b"</testsuite>",
        b"<failure>",
        b"</failure>",
        b"<![CDATA[",
        b"]]>",
        b"<!--",
        b"-->",
        b"<?",
        b"?>",
        b"<system-out>",
        b"\xFF",
        b"<!DOCTYPE x [",
    ];
    for (round, bytes) in (0..3).flat_map(|round| corpus().into_iter().map(move |it| (round, it))) {
        let mut changed = bytes;
        for _ in 0..=round % 3 {
            let at = below(changed.len());
            match below(4) {
                0 => changed.truncate(at),
                1 => drop(changed.drain(at..(at + below(30)).min(changed.len()))),
                2 if at < changed.len() => changed[at] = u8::try_from(below(256)).unwrap(),
                _ => drop(changed.splice(at..at, pieces[below(20)].iter().copied())),
            }
        }
        agree(&changed, &[1 + below(60) + changed.len() / 50]);
    }
}

#[test]
fn a_report_larger_than_the_window_reads_the_same() {
    let mut xml = "<testsuites><testsuite name='s'>".to_owned();
    for index in 0..1_500 {
        let body = "a &lt; b <![CDATA[</failure>]]>\n".repeat(index % 60);
        write!(xml, "<testcase name='{index}' time='x'><failure message='m'>{body}</failure><system-out>{body}</system-out></testcase>").unwrap();
    }
    xml.push_str("</testsuite></testsuites>");
    agree(xml.as_bytes(), &[9_973]);
    agree(&xml.as_bytes()[..xml.len() - 40_000], &[1 << 20]);
}

#[test]
fn an_early_break_ends_the_reading() {
    let xml = b"<testsuite><testcase name='a'/><testcase name='b'><error/></testcase><testcase name='c'/></testsuite>";
    let mut seen = 0;
    let found = visit(xml, &Limits::default(), |event| match event {
        Event::Case(case) => {
            seen += 1;
            if case.outcome() == Outcome::Error {
                return ControlFlow::Break(text(case.name()));
            }
            ControlFlow::Continue(())
        }
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(found.unwrap(), ControlFlow::Break(Some("b".to_owned())));
    assert_eq!(seen, 2);
}

/// A tag without an end must not fill the memory, and is no report that passed.
#[test]
fn an_endless_attribute_is_a_limit_error() {
    let head =
        b"<testsuite name='s'><testcase name='a'/><testcase name='b'><failure/><x y='".as_slice();
    let input = head.chain(std::io::repeat(b'z').take(40_000_000));
    let (all, end) = stream(input, &Limits::default());
    let error = end.unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::Limit);
    assert_eq!((error.offset(), error.line()), (69, 1));
    assert_eq!(
        error.to_string(),
        "a tag is larger than the limit of 2000000 bytes"
    );
    // What was whole and what had failed before it was handed out.
    assert_eq!(all.matches("case Some(0)").count(), 2, "{all}");
    assert!(all.contains("Some(\"b\") None false Failed"), "{all}");
}

#[test]
fn an_unclosed_body_beyond_the_window_is_a_limit_error() {
    let log = "log line\n".repeat(400_000);
    let xml = format!(
        "<testsuite name='s'><testcase name='a'><system-out>{log}<failure/></testcase></testsuite>"
    );
    let (all, end) = stream(xml.as_bytes(), &Limits::default());
    assert_eq!(end.unwrap_err().kind(), ParseErrorKind::Limit);
    assert!(!all.contains("Passed"), "{all}");
    // In memory there is no such limit: the failure is found.
    assert!(
        slice(xml.as_bytes(), &Limits::default())
            .0
            .contains("Failed")
    );
}

#[test]
fn a_body_larger_than_the_window_is_cut_and_the_rest_is_read() {
    let log = "x".repeat(5_000_000);
    let xml = format!(
        "<testsuite name='s'><testcase name='a'><failure>{log}</failure></testcase><testcase name='b'/></testsuite>"
    );
    let mut lengths = Vec::new();
    let end = visit_read(xml.as_bytes(), &Limits::default(), |event| {
        if let Event::Case(case) = event {
            lengths.extend(
                case.elements()
                    .filter_map(|it| it.body())
                    .map(|body| (body.raw().len(), body.is_cut())),
            );
        }
        ControlFlow::<()>::Continue(())
    });
    let ControlFlow::Continue(ending) = end.unwrap() else {
        panic!("nothing broke")
    };
    assert!(lengths[0].0 >= 1_900_000 && lengths[0].1, "{lengths:?}");
    assert!(
        ending
            .warnings
            .iter()
            .any(|warning| warning.kind == WarningKind::Clipped)
    );
}

#[test]
fn a_stream_that_fails_is_an_error_behind_what_was_read() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the cable"))
        }
    }
    let head = b"<testsuite name='s'><testcase name='a'/><testcase name='b'><failure/>".as_slice();
    let (all, end) = stream(head.chain(Failing), &Limits::default());
    let error = end.unwrap_err();
    // The beginning alone cannot be told from a file that fails at once.
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ParseErrorKind::Io, "cannot read the report: the cable")
    );
    assert!(!all.contains("Passed") || all.contains("Failed"), "{all}");
}

#[test]
fn too_large_a_stream_is_an_error() {
    let mut small = Limits::default();
    small.max_bytes = 100;
    let xml = format!("<testsuite name='s'>{}</testsuite>", " ".repeat(100));
    let error = stream(xml.as_bytes(), &small).1.unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::TooLarge);
}

proptest! {
    #[test]
    fn slices_and_streams_agree_on_generated_reports(parts in suite(), piece in 1..200_usize) {
        agree(report(&parts).xml.as_bytes(), &[piece]);
    }

    #[test]
    fn slices_and_streams_agree_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        agree(&bytes, &[1, 300]);
    }

    #[test]
    fn slices_and_streams_agree_in_every_encoding(parts in suite(), piece in 1..50_usize) {
        let xml = report(&parts).xml;
        let little: Vec<u8> = xml.encode_utf16().flat_map(u16::to_le_bytes).collect();
        agree(&little, &[piece]);
        let latin = xml.replace("version=\"1.0\"", "version=\"1.0\" encoding=\"latin1\"").replace("trace", "\u{E9}");
        let latin: Vec<u8> = latin.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
        agree(&latin, &[piece]);
    }
}
