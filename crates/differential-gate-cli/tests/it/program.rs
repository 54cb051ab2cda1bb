//! Exit codes, formats and files.
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use flate2::Compression;
use flate2::write::GzEncoder;

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/contracts")
        .join(name)
}

fn program() -> Command {
    Command::cargo_bin("differential-gate").unwrap()
}

fn decide(contract: &Path, parent: &Path, patch: &Path) -> Command {
    let mut command = program();
    command.arg("decide");
    command.arg("--contract").arg(contract);
    command.arg("--parent").arg(parent);
    command.arg("--patch").arg(patch);
    command
}

fn decide_case(name: &str) -> Command {
    let folder = case(name);
    decide(
        &folder.join("contract.json"),
        &folder.join("parent.jsonl"),
        &folder.join("patch.jsonl"),
    )
}

fn stdout(command: &mut Command, code: i32) -> String {
    let output = command.assert().code(code).get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

#[test]
fn each_decision_has_its_exit_code() {
    for (name, code) in [
        ("pass-on-both-sides", 0),
        ("failure-cleared", 0),
        ("one-new-failure", 1),
        ("no-schedule", 1),
        ("shared-flake", 3),
    ] {
        let text = stdout(decide_case(name).args(["--format", "json"]), code);
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["schema_version"], 1, "{name}");
        assert_eq!(document["tool"]["name"], "differential-gate");
    }
}

#[test]
fn a_missing_file_or_a_format_that_does_not_apply_is_a_usage_error() {
    let folder = case("pass-on-both-sides");
    let (contract, rows) = (folder.join("contract.json"), folder.join("parent.jsonl"));
    stdout(&mut decide(&contract, &rows, &folder.join("absent")), 2);
    stdout(&mut decide(&contract, &rows, &folder), 2);
    stdout(
        decide_case("pass-on-both-sides").args(["--format", "sarif"]),
        2,
    );
    stdout(program().arg("decide"), 2);
}

#[test]
fn gzip_is_known_by_its_magic_and_a_torn_one_voids_the_side() {
    let folder = case("pass-on-both-sides");
    let scratch = tempfile::tempdir().unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let rows = fs::read(folder.join("patch.jsonl")).unwrap();
    encoder.write_all(&rows).unwrap();
    let packed = encoder.finish().unwrap();
    let path = scratch.path().join("patch.rows");
    fs::write(&path, &packed).unwrap();
    let (contract, parent) = (folder.join("contract.json"), folder.join("parent.jsonl"));
    stdout(&mut decide(&contract, &parent, &path), 0);
    for cut in [3, 12, packed.len() - 9, packed.len() - 1] {
        fs::write(&path, &packed[..cut]).unwrap();
        let text = stdout(&mut decide(&contract, &parent, &path), 1);
        assert!(text.starts_with("REJECT  malformed_row"), "{text}");
    }
}

#[test]
fn unbound_rows_never_exit_0() {
    let folder = case("pass-on-both-sides");
    let scratch = tempfile::tempdir().unwrap();
    let contract = scratch.path().join("seeds.yml");
    fs::write(&contract, "seeds: [1]\n").unwrap();
    let rows = scratch.path().join("rows.jsonl");
    fs::write(&rows, "{\"prop\":\"a\",\"seed\":1,\"status\":\"pass\"}\n").unwrap();
    let text = stdout(decide(&contract, &rows, &rows).arg("--allow-unbound"), 3);
    assert!(text.starts_with("UNBOUND"), "{text}");
    stdout(&mut decide(&contract, &rows, &rows), 1);
    stdout(&mut decide(&folder.join("contract.json"), &rows, &rows), 1);
}

#[test]
fn further_copies_are_written() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("decision.json");
    let target = format!("json={}", path.display());
    stdout(
        decide_case("one-new-failure").args(["--report", &target]),
        1,
    );
    let document: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(document["reason"], "regression");
    let text = stdout(
        decide_case("one-new-failure").args(["--format", "markdown"]),
        1,
    );
    assert!(text.starts_with("### reject: regression"), "{text}");
}

#[test]
fn a_contract_is_written_hashed_and_checked() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("contract.json");
    let new = [
        "contract",
        "new",
        "--parent-sha",
        "aa",
        "--patch-sha",
        "bb",
        "--seeds",
        "1,-2",
        "--property",
        "p",
        "--spec-hash",
        "s",
        "--fixture-closure-hash",
        "f",
    ];
    let text = stdout(program().args(new), 0);
    assert!(text.contains("normaliser_version"), "{text}");
    fs::write(&path, text).unwrap();
    let hash = stdout(program().args(["contract", "hash"]).arg(&path), 0);
    assert!(hash.starts_with("sha256:"), "{hash}");
    let check = stdout(program().args(["contract", "check"]).arg(&path), 0);
    assert!(check.contains(hash.trim()), "{check}");
    fs::write(&path, "{}").unwrap();
    stdout(program().args(["contract", "check"]).arg(&path), 1);
    stdout(program().args(["contract", "hash"]).arg(&path), 2);
}
