//! Paths that exist, commands that are missing, a full disk.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::drive::{Place, sh};

#[test]
fn a_missing_command_is_an_outcome_that_names_it() {
    let place = Place::new();
    for containment in ["pid_namespace", "subreaper", "process_group"] {
        let runs = place.runs(&json!({ "containment": containment, "runs": [
            { "side": "patch", "argv": ["no-such-runner", "-q"] },
            { "side": "patch", "argv": ["./no-such-script"] },
            { "side": "patch", "argv": ["true"], "directory": "absent" },
        ]}));
        for (run, name) in runs
            .iter()
            .zip(["no-such-runner", "./no-such-script", "absent"])
        {
            let reason = run["exit"]["not_started"].as_str().unwrap();
            assert!(reason.contains(name), "{reason}");
        }
    }
}

#[test]
fn a_directory_outside_the_tree_is_refused() {
    let place = Place::new();
    for directory in ["..", "/etc", "sub/../.."] {
        let lines = place.drive(
            &json!({ "runs": [{ "side": "patch", "argv": ["true"], "directory": directory }] }),
        );
        assert_eq!(
            lines.last().unwrap()["kind"],
            "InvalidRequest",
            "{directory}"
        );
        place.assert_clean();
    }
    let runs = place.runs(&json!({ "runs": [
        { "side": "patch", "argv": ["pwd"], "directory": "./sub" },
        { "side": "patch", "argv": ["pwd"], "directory": "." },
    ]}));
    assert!(runs[0]["log"].as_str().unwrap().ends_with("/tree/sub\n"));
    assert!(runs[1]["log"].as_str().unwrap().ends_with("/tree\n"));
}

#[test]
fn a_work_folder_that_is_a_file_is_named() {
    let place = Place::new();
    let state = place.folder.path().join("state");
    fs::write(&state, "").unwrap();
    let lines = place.drive(&json!({ "state": state, "runs": [] }));
    let error = lines.last().unwrap();
    assert_eq!(error["kind"], "PathExists");
    assert!(
        error["error"]
            .as_str()
            .unwrap()
            .contains(state.to_str().unwrap())
    );
    assert!(!error["hint"].as_str().unwrap().is_empty());
}

#[test]
fn a_failing_set_up_stops_there_and_names_the_command() {
    let place = Place::new();
    let lines = place
        .drive(&json!({ "set_up": ["echo one", "echo two; exit 9", "echo three"], "runs": [] }));
    let set_up = lines
        .iter()
        .find(|line| line["set_up"] == "parent" && line["exit"].is_object())
        .unwrap();
    assert_eq!(set_up["exit"], json!({ "code": 9 }));
    assert_eq!(set_up["failed"], "echo two; exit 9");
    let log = set_up["log"].as_str().unwrap();
    assert_eq!(log, "$ echo one\none\n$ echo two; exit 9\ntwo\n");
    place.assert_clean();
}

#[test]
fn set_up_keeps_home_over_its_commands_but_not_over_sides_or_runs() {
    let place = Place::new();
    for containment in ["pid_namespace", "process_group"] {
        let lines = place.drive(&json!({ "containment": containment,
            "set_up": ["test ! -e $HOME/mark; echo 1 > $HOME/mark", "cat $HOME/mark"],
            "runs": [sh("patch", "test ! -e $HOME/mark")],
        }));
        for line in lines.iter().filter(|line| line["exit"].is_object()) {
            assert_eq!(line["exit"], json!({ "code": 0 }), "{line}");
        }
        assert_eq!(lines.last().unwrap()["finished"], true);
    }
}

#[test]
fn a_full_disk_is_named_and_nothing_is_left() {
    let place = Place::new();
    fs::write(place.repo().join("large"), vec![7_u8; 3_000_000]).unwrap();
    place.git(&["add", "large"]);
    place.git(&["commit", "-q", "-m", "large"]);
    let disk = place.folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(&disk)
        .output()
        .is_ok_and(|output| output.status.success());
    if !mounted {
        // Only root mounts; the unit tests of the error kinds cover the rest.
        return;
    }
    let checked_out = place.drive(&json!({ "state": disk.join("work"), "runs": [] }));
    let logged = place.drive(&json!({
        "logs": disk.join("logs"),
        "runs": [sh("patch", "head -c 3000000 /dev/zero")],
    }));
    let left = fs::read_dir(disk.join("work")).unwrap().count();
    let unmounted = Command::new("umount").arg(&disk).status().unwrap();
    assert!(unmounted.success());
    for lines in [checked_out, logged] {
        let error = lines.last().unwrap();
        assert_eq!(error["kind"], "DiskFull", "{lines:?}");
        assert!(
            error["error"]
                .as_str()
                .unwrap()
                .contains(disk.to_str().unwrap())
        );
    }
    assert_eq!(left, 1, "only the .gitignore");
    place.assert_clean();
}
