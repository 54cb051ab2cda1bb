//! Namespaces that the system really refuses: what stands in for them, and what the record says.

use std::process::Command;

use serde_json::{Value, json};

use crate::drive::{Place, marker, processes_with, sh};

/// Makes the runs where these kinds of namespaces are used up; `None` where that cannot be arranged.
fn without(kinds: &[&str], place: &Place, order: &Value) -> Option<Vec<Value>> {
    let limits: Vec<String> = kinds
        .iter()
        .map(|kind| format!("echo 0 > /proc/sys/user/max_{kind}_namespaces && "))
        .collect();
    let drive = place.command(order);
    let mut command = Command::new("unshare");
    command
        .args(["--user", "--map-root-user", "/bin/sh", "-c"])
        .arg(format!("{}exec \"$0\" \"$@\"", limits.concat()))
        .arg(drive.get_program())
        .args(drive.get_args())
        .env("PV_SECRET", "1");
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    if text.is_empty() {
        return None; // Namespaces are refused here anyway, and the other tests saw how.
    }
    place.assert_clean();
    Some(finished_runs(&text))
}

fn finished_runs(text: &str) -> Vec<Value> {
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.last().unwrap()["finished"], true, "{lines:?}");
    lines
        .into_iter()
        .filter(|line| line["run"].is_string())
        .collect()
}

/// Counts the processes whose environment shows what only the driver was given.
const LOOK: &str =
    "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c '^PV_SECRET='; cat value";

#[test]
fn without_any_the_rest_holds_and_the_reason_is_recorded() {
    let place = Place::new();
    let marker = marker(&place);
    let line = format!("(setsid sleep {marker} &); {LOOK}; exit 3");
    let order = json!({ "runs": [sh("parent", &line), sh("patch", &line)] });
    let Some(runs) = without(&["user", "mnt", "pid", "net"], &place, &order) else {
        return;
    };
    for (run, log) in runs.iter().zip(["0\nparent\n", "0\npatch\n"]) {
        assert_eq!(run["exit"], json!({ "code": 3 }));
        assert_eq!(
            (run["log"].as_str().unwrap(), &run["survivors"]),
            (log, &json!(1))
        );
        let isolation = &run["isolation"];
        let refused = isolation["refused"].as_str().unwrap();
        assert!(refused.contains("limit"), "{isolation}");
        assert_eq!(isolation["network"], "open");
        assert_eq!(isolation["mount"], "rename");
        assert!(
            isolation["containment"] == "cgroup" || refused.contains("control groups"),
            "{isolation}"
        );
        assert!(
            isolation["landlock"].is_object() || refused.contains("landlock"),
            "{isolation}"
        );
    }
    assert_eq!(processes_with(&marker), [0_u32; 0]);
}

#[test]
fn without_those_of_processes_the_network_is_still_cut() {
    let place = Place::new();
    let marker = marker(&place);
    let line = format!("(setsid sleep {marker} &); {LOOK}");
    let order = json!({ "runs": [sh("parent", &line), sh("patch", &line)] });
    let Some(runs) = without(&["pid"], &place, &order) else {
        return;
    };
    for (run, log) in runs.iter().zip(["0\nparent\n", "0\npatch\n"]) {
        assert_eq!(
            (run["log"].as_str().unwrap(), &run["survivors"]),
            (log, &json!(1))
        );
        let isolation = &run["isolation"];
        assert_ne!(isolation["containment"], "pid_namespace");
        assert_eq!(isolation["network"], "off");
        assert_eq!(isolation["mount"], "overlay");
        assert_eq!(
            isolation["processes_hidden"], true,
            "by the namespace of users"
        );
        assert!(isolation["refused"].is_string() && isolation["landlock"].is_null());
    }
    assert_eq!(processes_with(&marker), [0_u32; 0]);
}
