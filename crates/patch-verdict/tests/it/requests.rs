//! Base and head, and requests that cannot be judged.
use std::io::Write as _;
use std::process::Stdio;

use crate::house::{Answer, BASE, House, answer, short};

const BROKEN: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return 1\n\n\ndef name():\n    return 'shop'\n",
);

#[track_caller]
fn refused(answer: &Answer, words: &[&str]) {
    assert_eq!(answer.code, 2, "{}", answer.stderr);
    assert_eq!(answer.stdout, "");
    for word in words {
        assert!(
            answer.stderr.contains(word),
            "`{word}` is not in: {}",
            answer.stderr
        );
    }
}

#[test]
fn the_base_is_found_by_the_default_branch() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let (document, _) = house.check(&[]);
    assert_eq!(short(&document), "reject regression");
    assert!(
        document["scope"]["base_from"]
            .as_str()
            .unwrap()
            .contains("default branch `main`")
    );
}

#[test]
fn an_unknown_revision_is_named() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    refused(
        &house.run(&["check", "--base", "no-such-branch"]),
        &["no-such-branch", "hint:"],
    );
}

#[test]
fn equal_trees_are_nothing_to_judge() {
    let Some(house) = House::base(BASE) else {
        return;
    };
    refused(
        &house.run(&["check"]),
        &["nothing to judge", "--base HEAD~1"],
    );
}

#[test]
fn a_shallow_clone_names_the_remedy() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let source = format!("file://{}", house.path().display());
    let target = tempfile::tempdir().unwrap();
    let clone = target.path().join("clone");
    house.repository.git(&[
        "clone",
        "-q",
        "--depth",
        "1",
        &source,
        &clone.display().to_string(),
    ]);
    let answer = answer(
        &house
            .command(&["check", "--base", "HEAD~1"])
            .current_dir(&clone)
            .output()
            .unwrap(),
    );
    refused(&answer, &["fetch-depth: 2"]);
}

#[test]
fn a_folder_outside_any_repository_is_named() {
    let Some(house) = House::base(BASE) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    refused(
        &answer(
            &house
                .command(&["check"])
                .current_dir(folder.path())
                .output()
                .unwrap(),
        ),
        &["git repository"],
    );
}

#[test]
fn uncommitted_work_is_judged_on_request() {
    let Some(house) = House::base(BASE) else {
        return;
    };
    house.change(&[BROKEN]);
    let arguments = [
        "check", "--format", "json", "-q", "--seeds", "1,2", "--head", "WORKTREE",
    ];
    let answer = house.run(&arguments);
    let document = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(
        (short(&document).as_str(), answer.code),
        ("reject regression", 1)
    );
    let status = house.repository.git(&["status", "--porcelain"]);
    assert_eq!(status.trim(), "M shop.py", "the user's work is untouched");

    // Once more, with the evidence of the first check in an ignored folder.
    let exclude = house.path().join(".git/info/exclude");
    std::fs::write(exclude, ".patch-verdict/\n").unwrap();
    let again = house.run(&arguments);
    let document = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(
        (short(&document).as_str(), again.code),
        ("reject regression", 1)
    );
}

#[test]
fn a_patch_file_is_judged_on_the_base() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let patch = house.repository.git(&["diff", "main", "patch"]) + "\n";
    house.repository.git(&["checkout", "-q", "main"]);
    let mut child = house
        .command(&[
            "check", "--format", "json", "-q", "--seeds", "1,2", "--patch", "-",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(patch.as_bytes())
        .unwrap();
    let answer = answer(&child.wait_with_output().unwrap());
    let document =
        serde_json::from_str(&answer.stdout).unwrap_or_else(|_| panic!("{}", answer.stderr));
    assert_eq!(short(&document), "reject regression");
}

#[test]
fn a_patch_that_does_not_apply_is_refused() {
    let Some(house) = House::base(BASE) else {
        return;
    };
    let file = house.path().join("bad.patch");
    let patch = "--- a/nothing.py\n+++ b/nothing.py\n@@ -1 +1 @@\n-a\n+b\n";
    std::fs::write(&file, patch).unwrap();
    refused(
        &house.run(&["check", "--patch", "bad.patch"]),
        &["nothing.py"],
    );
}

#[test]
fn a_dry_run_runs_nothing() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let answer = house.run(&["check", "--dry-run"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    for word in ["pytest", "3 a side", "network off", "nothing was run"] {
        assert!(
            answer.stdout.contains(word),
            "`{word}` is not in: {}",
            answer.stdout
        );
    }
    assert!(!house.path().join(".patch-verdict").exists());
}

#[test]
fn the_configuration_of_the_patch_has_no_say() {
    let configuration = (
        "patch-verdict.toml",
        "accept_narrow_scope = true\nseeds = 1\n[[suite]]\ncommand = [\"true\"]\n",
    );
    let Some(house) = House::new(BASE, &[BROKEN, configuration]) else {
        return;
    };
    assert_eq!(short(&house.check(&[]).0), "reject regression");
}

#[test]
fn a_configuration_that_cannot_be_read_is_refused() {
    let before: Vec<_> = BASE
        .iter()
        .copied()
        .chain([("patch-verdict.toml", "seeds = 0\n")])
        .collect();
    let Some(house) = House::new(&before, &[BROKEN]) else {
        return;
    };
    refused(&house.run(&["check"]), &["patch-verdict.toml", "seeds = 0"]);
}

#[test]
fn exit_zero_changes_the_code_alone() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let (document, code) = house.check(&["--exit-zero"]);
    assert_eq!((short(&document).as_str(), code), ("reject regression", 0));
    assert_eq!(document["exit_zero"], true);
}

#[test]
fn a_format_that_is_not_there_is_refused_before_anything_runs() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    refused(
        &house.run(&["check", "--format", "sarif"]),
        &["sarif", "human, json"],
    );
    assert!(!house.path().join(".patch-verdict").exists());
}

#[test]
fn a_reader_that_goes_away_does_not_change_the_verdict() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    for format in ["human", "json", "markdown", "github"] {
        let mut child = house
            .command(&["check", "-q", "--seeds", "1,2", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{format}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{format}");
    }
}
