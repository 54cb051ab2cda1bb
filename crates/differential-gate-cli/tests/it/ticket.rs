//! `differential-gate note` and `ticket`, through the real program.
use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_differential-gate"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("CI")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder with contract.json, both sides' rows (a shared flake) and decision.json.
fn folder() -> tempfile::TempDir {
    use differential_gate::{ContractDraft, Property, Row, Side, Status, write_row};
    let folder = tempfile::tempdir().unwrap();
    let property = Property::new("t::a", "passes")
        .with_spec_hash("s")
        .with_fixture_closure_hash("f");
    let draft = ContractDraft::new("1".repeat(40), "2".repeat(40), vec![1, 2], vec![property]);
    let contract = draft.build().unwrap();
    std::fs::write(folder.path().join("contract.json"), contract.to_json()).unwrap();
    for side in Side::BOTH {
        let mut bytes = Vec::new();
        for (seed, status, witness) in [(1, Status::Pass, ""), (2, Status::Fail, "t::a|E|x")] {
            write_row(
                &mut bytes,
                &contract,
                side,
                &Row::new("t::a", seed, status, witness),
            )
            .unwrap();
        }
        std::fs::write(folder.path().join(format!("{}.jsonl", side.name())), bytes).unwrap();
    }
    let decide = [
        "decide",
        "--contract",
        "contract.json",
        "--parent",
        "parent.jsonl",
        "--patch",
        "patch.jsonl",
        "--format",
        "json",
    ];
    let output = run(folder.path(), &decide);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    std::fs::write(folder.path().join("decision.json"), output.stdout).unwrap();
    folder
}

#[test]
fn a_note_is_four_lines_or_a_refusal() {
    let folder = folder();
    let output = run(folder.path(), &["note", "decision.json"]);
    assert_eq!(text(&output.stdout).lines().count(), 4);
    std::fs::write(folder.path().join("other.json"), "{}").unwrap();
    let refused = run(folder.path(), &["note", "other.json"]);
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0));
}

#[test]
fn a_ticket_lives_from_draft_to_sweep() {
    let folder = folder();
    let draft = [
        "ticket",
        "draft",
        "--decision",
        "decision.json",
        "--contract",
        "contract.json",
        "--today",
        "2026-03-01",
    ];
    let drafted = run(folder.path(), &draft);
    assert_eq!(drafted.status.code(), Some(0), "{}", text(&drafted.stderr));
    std::fs::write(folder.path().join("t.toml"), drafted.stdout).unwrap();
    let contract = std::fs::read(folder.path().join("contract.json")).unwrap();
    let hash = differential_gate::Contract::from_json(&contract)
        .unwrap()
        .hash()
        .to_owned();
    let patch = "2".repeat(40);
    let verify = [
        "ticket",
        "verify",
        "t.toml",
        "--patch",
        &patch,
        "--contract-hash",
        &hash,
        "--today",
        "2026-03-02",
    ];
    assert_eq!(
        run(folder.path(), &verify).status.code(),
        Some(1),
        "a draft is no permission"
    );
    let approve = [
        "ticket",
        "approve",
        "t.toml",
        "--reviewer",
        "ana",
        "--expires",
        "2026-03-20",
        "--reason-code",
        "order",
        "--today",
        "2026-03-02",
    ];
    assert_eq!(run(folder.path(), &approve).status.code(), Some(0));
    let good = run(folder.path(), &verify);
    assert_eq!(
        (good.status.code(), text(&good.stdout)),
        (Some(0), "t.toml: good\n".to_owned())
    );
    let sweep = ["ticket", "sweep", ".", "--today", "2026-03-21"];
    let swept = run(folder.path(), &sweep);
    assert_eq!(swept.status.code(), Some(1));
    assert!(text(&swept.stdout).contains("expired on 2026-03-20"));
    assert!(
        folder.path().join("t.toml").exists(),
        "nothing is deleted unasked"
    );
    let deleted = run(folder.path(), &[sweep.as_slice(), &["--delete"]].concat());
    assert_eq!(deleted.status.code(), Some(0));
    assert!(!folder.path().join("t.toml").exists());
}

#[test]
fn a_contract_in_yaml_is_drafted_from_by_its_name() {
    let folder = folder();
    let contract = std::fs::read(folder.path().join("contract.json")).unwrap();
    // JSON in flow style is YAML too; with a comment it is JSON no more.
    let yaml = [b"# what both sides run\n".as_slice(), &contract].concat();
    for (name, code) in [("contract.yaml", 0), ("contract.YML", 0), ("other.json", 2)] {
        std::fs::write(folder.path().join(name), &yaml).unwrap();
        let draft = |contract: &str| {
            let arguments = [
                "ticket",
                "draft",
                "--decision",
                "decision.json",
                "--contract",
                contract,
                "--today",
                "2026-03-01",
            ];
            run(folder.path(), &arguments)
        };
        let drafted = draft(name);
        assert_eq!(drafted.status.code(), Some(code), "{name}");
        if code == 0 {
            assert_eq!(drafted.stdout, draft("contract.json").stdout, "{name}");
        }
    }
}

#[test]
fn nobody_approves_under_ci_or_without_a_name() {
    let folder = folder();
    let draft = [
        "ticket",
        "draft",
        "--decision",
        "decision.json",
        "--contract",
        "contract.json",
        "--today",
        "2026-03-01",
    ];
    std::fs::write(
        folder.path().join("t.toml"),
        run(folder.path(), &draft).stdout,
    )
    .unwrap();
    let before = std::fs::read(folder.path().join("t.toml")).unwrap();
    let approve = [
        "ticket",
        "approve",
        "t.toml",
        "--reviewer",
        "ana",
        "--expires",
        "2026-03-20",
        "--reason-code",
        "order",
        "--today",
        "2026-03-02",
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_differential-gate"));
    let under_ci = command
        .args(approve)
        .current_dir(folder.path())
        .env("CI", "true")
        .output()
        .unwrap();
    assert_eq!(under_ci.status.code(), Some(2));
    let nameless = run(
        folder.path(),
        &[
            "ticket",
            "approve",
            "t.toml",
            "--expires",
            "2026-03-20",
            "--reason-code",
            "order",
        ],
    );
    assert_eq!(nameless.status.code(), Some(2));
    assert_eq!(std::fs::read(folder.path().join("t.toml")).unwrap(), before);
}
