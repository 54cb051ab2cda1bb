//! Hostile source, broken interpreters and limits: bytes are compared or an error is given, never nothing.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use worktree_runner::digests::{
    BlobContent, DigestError, EntryKind, Limits, SideView, TestRef, differing_parts, digest,
};

use crate::digests::python;

const TEST: &[u8] = b"def test_one():\n    assert True\n";

fn entry<'a>(id: &str, kind: EntryKind, content: Option<&'a [u8]>) -> BlobContent<'a> {
    BlobContent {
        id: id.to_owned(),
        kind,
        content,
    }
}

/// A tree with one test, and one more entry.
fn side<'a>(path: &str, further: BlobContent<'a>) -> SideView<'a> {
    let mut side = SideView {
        tests: vec![TestRef {
            id: "tests/test_a.py::test_one".to_owned(),
            file: "tests/test_a.py".to_owned(),
            qualname: "test_one".to_owned(),
            ..TestRef::default()
        }],
        ..SideView::default()
    };
    side.files.insert(
        "tests/test_a.py".to_owned(),
        entry("test", EntryKind::File, Some(TEST)),
    );
    side.files.insert(path.to_owned(), further);
    side
}

/// The parts that differ between two sides, and the notes.
fn compare(before: &SideView<'_>, after: &SideView<'_>, limits: Limits) -> (Vec<String>, String) {
    let digests = digest(&python(), before, after, limits).unwrap();
    let id = "tests/test_a.py::test_one";
    let why = differing_parts(&digests.parent[id], &digests.patch[id]);
    (why, digests.notes.join("\n"))
}

#[test]
fn hostile_source_is_compared_as_bytes() {
    let nested = |open: &str, close: &str, count| {
        format!("X = {}1{}\n", open.repeat(count), close.repeat(count))
    };
    let branches: Vec<String> = (0..3000)
        .map(|n| format!("elif n == {n}:\n    y = 1\n"))
        .collect();
    let blocks: Vec<String> = (0..99)
        .map(|n| format!("{}if x:\n", " ".repeat(n)))
        .collect();
    let (branches, blocks) = (branches.concat(), blocks.concat());
    let sources = [
        nested("(", ")", 100_000),
        nested("[", "]", 5_000),
        nested("-", "", 50_000),
        nested("lambda: ", "", 20_000),
        nested("1 + ", "", 20_000),
        nested("f(", ")", 3_000),
        format!("if n:\n    y = 0\n{branches}"),
        format!("{blocks}{}pass\n", " ".repeat(99)),
        format!("@f({}1)\ndef test_z():\n    pass\n", "1 + ".repeat(900)),
        format!("x = '''{}", "a".repeat(100_000)),
        format!("x = {}\n", "9".repeat(10_000)),
        format!("x = 0x{}\n", "f".repeat(10_000)),
        "x = '\\ud800'\n".to_owned(),
        "\0\0\0".to_owned(),
        "# coding: no-such-codec\nx = 1\n".to_owned(),
        "match x:\n  case [1, *_] | {'a': 2}: pass\ntype X = int\n".to_owned(),
    ];
    for source in &sources {
        let head: String = source.chars().take(30).collect();
        for path in ["tests/util.py", "tests/conftest.py"] {
            let changed = format!("{source}\nCHANGED = 1\n");
            let before = side(path, entry("a", EntryKind::File, Some(source.as_bytes())));
            let after = side(path, entry("b", EntryKind::File, Some(changed.as_bytes())));
            let (why, _) = compare(&before, &after, Limits::default());
            assert_eq!(why.len(), 1, "{head} in {path}: {why:?}");
            let (why, _) = compare(&before, &before, Limits::default());
            assert!(why.is_empty(), "{head} in {path}: {why:?}");
        }
    }
}

#[test]
fn large_file_is_compared_by_its_id() {
    let large = vec![b'#'; 50 << 20];
    let before = side("tests/util.py", entry("a", EntryKind::File, Some(&large)));
    let after = side("tests/util.py", entry("b", EntryKind::File, Some(&large)));
    let (why, notes) = compare(&before, &after, Limits::default());
    assert_eq!(why, ["helper:tests/util.py"]);
    assert!(notes.contains("tests/util.py cannot be read"), "{notes}");
}

#[test]
fn submodules_and_links_count_as_data() {
    for (kind, path, part) in [
        (EntryKind::Submodule, "tests/vendor", "data:tests/vendor"),
        (EntryKind::Link, "tests/data", "data:tests/data"),
        (EntryKind::Link, "tests/util.py", "helper:tests/util.py"),
    ] {
        let before = side(path, entry("a", kind, Some(b"../x")));
        let after = side(path, entry("b", kind, Some(b"../y")));
        assert_eq!(compare(&before, &after, Limits::default()).0, [part]);
    }
    let before = side("tests/data", entry("a", EntryKind::File, None));
    let after = side("tests/data", entry("a", EntryKind::Link, None));
    assert_eq!(
        compare(&before, &after, Limits::default()).0,
        ["data:tests/data"]
    );
}

#[test]
fn test_module_that_is_a_link_is_read_through_it() {
    let shown: [&[u8]; 2] = [TEST, b"def test_one():\n    assert False\n"];
    let [before, after] = shown.map(|text| {
        let mut side = side(
            "shared/real.py",
            entry(
                if text == TEST { "a" } else { "b" },
                EntryKind::File,
                Some(text),
            ),
        );
        let link = entry("link", EntryKind::Link, Some(b"../shared/real.py"));
        side.files.insert("tests/test_a.py".to_owned(), link);
        side
    });
    assert_eq!(compare(&before, &after, Limits::default()).0, ["function"]);
}

#[test]
fn file_outside_the_commit_never_counts_as_unchanged() {
    let mut before = side("x.txt", entry("a", EntryKind::File, None));
    let mut after = side("x.txt", entry("b", EntryKind::File, None));
    before.files.remove("tests/test_a.py");
    after.files.remove("tests/test_a.py");
    let (why, notes) = compare(&before, &after, Limits::default());
    assert!(why.contains(&"function".to_owned()), "{why:?}");
    assert!(notes.contains("is not a file of the commit"), "{notes}");
}

#[test]
fn two_tests_of_one_id_are_folded() {
    let source: &[u8] = b"def test_one():\n    assert True\n\n\ndef test_two():\n    assert True\n";
    let other: &[u8] = b"def test_one():\n    assert True\n\n\ndef test_two():\n    assert 1\n";
    let [before, after] = [("a", source), ("b", other)].map(|(id, text)| {
        let mut side = side("tests/test_a.py", entry(id, EntryKind::File, Some(text)));
        let mut twin = side.tests.first().unwrap().clone();
        twin.qualname = "test_two".to_owned();
        side.tests.push(twin);
        side
    });
    assert_eq!(compare(&before, &after, Limits::default()).0, ["function"]);
}

#[test]
fn same_input_gives_the_same_digests() {
    let one = side(
        "tests/util.py",
        entry("a", EntryKind::File, Some(b"X = {1, 2, 'a'}\n")),
    );
    let first = digest(&python(), &one, &one, Limits::default()).unwrap();
    assert_eq!(
        first,
        digest(&python(), &one, &one, Limits::default()).unwrap()
    );
    let hash = &first.parent["tests/test_a.py::test_one"].spec_hash;
    assert!(hash.starts_with("digest-1:") && hash.len() == 73, "{hash}");
}

/// An executable shell script in place of the interpreter. Another process writes it: a file that is open for writing in
/// a child that a test beside this one has just forked cannot be started.
fn interpreter(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("python");
    let write = r#"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod 755 "$1""#;
    let written = Command::new("sh")
        .args(["-c", write, "sh"])
        .arg(&path)
        .arg(script)
        .status();
    assert!(written.unwrap().success());
    path
}

#[test]
fn file_that_brings_the_interpreter_down_is_compared_as_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let script = format!(
        "if [ ! -e {mark} ]; then : > {mark}; cat > /dev/null; echo 'reading a' >&2; kill -9 $$; fi\nexec python3 \"$@\"",
        mark = mark.display()
    );
    let python = interpreter(folder.path(), &script);
    let before = side(
        "tests/util.py",
        entry("a", EntryKind::File, Some(b"X = 1\n")),
    );
    let after = side(
        "tests/util.py",
        entry("b", EntryKind::File, Some(b"X = 2\n")),
    );
    let digests = digest(&python, &before, &after, Limits::default()).unwrap();
    assert!(
        digests
            .notes
            .join("\n")
            .contains("tests/util.py cannot be read"),
        "{:?}",
        digests.notes
    );
    let id = "tests/test_a.py::test_one";
    assert_ne!(digests.parent.get(id), digests.patch.get(id));
}

#[test]
fn interpreter_that_gives_no_answer_is_an_error() {
    let one = side(
        "tests/util.py",
        entry("a", EntryKind::File, Some(b"X = 1\n")),
    );
    let folder = tempfile::tempdir().unwrap();
    let empty = r#"{"tests":[],"groups":[],"shared":"","differing":{}}"#;
    for (script, wanted) in [
        (
            "cat > /dev/null; echo broken >&2; exit 1",
            "failed (exit status: 1): broken",
        ),
        ("exit 0", "cannot be read"),
        ("cat > /dev/null; kill -9 $$", "it said nothing"),
        (
            "cat > /dev/null; while :; do echo 'reading a' >&2; kill -9 $$; done",
            "reading a",
        ),
        (
            &format!("cat > /dev/null; echo '{{\"sides\":[{empty},{empty}],\"notes\":[]}}'"),
            "lack `tests/test_a.py::test_one`",
        ),
    ] {
        let python = interpreter(folder.path(), script);
        let error = digest(&python, &one, &one, Limits::default()).unwrap_err();
        assert!(error.to_string().contains(wanted), "{script}: {error}");
    }
    let missing = digest(Path::new("/no/such/python"), &one, &one, Limits::default());
    assert!(
        matches!(missing, Err(DigestError::Spawn { .. })),
        "{missing:?}"
    );
    let hasty = Limits {
        timeout: Duration::ZERO,
        ..Limits::default()
    };
    let Err(DigestError::Timeout { .. }) = digest(&python(), &one, &one, hasty) else {
        panic!("no time is no answer")
    };
}
