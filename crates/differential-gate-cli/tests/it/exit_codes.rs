//! The exit code of every pair of reasons, through the real program.
use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::made::{Files, STOP_ORDER, every_pair_of_faults, folded, with_fault};

/// Exit code and reason of the program over these files.
fn decided(folder: &Path, files: &Files) -> (i32, String) {
    for (name, text) in [
        ("contract.json", &files.contract),
        ("parent.jsonl", &files.parent),
        ("patch.jsonl", &files.patch),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    let mut command = Command::cargo_bin("differential-gate").unwrap();
    command.current_dir(folder).args([
        "decide",
        "--contract",
        "contract.json",
        "--parent",
        "parent.jsonl",
        "--patch",
        "patch.jsonl",
        "--format",
        "json",
    ]);
    let output = command.output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let reason = document["reason"].as_str().unwrap().to_owned();
    (output.status.code().unwrap(), reason)
}

/// Reasons by rank, with the exit code of each.
const RANKS: [(&str, i32); 8] = [
    ("regression", 1),
    ("witness_mismatch", 1),
    ("witness_missing", 1),
    ("uniform_fail", 1),
    ("missing_seed", 1),
    ("shared_variant_fail", 3),
    ("parent_fail_cleared", 0),
    ("both_pass", 0),
];

#[test]
fn the_graver_of_two_properties_sets_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    for (at, (first, code)) in RANKS.into_iter().enumerate() {
        for (second, _) in RANKS.into_iter().skip(at) {
            let found = decided(folder.path(), &folded(&[second, first]));
            assert_eq!(found, (code, first.to_owned()), "{second}");
        }
    }
}

#[test]
fn whatever_stops_the_gate_exits_1() {
    use differential_gate::Side;
    let folder = tempfile::tempdir().unwrap();
    for (files, first, second) in every_pair_of_faults().into_iter().step_by(4) {
        let found = decided(folder.path(), &files);
        assert_eq!(found, (1, first.to_owned()), "{second}");
    }
    for code in STOP_ORDER {
        let files = with_fault(folded(&["both_pass", "both_pass"]), code, Side::Patch);
        let found = decided(folder.path(), &files);
        assert_eq!(found, (1, code.to_owned()));
    }
}
