//! The evidence folder, and what is remembered of earlier contracts.
use std::fs;
use std::path::PathBuf;

use crate::house::{BASE, House, short};

const BROKEN: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return 1\n\n\ndef name():\n    return 'shop'\n",
);
const SAME: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return count * 10\n\n\ndef name():\n    return 'shop'\n",
);

fn folder(document: &serde_json::Value) -> PathBuf {
    PathBuf::from(document["review_dir"].as_str().unwrap())
}

#[test]
fn everything_needed_to_recompute_is_kept() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let (document, _) = house.check(&[]);
    let folder = folder(&document);
    for name in [
        "contract.json",
        "parent.jsonl",
        "patch.jsonl",
        "unscored.jsonl",
        "runs.json",
        "decision.json",
        "verdict.json",
        "guard.json",
        "note.txt",
        "logs",
    ] {
        assert!(folder.join(name).exists(), "{name}");
    }
    assert_eq!(
        fs::read_to_string(folder.join("parent.jsonl"))
            .unwrap()
            .lines()
            .count(),
        4
    );
    let files = ["contract.json", "parent.jsonl", "patch.jsonl"]
        .map(|name| folder.join(name).display().to_string());
    let decided = house.run(&[
        "gate",
        "decide",
        "--contract",
        &files[0],
        "--parent",
        &files[1],
        "--patch",
        &files[2],
        "--format",
        "json",
    ]);
    let again: serde_json::Value = serde_json::from_str(&decided.stdout).unwrap();
    let kept: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("decision.json")).unwrap()).unwrap();
    assert_eq!(again["results"], kept["results"]);
    assert_eq!(again["contract_hash"], document["contract_hash"]);
}

#[test]
fn a_completed_contract_is_decided_anew_and_not_run_again() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let (first, _) = house.check(&[]);
    let rows = folder(&first).join("parent.jsonl");
    let before = fs::read(&rows).unwrap();
    let (second, _) = house.check(&[]);
    assert_eq!(second["contract_hash"], first["contract_hash"]);
    assert!(
        second["notes"].to_string().contains("not run again"),
        "{second:#}"
    );
    assert_eq!(fs::read(&rows).unwrap(), before);
}

#[test]
fn edited_rows_are_not_believed() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let (first, _) = house.check(&[]);
    let rows = folder(&first).join("patch.jsonl");
    let text = fs::read_to_string(&rows).unwrap();
    let mut forged = String::new();
    for line in text.lines() {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["status"] = "pass".into();
        row["witness"] = "".into();
        forged.push_str(&row.to_string());
        forged.push('\n');
    }
    fs::write(&rows, forged).unwrap();
    let (second, code) = house.check(&[]);
    assert_eq!((short(&second).as_str(), code), ("reject regression", 1));
    assert!(!second["notes"].to_string().contains("not run again"));
}

#[test]
fn an_earlier_reject_of_the_same_trees_stands() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    house.check(&[]);
    let list = tempfile::NamedTempFile::new().unwrap();
    fs::write(list.path(), "tests.test_shop::test_name\n").unwrap();
    let (narrow, code) = house.check(&["--tests", &list.path().display().to_string()]);
    assert_eq!((short(&narrow).as_str(), code), ("reject regression", 1));
    assert_eq!(narrow["earlier"][0]["verdict"], "reject");
}

#[test]
fn copies_of_the_verdict_are_written_whole() {
    let Some(house) = House::new(BASE, &[SAME]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let markdown = folder.path().join("verdict.md");
    let target = format!("markdown={}", markdown.display());
    house.check(&["--report", &target]);
    assert!(
        fs::read_to_string(&markdown)
            .unwrap()
            .starts_with("## ACCEPT: both_pass")
    );
}

#[test]
fn the_folder_that_was_asked_for_holds_the_evidence() {
    let Some(house) = House::new(BASE, &[SAME]) else {
        return;
    };
    let out = tempfile::tempdir().unwrap();
    let (document, _) = house.check(&["--out", &out.path().display().to_string()]);
    assert_eq!(folder(&document), out.path());
    assert!(out.path().join("verdict.json").exists());
}

#[test]
fn a_proposal_brings_a_ticket_for_a_person() {
    let flaky = (
        "tests/test_flaky.py",
        "import os\n\n\ndef test_flaky():\n    assert os.environ['PATCH_VERDICT_SEED'] != '12'\n",
    );
    let before: Vec<_> = BASE.iter().copied().chain([flaky]).collect();
    let Some(house) = House::new(&before, &[SAME]) else {
        return;
    };
    let (document, _) = house.check(&[]);
    assert_eq!(short(&document), "propose_freeze shared_variant_fail");
    let ticket = folder(&document).join("ticket.toml").display().to_string();
    let verify = [
        "gate",
        "ticket",
        "verify",
        &ticket,
        "--patch",
        document["patch_sha"].as_str().unwrap(),
        "--contract-hash",
        document["contract_hash"].as_str().unwrap(),
    ];
    let refused = house.run(&verify);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stdout.contains("not_approved"),
        "{}",
        refused.stdout
    );
    let note = fs::read_to_string(folder(&document).join("note.txt")).unwrap();
    assert_eq!(note.lines().count(), 4, "{note}");
    assert!(
        note.contains("tests.test_flaky::test_flaky shared_variant_fail"),
        "{note}"
    );
}
