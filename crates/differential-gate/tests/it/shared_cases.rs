//! The handed cases, where they are: every gate folder and every vector of the decision table.
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use differential_gate::{
    Contract, ContractDraft, Decision, GateDecision, Property, Reason, Row, Side, Status, decide,
    decide_invalid, wire, write_row,
};
use serde_json::{Value, json};

/// The folder of handed files: `PATCH_VERDICT_SHARED`, else beside the checkout.
pub(crate) fn shared() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let given = std::env::var_os("PATCH_VERDICT_SHARED").map(PathBuf::from);
    let folder = given.unwrap_or_else(|| root.join("../shared"));
    if folder.join("cases").is_dir() {
        return Some(folder);
    }
    println!("shared cases: not here");
    None
}

pub(crate) fn tool() -> wire::Tool {
    wire::Tool {
        name: "test".to_owned(),
        version: "0".to_owned(),
        commit: "unknown".to_owned(),
    }
}

/// The decision over a case's folder.
pub(crate) fn decide_folder(folder: &Path) -> GateDecision {
    let file = |stem: &str| {
        let mut entries: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| {
                path.file_name()
                    .unwrap()
                    .to_string_lossy()
                    .starts_with(stem)
            })
            .collect();
        entries.sort();
        entries.remove(0)
    };
    let contract = file("contract");
    let bytes = fs::read(&contract).unwrap();
    let contract = if contract.extension().is_some_and(|e| e == "yaml") {
        Contract::from_yaml(&bytes)
    } else {
        Contract::from_json(&bytes)
    };
    let rows = |stem: &str| {
        let path = file(stem);
        let mut bytes = fs::read(&path).unwrap();
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut plain = Vec::new();
            flate2::read::MultiGzDecoder::new(bytes.as_slice())
                .read_to_end(&mut plain)
                .unwrap();
            bytes = plain;
        }
        bytes
    };
    match contract {
        // A small buffer, so that lines cross its edge.
        Ok(contract) => decide(
            &contract,
            BufReader::with_capacity(61, rows("parent").as_slice()),
            rows("patch").as_slice(),
        ),
        Err(error) => decide_invalid(&error),
    }
}

pub(crate) fn exit_code(decision: Decision) -> u64 {
    match decision {
        Decision::Accept => 0,
        Decision::Reject => 1,
        Decision::ProposeFreeze => 3,
    }
}

/// Asserts that the folder's `expected.json` holds.
#[track_caller]
pub(crate) fn check_folder(folder: &Path) {
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let expected: Value =
        serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let decision = decide_folder(folder);
    let found = serde_json::to_value(decision.document(&tool())).unwrap();
    for key in ["decision", "reason", "contract_hash", "rows"] {
        assert_eq!(found[key], expected[key], "{name}: {key}");
    }
    assert_eq!(
        expected["exit_code"],
        exit_code(decision.decision()),
        "{name}"
    );
    let strip = |list: &Value, keys: &[&str]| {
        let entries = list.as_array().unwrap().iter();
        let pick = |entry: &Value| -> BTreeMap<String, Value> {
            keys.iter()
                .filter(|key| !entry[**key].is_null())
                .map(|key| ((*key).to_owned(), entry[*key].clone()))
                .collect()
        };
        entries.map(pick).collect::<Vec<_>>()
    };
    let issue = ["code", "side", "line", "prop", "detail"];
    assert_eq!(
        strip(&found["issues"], &issue),
        strip(&expected["issues"], &issue),
        "{name}: issues"
    );
    let result = ["prop", "decision", "reason", "parent", "patch"];
    assert_eq!(
        strip(&found["results"], &result),
        strip(&expected["results"], &result),
        "{name}: results"
    );
}

#[test]
fn every_handed_gate_case_is_decided_as_expected() {
    let Some(shared) = shared() else { return };
    let mut folders: Vec<_> = fs::read_dir(shared.join("cases/gate"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    assert!(folders.len() >= 240, "{}", folders.len());
    for folder in folders {
        check_folder(&folder);
    }
}

/// Two properties over as many seeds as `parent` has signs; the first is the vector.
fn vector(parent: &str, patch: &str) -> GateDecision {
    let width = parent.len().max(patch.len());
    // A sign alone stands for the whole side in the handed table.
    let seeds: Vec<i64> = (1..=i64::try_from(width).unwrap()).collect();
    let properties = ["prop.under_test", "prop.beside"]
        .map(|id| {
            Property::new(id, "passes")
                .with_spec_hash("s")
                .with_fixture_closure_hash("f")
        })
        .to_vec();
    let contract = ContractDraft::new("aa", "bb", seeds.clone(), properties)
        .build()
        .unwrap();
    let side = |side: Side, signs: &str| {
        let mut out = Vec::new();
        for (seed, sign) in seeds.iter().zip(signs.chars()) {
            let (status, class) = match sign {
                '-' => continue,
                'p' => (Status::Pass, String::new()),
                '0' => (Status::Fail, String::new()),
                class => (Status::Fail, format!("prop.under_test|Error|{class}")),
            };
            let row = Row::new("prop.under_test", *seed, status, class);
            write_row(&mut out, &contract, side, &row).unwrap();
        }
        for seed in &seeds {
            let row = Row::new("prop.beside", *seed, Status::Pass, "");
            write_row(&mut out, &contract, side, &row).unwrap();
        }
        out
    };
    let (parent, patch) = (side(Side::Parent, parent), side(Side::Patch, patch));
    decide(&contract, parent.as_slice(), patch.as_slice())
}

#[test]
fn every_two_seed_vector_of_the_decision_table_holds() {
    let Some(shared) = shared() else { return };
    let table = fs::read(shared.join("cases/decision-table.json")).unwrap();
    let table: Value = serde_json::from_slice(&table).unwrap();
    let vectors = table["exhaustive_two_seeds"].as_array().unwrap();
    assert!(vectors.len() >= 650);
    for case in vectors {
        let text = |key: &str| case[key].as_str().unwrap();
        let pad = |signs: &str, other: &str| {
            let width = signs.len().max(other.len());
            format!("{signs:-<width$}")
        };
        let parent = pad(text("parent"), text("patch"));
        let patch = pad(text("patch"), text("parent"));
        let decision = vector(&parent, &patch);
        let under_test = decision
            .results()
            .iter()
            .find(|result| result.prop == "prop.under_test")
            .unwrap_or_else(|| panic!("{case}"));
        assert_eq!(under_test.decision.as_str(), text("decision"), "{case}");
        assert_eq!(under_test.reason.as_str(), text("reason"), "{case}");
    }
}

#[test]
fn the_property_table_and_the_stop_order_hold() {
    let Some(shared) = shared() else { return };
    let table = fs::read(shared.join("cases/decision-table.json")).unwrap();
    let table: Value = serde_json::from_slice(&table).unwrap();
    for row in table["property_table"].as_array().unwrap() {
        let (parent, patch) = signs(row);
        let decision = vector(&parent, &patch);
        let result = &decision.results()[1];
        assert_eq!(result.prop, "prop.under_test");
        assert_eq!(row["decision"], json!(result.decision.as_str()), "{row}");
        assert_eq!(row["reason"], json!(result.reason.as_str()), "{row}");
        assert_eq!(row["exit_code"], exit_code(result.decision), "{row}");
    }
    for entry in table["stop_order"].as_array().unwrap() {
        let code: Reason = entry["code"].as_str().unwrap().parse().unwrap();
        assert!(code.stops_the_gate());
        assert_eq!(entry["rank"], code as u64, "{entry}");
    }
}

/// A vector of the kind that a row of the property table describes.
fn signs(row: &Value) -> (String, String) {
    let (parent, patch) = match row["witness_relation"].as_str().unwrap() {
        "different" => ('A', 'B'),
        "some_empty" => ('A', '0'),
        "patch_has_new" => ('A', 'N'),
        "patch_lost_one" => ('N', 'A'),
        _ => ('A', 'A'),
    };
    let side = |course: &Value, class: char| {
        let (first, second) = if class == 'N' {
            ('A', 'B')
        } else {
            (class, class)
        };
        match course.as_str().unwrap() {
            "all_pass" => "pppp".to_owned(),
            "all_fail" => format!("{first}{second}{first}{second}"),
            "mixed" => format!("p{first}{second}p"),
            _ => "ppp-".to_owned(),
        }
    };
    (side(&row["parent"], parent), side(&row["patch"], patch))
}
