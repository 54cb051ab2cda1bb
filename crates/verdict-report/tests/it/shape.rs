//! `verdict.json`: its keys, its way back, its exit codes.
use patch_verdict_core::Verdict;
use patch_verdict_core::wire::VerdictDocument;
use serde_json::Value;
use verdict_report::{example, json};

use crate::documents;

/// The keys that other programs read.
const KEYS: [&str; 20] = [
    "schema_version",
    "verdict",
    "reason",
    "headline",
    "parent_sha",
    "patch_sha",
    "contract_hash",
    "scope",
    "gate",
    "new_failures",
    "failing_on_both",
    "excluded",
    "not_run",
    "new_tests",
    "frozen",
    "guard",
    "history",
    "environment",
    "earlier",
    "review_dir",
];

fn all() -> Vec<VerdictDocument> {
    vec![
        example(),
        documents::accept(),
        documents::narrowed_accept(),
        documents::cleared_accept(),
        documents::regressions(30),
        documents::propose_freeze(),
        documents::spec_review(),
        documents::new_test_failed(),
        documents::uniform_fail(),
        documents::foreign_code(),
        documents::setup_failed(),
        documents::unaccounted_id(),
    ]
}

#[test]
fn every_document_has_the_keys_and_comes_back() {
    for document in all() {
        let text = json(&document).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        for key in KEYS {
            assert!(value.get(key).is_some(), "{key} is not in {text}");
        }
        for key in ["name", "version", "commit"] {
            assert!(value["tool"].get(key).is_some(), "tool.{key}");
        }
        for key in ["parent", "patch"] {
            assert!(value["environment"][key].is_string(), "environment.{key}");
        }
        assert_eq!(value["schema_version"], 1);
        let back: VerdictDocument = serde_json::from_str(&text).unwrap();
        assert_eq!(back, document);
    }
}

#[test]
fn what_is_not_there_is_null_and_no_missing_key() {
    let value: Value = serde_json::from_str(&json(&documents::foreign_code()).unwrap()).unwrap();
    assert_eq!(
        (&value["gate"], &value["contract_hash"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn a_reader_allows_keys_that_it_does_not_know() {
    let mut value: Value = serde_json::from_str(&json(&example()).unwrap()).unwrap();
    value["later"] = Value::Bool(true);
    value["scope"]["later"] = Value::Bool(true);
    assert_eq!(
        serde_json::from_value::<VerdictDocument>(value).unwrap(),
        example()
    );
}

#[test]
fn exit_codes() {
    for (verdict, narrowed, allowed, wanted) in [
        (Verdict::Accept, false, false, 0),
        (Verdict::Accept, false, true, 0),
        (Verdict::Accept, true, false, 3),
        (Verdict::Accept, true, true, 0),
        (Verdict::Reject, false, false, 1),
        (Verdict::Reject, true, true, 1),
        (Verdict::ProposeFreeze, false, true, 3),
        (Verdict::SpecReview, true, true, 3),
        (Verdict::NotApplicable, false, true, 3),
    ] {
        let mut document = example();
        document.verdict = verdict;
        document.scope.narrowed = narrowed;
        assert_eq!(
            document.exit_code(allowed),
            wanted,
            "{verdict} {narrowed} {allowed}"
        );
    }
}
