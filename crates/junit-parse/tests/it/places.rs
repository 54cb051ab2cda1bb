//! Where warnings and errors stand.
use junit_parse::{Limits, ParseErrorKind, parse};

/// Checks that the byte at the place of the only warning of `kind` begins with `at`.
#[track_caller]
fn check(xml: &[u8], kind: &str, at: &[u8], line: u64) {
    let report = parse(xml, &Limits::default()).unwrap();
    let mut found = report
        .warnings
        .iter()
        .filter(|warning| warning.kind.as_str() == kind);
    let warning = found.next().unwrap();
    let offset = usize::try_from(warning.offset).unwrap();
    assert!(
        xml[offset..].starts_with(at),
        "{offset}: {:?}",
        String::from_utf8_lossy(&xml[offset..])
    );
    assert_eq!(warning.line, line);
}

#[test]
fn warnings_stand_where_the_thing_stands() {
    check(
        b"<testsuite name='s'>\n<testcase name='a' time='x'/></testsuite>",
        "bad_time",
        b"x'/>",
        2,
    );
    check(
        b"<testsuite name='s'>\n\n<testcase name='a\x08'/></testsuite>",
        "illegal_char",
        b"\x08",
        3,
    );
    check(
        b"\xEF\xBB\xBF<testsuite>\n<testcase name='a'/></testsuite>",
        "missing_suite_name",
        b"<testcase",
        2,
    );
    check(
        b"<testsuite name='s'><testcase name='\xFF\xFE'/>\n<testcase name='b' time=''/></testsuite>",
        "bad_time",
        b"'/></testsuite>",
        2,
    );
    check(
        b"<testsuite name='s'>\n<testcase name='a'>",
        "incomplete_case",
        b"<testcase",
        2,
    );
    check(
        b"<testsuite name='s'>\n<testcase name='a'>",
        "truncated",
        b"",
        2,
    );
    check(
        b"<testsuite name='s'><testcase name='a'><failure>x &nbsp; y</failure></testcase></testsuite>",
        "unknown_entity",
        b"&nbsp;",
        1,
    );
    check(
        b"<testsuite name='s'><testcase name='a' name='b'/></testsuite>",
        "duplicate_attribute",
        b"b'",
        1,
    );
    check(
        b"<testsuite name='s'/>\ntext",
        "trailing_text",
        b"\ntext",
        1,
    );
}

#[test]
fn errors_stand_where_the_first_content_stands() {
    let error = |bytes: &[u8]| {
        let error = parse(bytes, &Limits::default()).unwrap_err();
        (error.kind(), error.offset(), error.line())
    };
    assert_eq!(error(b""), (ParseErrorKind::Empty, 0, 1));
    assert_eq!(error(b"\xEF\xBB\xBF"), (ParseErrorKind::Empty, 0, 1));
    assert_eq!(error(b" \n"), (ParseErrorKind::Empty, 0, 1));
    assert_eq!(
        error(b"<!-- x -->\n<html/>"),
        (ParseErrorKind::NotJunit, 11, 2)
    );
    assert_eq!(error(b"\0\0\xFE\xFF"), (ParseErrorKind::Encoding, 0, 1));
    assert_eq!(error(b"<testsu"), (ParseErrorKind::NotJunit, 0, 1));
}
