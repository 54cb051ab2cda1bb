//! Limits cut, and say so; hostile inputs cost no more than their size.
use std::fmt::Write as _;

use crate::laws::survives;
use junit_parse::{Completeness, Limits, Outcome, ParseErrorKind, Report, WarningKind, parse};

fn with(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

fn read(xml: &str, limits: &Limits) -> Report {
    parse(xml.as_bytes(), limits).unwrap()
}

#[test]
fn defaults_are_those_of_the_rules() {
    let limits = Limits::default();
    assert_eq!(limits.max_bytes, 50_000_000);
    assert_eq!(limits.max_cases, 50_000);
    assert_eq!(limits.max_message_chars, 1_000);
    assert_eq!(limits.max_detail_chars, 16_000);
    let unlimited = Limits::unlimited_text();
    assert_eq!(unlimited.max_message_chars, usize::MAX);
    assert_eq!(unlimited.max_cases, 50_000);
}

#[test]
fn a_file_too_large_is_an_error() {
    let xml = b"<testsuite/>";
    assert!(parse(xml, &with(|limits| limits.max_bytes = 12)).is_ok());
    let error = parse(xml, &with(|limits| limits.max_bytes = 11)).unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::TooLarge);
    assert_eq!(
        error.to_string(),
        "the report is larger than the limit of 11 bytes"
    );
}

#[test]
fn the_case_limit_truncates() {
    let xml = "<testsuite><testcase name='a'/><testcase name='b'/><testcase name='c'><failure/></testcase></testsuite>";
    let report = read(xml, &with(|limits| limits.max_cases = 2));
    assert_eq!(report.cases.len(), 2);
    assert_eq!(
        report.completeness(),
        Completeness::Truncated { offset: 51 }
    );
    assert!(report.has_warning(WarningKind::CaseLimit));
    let report = read(xml, &with(|limits| limits.max_cases = 3));
    assert_eq!(report.completeness(), Completeness::Complete);
}

#[test]
fn the_suite_and_depth_limits_truncate() {
    let xml = "<testsuites><testsuite><testcase name='a'/></testsuite><testsuite><testcase name='b'/></testsuite></testsuites>";
    let report = read(xml, &with(|limits| limits.max_suites = 2));
    assert!(report.has_warning(WarningKind::SuiteLimit));
    assert!(report.completeness().is_truncated());
    assert_eq!(report.cases.len(), 1);
    let report = read(xml, &with(|limits| limits.max_depth = 1));
    assert!(report.has_warning(WarningKind::DepthLimit));
    assert!(report.completeness().is_truncated());
}

#[test]
fn a_failed_case_survives_the_depth_limit() {
    let deep = "<a>".repeat(100);
    let xml = format!("<testsuite><testcase name='x'><failure/>{deep}");
    let report = read(&xml, &Limits::default());
    assert_eq!(report.cases[0].outcome, Outcome::Failed);
    assert!(!report.cases[0].is_complete);
}

#[test]
fn texts_are_clipped_by_characters_and_unclipped_for_witnesses() {
    let xml = format!(
        "<testsuite name='s'><testcase name='a'><failure message='{}'>{}</failure></testcase></testsuite>",
        "é".repeat(1_001),
        "&lt;".repeat(16_001),
    );
    let report = read(&xml, &Limits::default());
    let case = &report.cases[0];
    assert_eq!(case.message.as_ref().unwrap().chars().count(), 1_000);
    assert_eq!(case.detail.as_ref().unwrap().len(), 16_000);
    assert!(case.is_clipped && report.has_warning(WarningKind::Clipped));
    assert_eq!(report.completeness(), Completeness::Complete);
    let report = read(&xml, &Limits::unlimited_text());
    assert_eq!(report.cases[0].detail.as_ref().unwrap().len(), 16_001);
    assert!(!report.cases[0].is_clipped && report.warnings.is_empty());
}

#[test]
fn several_details_share_one_limit() {
    let xml = "<testsuite name='s'><testcase name='a'><failure>abc</failure><failure>def</failure></testcase></testsuite>";
    let report = read(xml, &with(|limits| limits.max_detail_chars = 5));
    assert_eq!(report.cases[0].detail.as_deref(), Some("abc\nd"));
    assert!(report.has_warning(WarningKind::Clipped));
}

#[test]
fn attempts_and_properties_are_limited() {
    let xml = "<testsuite name='s'><testcase name='a'><properties><property name='p' value='1'/><property name='q' value='2'/></properties><flakyFailure/><flakyFailure/><flakyError/></testcase></testsuite>";
    let limits = with(|limits| {
        limits.max_attempts = 2;
        limits.max_properties = 1;
    });
    let report = read(xml, &limits);
    let outcomes: Vec<_> = report.cases[0]
        .attempts
        .iter()
        .map(|attempt| attempt.outcome)
        .collect();
    assert_eq!(outcomes, [Outcome::Failed, Outcome::Passed]);
    assert_eq!(
        report.cases[0].properties,
        [("p".to_owned(), "1".to_owned())]
    );
    assert!(report.has_warning(WarningKind::AttemptLimit));
    assert!(report.has_warning(WarningKind::PropertyLimit));
}

#[test]
fn warnings_are_limited_but_no_kind_is_lost() {
    let mut xml = "<testsuite name='s'>".to_owned();
    for index in 0..500 {
        write!(xml, "<testcase name='{index}' time='x'/>").unwrap();
    }
    xml.push_str("<testcase name='last' time='-1'>");
    let report = read(&xml, &Limits::default());
    assert_eq!(
        report
            .warnings
            .iter()
            .filter(|w| w.kind == WarningKind::BadTime)
            .count(),
        100
    );
    assert_eq!(report.warnings_omitted, 400);
    assert!(report.has_warning(WarningKind::Truncated));
    assert!(report.has_warning(WarningKind::IncompleteCase));
}

#[test]
fn outputs_are_kept_only_when_asked_for() {
    let xml = "<testsuite name='s'><testcase name='a'><system-out>o</system-out><system-err>e</system-err></testcase></testsuite>";
    assert_eq!(read(xml, &Limits::default()).cases[0].system_out, None);
    let report = read(xml, &with(|limits| limits.keep_output = true));
    assert_eq!(report.cases[0].system_out.as_deref(), Some("o"));
    assert_eq!(report.cases[0].system_err.as_deref(), Some("e"));
}

/// Each of these made a quadratic reader hang; 100 kB of it must be a matter of moments.
#[test]
fn hostile_repetition_is_linear() {
    let parts = [
        "<failure>",
        "<system-out>",
        "<?",
        "<!--",
        "<![CDATA[",
        "<a b='",
        "<a b=\"",
        "&",
        "&#",
        "]]>",
        "<a <",
        "</a",
        "<a>",
        "<testcase>",
        "<testcase name='a'><failure>",
        "<failure></testcase>",
        "<property name='a'>",
        "<a a='1' a='2'",
        "<",
        "\u{1B}",
    ];
    for part in parts {
        let body = part.repeat(100_000 / part.len());
        for xml in [
            format!("<testsuite><testcase name='a'>{body}</testcase></testsuite>"),
            format!(
                "<testsuite><testcase name='a'><failure>{body}</failure></testcase></testsuite>"
            ),
            format!("<testsuite>{body}"),
            body,
        ] {
            survives(xml.as_bytes());
        }
    }
}
