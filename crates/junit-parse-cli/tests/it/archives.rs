//! Archives on the command line, and further copies of the answer.
use std::fs;
use std::io::{Cursor, Write as _};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const GREEN: &str = "<testsuite name='s'><testcase name='a'/></testsuite>";
const RED: &str =
    "<testsuite name='s'><testcase name='b'><failure message='m'/></testcase></testsuite>";

fn zip(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in entries {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tgz(entries: &[(&str, &str)]) -> Vec<u8> {
    let encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let mut builder = tar::Builder::new(encoder);
    for (name, text) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len().try_into().unwrap());
        header.set_mode(0o644);
        builder
            .append_data(&mut header, name, text.as_bytes())
            .unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

fn run(place: &TempDir, arguments: &[&str], stdin: Vec<u8>) -> (i32, String, String) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("junit-parse"));
    let output = command
        .current_dir(place.path())
        .args(arguments)
        .write_stdin(stdin)
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn files(text: &str) -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(text).unwrap();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let files = document["files"].as_array().unwrap().iter();
    files
        .map(|file| (word(&file["path"]), word(&file["fault"])))
        .collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(path, fault): &(&str, &str)| ((*path).to_owned(), (*fault).to_owned());
    expected.iter().map(owned).collect()
}

#[test]
fn archives_are_read_like_folders() {
    let place = TempDir::new().unwrap();
    let entries = [("out/a.xml", GREEN), ("out/b.xml", RED)];
    fs::write(place.path().join("r.zip"), zip(&entries)).unwrap();
    fs::write(place.path().join("r.tar.gz"), tgz(&entries)).unwrap();
    for name in ["r.zip", "r.tar.gz"] {
        let (code, out, err) = run(&place, &["--format", "json", name], Vec::new());
        let paths = [format!("{name}!/out/a.xml"), format!("{name}!/out/b.xml")];
        assert_eq!(files(&out), pairs(&[(&paths[0], ""), (&paths[1], "")]));
        assert_eq!((code, err.as_str()), (0, ""));
        assert_eq!(run(&place, &["--exit-code", name], Vec::new()).0, 1);
        // The same from standard input, known by its content.
        let bytes = fs::read(place.path().join(name)).unwrap();
        let (code, out, _) = run(&place, &["--format", "json", "-"], bytes);
        assert_eq!(
            files(&out),
            pairs(&[("-!/out/a.xml", ""), ("-!/out/b.xml", "")])
        );
        assert_eq!(code, 0);
    }
    // Whatever it is called.
    fs::copy(place.path().join("r.zip"), place.path().join("artifact")).unwrap();
    assert_eq!(run(&place, &["--exit-code", "artifact"], Vec::new()).0, 1);
}

#[test]
fn a_bad_entry_is_told_and_exits_with_2() {
    let place = TempDir::new().unwrap();
    let entries = [("../a.xml", RED), ("b.xml", GREEN)];
    fs::write(place.path().join("r.zip"), zip(&entries)).unwrap();
    let (code, out, err) = run(&place, &["--format", "json", "r.zip"], Vec::new());
    assert_eq!(code, 2);
    let expected = [("r.zip!/../a.xml", "unsafe_path"), ("r.zip!/b.xml", "")];
    assert_eq!(files(&out), pairs(&expected));
    assert!(
        err.starts_with("error: r.zip!/../a.xml:1: the path leads outside"),
        "{err}"
    );
    assert_eq!(run(&place, &["--lenient", "r.zip"], Vec::new()).0, 0);
}

#[test]
fn an_archive_that_cannot_be_read_is_told() {
    let place = TempDir::new().unwrap();
    let whole = zip(&[("a.xml", GREEN)]);
    fs::write(place.path().join("cut.zip"), &whole[..whole.len() - 30]).unwrap();
    fs::write(place.path().join("none.zip"), zip(&[("a.txt", "")])).unwrap();
    fs::write(place.path().join("empty.tgz"), "").unwrap();
    for (name, fault) in [
        ("cut.zip", "corrupt"),
        ("none.zip", "no_reports"),
        ("empty.tgz", "corrupt"),
    ] {
        for arguments in [
            vec!["--format", "json", name],
            vec!["--format", "json", "--lenient", name],
        ] {
            let (code, out, _) = run(&place, &arguments, Vec::new());
            assert_eq!((code, files(&out)), (2, pairs(&[(name, fault)])));
        }
    }
    fs::write(place.path().join("r.zip"), &whole).unwrap();
    let (code, out, _) = run(
        &place,
        &["--format", "json", "--max-archive-bytes", "40", "r.zip"],
        Vec::new(),
    );
    assert_eq!((code, files(&out)), (2, pairs(&[("r.zip", "too_large")])));
}

#[test]
fn copies_of_the_answer_go_to_files() {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("r.xml"), RED).unwrap();
    let arguments = [
        "--report",
        "json=out.json",
        "--report",
        "jsonl=out.jsonl",
        "--quiet",
        "r.xml",
    ];
    let (code, out, err) = run(&place, &arguments, Vec::new());
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("r.xml\n  FAIL"));
    let read = |name: &str| fs::read_to_string(place.path().join(name)).unwrap();
    assert_eq!(files(&read("out.json")), pairs(&[("r.xml", "")]));
    let line: Value = serde_json::from_str(read("out.jsonl").trim()).unwrap();
    assert_eq!(line["message"], "m");
    let (code, _, err) = run(&place, &["--report", "sarif=x", "r.xml"], Vec::new());
    assert_eq!(code, 2);
    assert!(
        err.contains("`sarif` is none of human, json, jsonl"),
        "{err}"
    );
    let (code, _, err) = run(&place, &["--report", "json=no/such/x", "r.xml"], Vec::new());
    assert_eq!(code, 4);
    assert!(err.starts_with("error: cannot write `no/such/x`"), "{err}");
}

/// Somebody who has seen enough is no error, and the exit code stays what it is.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_a_quiet_exit() {
    let place = TempDir::new().unwrap();
    let case = "<testcase name='a'><failure message='m'/></testcase>".repeat(20_000);
    fs::write(
        place.path().join("r.xml"),
        format!("<testsuite name='s'>{case}</testsuite>"),
    )
    .unwrap();
    let program = assert_cmd::cargo::cargo_bin!("junit-parse");
    let script = format!(
        "'{}' --exit-code r.xml 2>err | head -n 1; echo ${{PIPESTATUS[0]}}",
        program.display()
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(place.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "r.xml\n1\n");
    assert_eq!(fs::read_to_string(place.path().join("err")).unwrap(), "");
}
