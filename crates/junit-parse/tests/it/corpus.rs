//! Walks `testdata/junit`: one folder a report, with what must be read from it.
use std::fs;
use std::path::{Path, PathBuf};

use junit_parse::{Case, Completeness, Limits, parse};
use serde_json::Value;

pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/junit")
}

/// Folders below that hold a `report.xml`, sorted.
pub(crate) fn folders(below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(below).unwrap() {
        let path = entry.unwrap().path();
        if path.join("report.xml").is_file() {
            found.push(path);
        } else if path.is_dir() {
            found.extend(folders(&path));
        }
    }
    found.sort();
    found
}

#[test]
fn every_report_is_read_as_expected() {
    let folders = folders(&testdata());
    assert!(folders.len() > 40, "{}", folders.len());
    let wrong: Vec<String> = folders
        .iter()
        .filter_map(|folder| check(folder).err())
        .collect();
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn check(folder: &Path) -> Result<(), String> {
    let name = folder
        .strip_prefix(testdata())
        .unwrap()
        .display()
        .to_string();
    let bytes = fs::read(folder.join("report.xml")).unwrap();
    let text = fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    let mut compare = |what: &str, got: Value, want: &Value| {
        if got != *want {
            wrong.push(format!("  {what}: got {got}, want {want}"));
        }
    };
    let report = match parse(&bytes, &Limits::default()) {
        Ok(report) => report,
        Err(error) => {
            compare("status", "error".into(), &expected["status"]);
            compare("error", error.kind().as_str().into(), &expected["error"]);
            return if wrong.is_empty() {
                Ok(())
            } else {
                Err(format!("{name}\n{}", wrong.join("\n")))
            };
        }
    };
    let status = match report.completeness() {
        Completeness::Complete => "ok",
        Completeness::Recovered | Completeness::Truncated { .. } => "recovered",
    };
    compare("status", status.into(), &expected["status"]);
    compare("error", Value::Null, &expected["error"]);
    let is_truncated = report.completeness().is_truncated();
    compare("truncated", is_truncated.into(), &expected["truncated"]);
    let mut kinds: Vec<&str> = report
        .warnings
        .iter()
        .map(|warning| warning.kind.as_str())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    compare("warnings", kinds.into(), &expected["warnings"]);
    let cases = report.cases;
    let wanted = expected["cases"].as_array().unwrap();
    compare("number of cases", cases.len().into(), &wanted.len().into());
    for (case, want) in cases.iter().zip(wanted) {
        for (key, want) in want.as_object().unwrap() {
            compare(&format!("{} {key}", case.name), field(case, key), want);
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("{name}\n{}", wrong.join("\n")))
    }
}

fn field(case: &Case, key: &str) -> Value {
    match key {
        "suite" => case.suite.to_string().into(),
        "name" => case.name.clone().into(),
        "outcome" => case.outcome.as_str().into(),
        "message" => case.message.as_deref().into(),
        "kind" => case.kind.as_deref().into(),
        "detail" => case.detail.as_deref().into(),
        "file" => case.file.clone().into(),
        "line" => case.line.into(),
        "seconds" => case.duration.map(|time| time.as_secs_f64()).into(),
        "properties" => {
            let pairs = case.properties.iter();
            pairs
                .map(|(name, value)| vec![name.as_str(), value.as_str()])
                .collect::<Vec<_>>()
                .into()
        }
        "attempts" => case
            .attempts
            .iter()
            .map(|attempt| attempt.outcome.as_str())
            .collect::<Vec<_>>()
            .into(),
        "attempt_messages" => case
            .attempts
            .iter()
            .map(|attempt| attempt.message.as_deref())
            .collect::<Vec<_>>()
            .into(),
        "attempt_details" => case
            .attempts
            .iter()
            .map(|attempt| attempt.detail.as_deref())
            .collect::<Vec<_>>()
            .into(),
        _ => panic!("no such key {key}"),
    }
}

/// Paste a report here to see what is read from it.
#[test]
fn smoke() {
    let report = parse(
        br#"<testsuite name="s"><testcase name="a"><failure message="m"/></testcase></testsuite>"#,
        &Limits::default(),
    );
    let report = report.unwrap();
    assert_eq!(report.counts().failed, 1, "{report:#?}");
}
