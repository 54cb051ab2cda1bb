//! The machine formats: round trips, words, schemas.
use junit_parse::wire::{CaseLine, Document, File};
use junit_parse::{Limits, Report, WarningKind, parse};

const XML: &[u8] = b"<testsuite name='s' tests='9'><testcase name='a' time='1,5'><flakyFailure message='m'/></testcase></testsuite>";

#[test]
fn what_is_written_is_read_back() {
    let report = parse(XML, &Limits::default()).unwrap();
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    let document = Document::new(vec![File::of_report("r.xml", &report)]);
    let text = serde_json::to_string(&document).unwrap();
    assert_eq!(serde_json::from_str::<Document>(&text).unwrap(), document);
    let line = CaseLine::from(&report.cases[0]);
    let text = serde_json::to_string(&line).unwrap();
    assert_eq!(serde_json::from_str::<CaseLine>(&text).unwrap(), line);
}

#[test]
fn words_of_warnings_are_the_same_everywhere() {
    for kind in WarningKind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
    }
}

#[cfg(feature = "schema")]
#[test]
fn schemas_know_every_key() {
    let schema = serde_json::to_value(schemars::schema_for!(CaseLine)).unwrap();
    for key in [
        "suite",
        "name",
        "outcome",
        "duration_ms",
        "attempts",
        "properties",
    ] {
        assert!(schema["properties"][key].is_object(), "{key}");
    }
}
