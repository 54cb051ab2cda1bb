//! The program as a user calls it: inputs, formats, exit codes.
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

const GREEN: &str = r#"<testsuite name="s"><testcase name="a" time="0.5"/></testsuite>"#;
const RED: &str = r#"<testsuite name="s"><testcase name="a"/><testcase name="b"><failure message="m" type="T">x</failure></testcase></testsuite>"#;
const CUT: &str = r#"<testsuite name="s"><testcase name="a"/><testcase name="b">"#;

struct Place(TempDir);

struct Answer {
    code: i32,
    out: String,
    err: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap()
    }

    fn lines(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = TempDir::new().unwrap();
        for (name, text) in files {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(place)
    }

    fn run(&self, arguments: &[&str]) -> Answer {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], stdin: &str) -> Answer {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("junit-parse"));
        command
            .current_dir(self.0.path())
            .args(arguments)
            .write_stdin(stdin);
        let output = command.output().unwrap();
        Answer {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

#[track_caller]
fn check(text: &str, arguments: &[&str], code: i32) {
    let place = Place::new(&[("r.xml", text)]);
    let arguments: Vec<&str> = arguments.iter().copied().chain(["r.xml"]).collect();
    let answer = place.run(&arguments);
    assert_eq!(answer.code, code, "{arguments:?}: {}", answer.err);
}

#[test]
fn exit_codes() {
    check(GREEN, &[], 0);
    check(GREEN, &["--exit-code"], 0);
    check(RED, &[], 0);
    check(RED, &["--exit-code"], 1);
    check(CUT, &[], 2);
    check(CUT, &["--lenient"], 0);
    check("", &[], 2);
    check("", &["--lenient"], 2);
    check("no report", &["--lenient"], 2);
    check("<html/>", &["--exit-code"], 2);
    check(RED, &["--max-cases", "1"], 2);
    check(RED, &["--max-file-bytes", "10"], 2);
    check(GREEN, &["--format", "yaml"], 2);
    check(GREEN, &["--no-such-option"], 2);
    // A flaky pass has failed.
    check(
        "<testsuite name='s'><testcase name='a'><flakyFailure/></testcase></testsuite>",
        &["--exit-code"],
        1,
    );
}

#[test]
fn the_lenient_need_one_readable_file() {
    let place = Place::new(&[("ok.xml", GREEN), ("empty.xml", "")]);
    assert_eq!(place.run(&["ok.xml", "empty.xml"]).code, 2);
    assert_eq!(place.run(&["--lenient", "ok.xml", "empty.xml"]).code, 0);
}

#[test]
fn json_has_files_counts_and_warnings() {
    let place = Place::new(&[("ok.xml", RED), ("cut.xml", CUT), ("empty.xml", "")]);
    let answer = place.run(&["--format", "json", "ok.xml", "cut.xml", "empty.xml"]);
    assert_eq!(answer.code, 2);
    let document = answer.json();
    assert_eq!(document["schema_version"], 1);
    assert_eq!(
        document["files"][0],
        json!({"path": "ok.xml", "status": "ok", "truncated": false, "warnings": [],
            "counts": {"cases": 2, "passed": 1, "failed": 1, "error": 0, "skipped": 0}})
    );
    assert_eq!(document["files"][1]["status"], "recovered");
    assert_eq!(document["files"][1]["truncated"], true);
    assert_eq!(
        document["files"][1]["warnings"][0]["kind"],
        "incomplete_case"
    );
    assert_eq!(document["files"][1]["warnings"][0]["line"], 1);
    assert_eq!(document["files"][2]["status"], "error");
    assert_eq!(document["files"][2]["fault"], "empty");
    assert_eq!(
        document["totals"],
        json!({"cases": 3, "passed": 2, "failed": 1, "error": 0, "skipped": 0})
    );
}

#[test]
fn jsonl_leaves_absent_values_out() {
    let place = Place::new(&[("r.xml", RED)]);
    let answer = place.run(&["--format", "jsonl", "r.xml"]);
    let expected = vec![
        json!({"suite": "s", "name": "a", "outcome": "passed"}),
        json!({"suite": "s", "name": "b", "outcome": "failed", "message": "m", "kind": "T", "detail": "x"}),
    ];
    assert_eq!(answer.lines(), expected);
    assert_eq!(
        place
            .run(&["--format", "jsonl", "--failed", "r.xml"])
            .lines(),
        expected[1..]
    );
}

#[test]
fn jsonl_shows_attempts_properties_and_times() {
    let xml = "<testsuite name='s'><testcase name='a' time='1.5' file='f' line='7'><properties><property name='k' value='v'/></properties><flakyError message='m'/></testcase></testsuite>";
    let answer = Place::new(&[]).run_with(&["--format", "jsonl", "-"], xml);
    let expected = json!({"suite": "s", "name": "a", "outcome": "passed", "duration_ms": 1500.0,
        "file": "f", "line": 7, "properties": {"k": "v"},
        "attempts": [{"outcome": "error", "message": "m"}, {"outcome": "passed"}]});
    assert_eq!(answer.lines(), [expected]);
}

fn paths(answer: &Answer) -> Vec<String> {
    let document = answer.json();
    let files = document["files"].as_array().unwrap();
    files
        .iter()
        .map(|file| file["path"].as_str().unwrap().replace('\\', "/"))
        .collect()
}

#[test]
fn folders_globs_and_files_are_read_once_and_in_order() {
    let place = Place::new(&[
        ("out/b.xml", GREEN),
        ("out/a/c.XML", GREEN),
        ("out/a/notes.txt", "no"),
        ("out/a/d.xml", GREEN),
    ]);
    let json = |arguments: &[&str]| {
        let arguments: Vec<&str> = ["--format", "json"]
            .iter()
            .chain(arguments)
            .copied()
            .collect();
        paths(&place.run(&arguments))
    };
    assert_eq!(json(&["out"]), ["out/a/c.XML", "out/a/d.xml", "out/b.xml"]);
    assert_eq!(json(&["out/*.xml"]), ["out/b.xml"]);
    assert_eq!(json(&["out/**/*.xml"]), ["out/a/d.xml", "out/b.xml"]);
    assert_eq!(json(&["**/d.xml"]), ["out/a/d.xml"]);
    assert_eq!(
        json(&["out/b.xml", "out"]),
        ["out/b.xml", "out/a/c.XML", "out/a/d.xml"]
    );
}

#[test]
fn what_is_not_there_is_an_error_with_a_hint() {
    let place = Place::new(&[("x/notes.txt", "")]);
    let error = |path: &str| {
        let answer = place.run(&[path]);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{path}");
        answer.err
    };
    assert!(error("none.xml").starts_with("error: no file `none.xml`\nhint: "));
    assert!(error("x/*.xml").starts_with("error: no file matches `x/*.xml`\nhint: "));
    assert!(error("x").starts_with("error: no `*.xml` file in the folder `x`"));
}

#[test]
fn human_output_is_a_table_without_control_characters() {
    let xml = "<testsuite name='s'><testcase name='a\u{9b}31m' time='0.25'><failure message='&#10; boom&#10;more'/></testcase></testsuite>";
    let place = Place::new(&[("r.xml", xml)]);
    let answer = place.run(&["r.xml"]);
    let expected = "r.xml\n  FAIL       0.250s  s::a\\u{9b}31m\n                     boom\n\n1 cases in 1 files: 0 passed, 1 failed, 0 errors, 0 skipped\n";
    assert_eq!((answer.out.as_str(), answer.err.as_str()), (expected, ""));
    let colored = place.run(&["--color", "always", "r.xml"]);
    assert!(colored.out.contains("\u{1B}[31mFAIL"));
}

#[test]
fn warnings_go_to_standard_error() {
    let place = Place::new(&[("r.xml", CUT)]);
    let answer = place.run(&["--lenient", "r.xml"]);
    assert!(
        answer
            .err
            .starts_with("warning: r.xml:1: the case `b` has no end"),
        "{}",
        answer.err
    );
    assert!(answer.out.starts_with("r.xml (cut)\n"));
    assert_eq!(place.run(&["--lenient", "--quiet", "r.xml"]).err, "");
    // An error is said even then.
    let quiet = place.run(&["--quiet", "--max-file-bytes", "10", "r.xml"]);
    assert!(quiet.err.starts_with("error: r.xml:1: "), "{}", quiet.err);
}

#[test]
fn limits_are_those_given() {
    let place = Place::new(&[("r.xml", RED)]);
    let answer = place.run(&[
        "--format",
        "jsonl",
        "--max-message-chars",
        "0",
        "--max-detail-chars",
        "0",
        "r.xml",
    ]);
    assert_eq!(answer.lines()[1]["clipped"], true);
    assert_eq!(answer.lines()[1]["message"], "");
}

#[test]
fn help_lists_the_exit_codes() {
    let answer = Place::new(&[]).run(&["--help"]);
    assert_eq!(answer.code, 0);
    assert!(answer.out.contains("Exit codes: 0 read"));
    assert!(Path::new(env!("CARGO_BIN_EXE_junit-parse")).exists());
}
