//! The handed reports, where they are present.
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use junit_parse::{Limits, Outcome, parse};
use serde_json::Value;

fn shared() -> Option<PathBuf> {
    if let Some(folder) = env::var_os("PATCH_VERDICT_SHARED") {
        return Some(PathBuf::from(folder));
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let found = beside.is_dir().then_some(beside);
    if found.is_none() {
        eprintln!("shared cases: not here");
    }
    found
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

type Row = (String, String, String, Vec<String>);

fn row(value: &Value) -> Row {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let attempts = value["attempts"].as_array().into_iter().flatten();
    let attempts = attempts
        .map(|attempt| attempt.as_str().unwrap().to_owned())
        .collect();
    (text("suite"), text("name"), text("outcome"), attempts)
}

#[test]
fn every_handed_report_gives_the_expected_cases() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("cases/junit");
    let all = json(&folder.join("expected.json"));
    for expected in all.as_array().unwrap() {
        let name = expected["file"].as_str().unwrap();
        let bytes = fs::read(folder.join("corpus").join(name)).unwrap();
        let report = parse(&bytes, &Limits::default()).unwrap();
        let counts = report.counts();
        let got = [counts.passed, counts.failed, counts.error, counts.skipped];
        let want =
            ["passed", "failed", "error", "skipped"].map(|key| expected[key].as_u64().unwrap());
        assert_eq!(got, want, "{name}");
        let Some(results) = expected["results"].as_array() else {
            continue;
        };
        let mut want: Vec<Row> = results.iter().map(row).collect();
        let mut got: Vec<Row> = report
            .cases
            .iter()
            .map(|case| {
                let attempts = case
                    .attempts
                    .iter()
                    .map(|attempt| attempt.outcome.to_string());
                let attempts = attempts.filter(|_| case.attempts.len() > 1).collect();
                (
                    case.suite.to_string(),
                    case.name.clone(),
                    case.outcome.to_string(),
                    attempts,
                )
            })
            .collect();
        want.sort();
        got.sort();
        assert_eq!(got, want, "{name}");
    }
}

#[test]
fn every_handed_shape_is_read_as_expected() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("cases/junit/shapes");
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        seen += 1;
        check_shape(&path);
    }
    assert!(seen > 0);
}

fn check_shape(path: &Path) {
    let name = path.display();
    let expected = &json(path)["expect"];
    let bytes = fs::read(path.with_extension("xml")).unwrap();
    let wanted: Vec<&Value> = expected["cases"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|case| case["outcome"] != "incomplete")
        .collect();
    let report = match parse(&bytes, &Limits::default()) {
        Ok(report) => report,
        Err(error) => {
            assert_eq!(expected["error"], error.kind().as_str(), "{name}");
            assert!(wanted.is_empty(), "{name}");
            return;
        }
    };
    assert_eq!(expected["error"], Value::Null, "{name}");
    for kind in expected["warnings"].as_array().unwrap() {
        assert!(
            report
                .warnings
                .iter()
                .any(|warning| *kind == warning.kind.as_str()),
            "{name}: {kind}"
        );
    }
    assert_eq!(report.cases.len(), wanted.len(), "{name}");
    for (case, want) in report.cases.iter().zip(wanted) {
        assert_eq!(want["suite"], *case.suite, "{name}");
        assert_eq!(want["name"], case.name, "{name}");
        assert_eq!(want["outcome"], case.outcome.as_str(), "{name}");
        let seconds = case.duration.map(|time| time.as_secs_f64());
        assert_eq!(want["time_s"].as_f64(), seconds, "{name}");
        if let Some(message) = want["message_equals"].as_str() {
            assert_eq!(case.message.as_deref(), Some(message), "{name}");
        }
        if let Some(part) = want["message_contains"].as_str() {
            assert!(case.message.as_deref().unwrap().contains(part), "{name}");
        }
        if let Some(part) = want["body_contains"].as_str() {
            assert!(case.detail.as_deref().unwrap().contains(part), "{name}");
        }
        let attempts: Vec<Outcome> = case
            .attempts
            .iter()
            .map(|attempt| attempt.outcome)
            .collect();
        let attempts: Vec<&str> = attempts.iter().map(|outcome| outcome.as_str()).collect();
        assert_eq!(want["attempts"], serde_json::json!(attempts), "{name}");
    }
}
