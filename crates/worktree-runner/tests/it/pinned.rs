//! The environment of a run is cleared and pinned, fresh folders are fresh.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::drive::{Place, sh};

fn variables(run: &Value) -> BTreeMap<String, String> {
    let log = run["log"].as_str().unwrap();
    log.lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn variables_are_pinned_and_secrets_gone() {
    let place = Place::new();
    let run = json!({ "side": "patch", "argv": ["env"], "seed": -1, "env": { "EXTRA": "more" } });
    let output = place
        .command(&json!({ "runs": [run] }))
        .env("AWS_SECRET_ACCESS_KEY", "secret")
        .env("PYTEST_ADDOPTS", "-x")
        .env("GIT_DIR", "/nowhere")
        .env("TZ", "Asia/Tokyo")
        .env_remove("GIT_DIR")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("AWS_SECRET_ACCESS_KEY"));
    let run = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|line| line["run"].is_string())
        .unwrap();
    let variables = variables(&run);
    for (name, value) in [
        ("TZ", "UTC"),
        ("LC_ALL", "C.UTF-8"),
        ("LANG", "C.UTF-8"),
        ("NO_COLOR", "1"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
        ("PATCH_VERDICT_SEED", "-1"),
        ("PYTHONHASHSEED", "4294967295"),
        ("SOURCE_DATE_EPOCH", "1767225600"),
        ("EXTRA", "more"),
    ] {
        assert_eq!(
            variables.get(name).map(String::as_str),
            Some(value),
            "{name}"
        );
    }
    for name in ["PYTEST_ADDOPTS", "GIT_DIR", "AWS_SECRET_ACCESS_KEY"] {
        assert!(!variables.contains_key(name), "{name}");
    }
    let temp = &variables["TMPDIR"];
    assert!(temp.len() < 40, "room for a socket path: {temp}");
}

#[test]
fn home_temp_and_control_are_empty_for_each_run() {
    let place = Place::new();
    let line = "ls -A $HOME $TMPDIR | grep -v ':$'; cat $PATCH_VERDICT_JUNIT; echo used > $HOME/h; echo used > $TMPDIR/t; echo old > $PATCH_VERDICT_JUNIT";
    let mut with_file = sh(
        "parent",
        &format!("cat $(dirname $PATCH_VERDICT_JUNIT)/plugin/a.py; {line}"),
    );
    with_file["files"] = json!({ "plugin/a.py": "handed in\n" });
    with_file["read"] = json!(["junit.xml"]);
    let runs = place.runs(&json!({ "runs": [with_file, sh("patch", line), sh("parent", line)] }));
    assert!(runs[0]["log"].as_str().unwrap().contains("handed in"));
    assert_eq!(runs[0]["read"]["junit.xml"], "old\n");
    for run in &runs {
        let log = run["log"].as_str().unwrap();
        assert!(
            !log.contains("used")
                && !log
                    .lines()
                    .any(|line| line == "old" || line == "h" || line == "t"),
            "{log}"
        );
    }
}

#[test]
fn only_a_regular_file_is_a_report() {
    let place = Place::new();
    let line =
        "cd $(dirname $PATCH_VERDICT_JUNIT); ln -s /etc/passwd link; mkfifo pipe; mkdir folder";
    let mut run = sh("patch", line);
    run["read"] = json!(["link", "pipe", "folder", "absent", "../home/x"]);
    let runs = place.runs(&json!({ "runs": [run] }));
    let read = &runs[0]["read"];
    assert!(read["absent"].is_null());
    for name in ["link", "pipe", "folder", "../home/x"] {
        assert!(read[name]["refused"].is_string(), "{name}: {read}");
    }
}
