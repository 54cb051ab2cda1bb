//! Uncommitted work and patch files as commits.

use std::path::Path;

use git_trees::{CommitId, GitErrorKind, Repository};
use test_support::TestRepository;

use crate::setup::{git_programs, open};

fn begin(program: &Path, init: &[&str]) -> (TestRepository, Repository, CommitId) {
    let made = TestRepository::with(program, init);
    let lines = (1..=20)
        .map(|number| format!("line {number}\n"))
        .collect::<Vec<_>>()
        .concat();
    made.write("src/code.py", lines);
    made.write("gone.py", "x\n");
    made.write("run.sh", "#!/bin/sh\n");
    made.write("picture.bin", [0, 1, 2, 255]);
    made.write(".gitignore", "*.log\nbuild/\n");
    made.write("kept.log", "tracked although ignored\n");
    made.git(&["add", "--force", "kept.log"]);
    made.commit("base");
    let repository = open(&made);
    let base = repository.resolve("HEAD").unwrap();
    (made, repository, base)
}

/// Work of every kind; returns what the index and the references were.
fn work(made: &TestRepository) {
    made.write("src/code.py", "staged\n");
    made.git(&["add", "src/code.py"]);
    made.write("src/code.py", "in the work tree\n");
    made.write("kept.log", "changed\n");
    made.write("other.log", "ignored");
    made.write("build/out", "ignored");
    made.write("new file.py", "untracked\n");
    made.remove("gone.py");
    made.chmod("run.sh", 0o755);
    made.symlink("link", "run.sh");
}

fn state(made: &TestRepository) -> (Vec<u8>, String, String) {
    let index = std::fs::read(made.join(".git/index")).unwrap();
    let references = made.git(&["for-each-ref"]) + &made.git(&["rev-parse", "HEAD"]);
    (
        index,
        references,
        made.git(&["--no-optional-locks", "status", "--porcelain"]),
    )
}

#[test]
fn the_work_tree_as_a_commit() {
    for program in git_programs() {
        for init in [&[][..], &["--object-format=sha256"]] {
            let (made, repository, base) = begin(&program, init);
            work(&made);
            let before = state(&made);
            let commit = repository.commit_work_tree(&base).unwrap();
            assert_eq!(state(&made), before);
            assert_eq!(repository.commit_work_tree(&base).unwrap(), commit);
            assert_eq!(
                repository.parents(&commit).unwrap(),
                std::slice::from_ref(&base)
            );
            assert_eq!(repository.commit_time(&commit).unwrap(), 946_684_800);
            let listed = made.git(&["ls-tree", "-r", commit.as_str()]);
            let names: Vec<_> = listed
                .lines()
                .filter_map(|line| line.split('\t').nth(1))
                .collect();
            assert_eq!(
                names,
                [
                    ".gitignore",
                    "kept.log",
                    "link",
                    "new file.py",
                    "picture.bin",
                    "run.sh",
                    "src/code.py"
                ]
            );
            assert!(listed.contains("100755 blob") && listed.contains("120000 blob"));
            let read = |path: &str| repository.read_file(&commit, path).unwrap().unwrap();
            assert_eq!(read("src/code.py"), b"in the work tree\n");
            assert_eq!(read("kept.log"), b"changed\n");
            // The same content in another clone, committed or not, on the same parent: the same id.
            let below = Repository::discover(&made.join("src")).unwrap();
            assert_eq!(below.commit_work_tree(&base).unwrap(), commit);
            made.git(&["add", "--all"]);
            assert_eq!(repository.commit_work_tree(&base).unwrap(), commit);
        }
    }
}

#[test]
fn a_change_in_the_same_tick_counts() {
    let (made, repository, base) = begin(Path::new("git"), &[]);
    for round in 0..20 {
        let (one, two) = (format!("{round:04}a\n"), format!("{round:04}b\n"));
        made.write("gone.py", &one);
        made.git(&["add", "gone.py"]);
        // Same size, right after git took note of it.
        made.write("gone.py", &two);
        let commit = repository.commit_work_tree(&base).unwrap();
        let seen = repository.read_file(&commit, "gone.py").unwrap().unwrap();
        assert_eq!(String::from_utf8(seen).unwrap(), two);
    }
}

#[test]
fn left_out_and_left_over() {
    let (made, repository, base) = begin(Path::new("git"), &[]);
    made.write("real.py", "x");
    let commit = repository.commit_work_tree(&base).unwrap();
    made.write(".patch-verdict/reviews/a/rows.jsonl", "{}");
    let without = repository
        .commit_work_tree_without(&base, &[".patch-verdict"])
        .unwrap();
    assert_eq!(without, commit);
    assert_ne!(repository.commit_work_tree(&base).unwrap(), commit);
    for name in [
        "src/code.py",
        "run.sh",
        "picture.bin",
        ".gitignore",
        "kept.log",
        "gone.py",
        "real.py",
    ] {
        made.remove(name);
    }
    std::fs::remove_dir_all(made.join(".patch-verdict")).unwrap();
    let empty = repository.commit_work_tree(&base).unwrap();
    assert!(repository.files(&empty).unwrap().is_empty());
}

#[test]
fn left_out_and_ignored() {
    for program in git_programs() {
        for rule in [
            ".patch-verdict/\n",
            ".patch-verdict\n",
            ".patch-verdict/*\n",
            "*\n!real.py\n",
        ] {
            let (made, repository, _) = begin(&program, &[]);
            made.write(".patch-verdict/kept.txt", "one");
            made.write(".patch-verdict/gone.txt", "one");
            made.git(&["add", "--force", ".patch-verdict"]);
            made.commit("tracked although ignored");
            let base = repository.resolve("HEAD").unwrap();
            made.write(".gitignore", rule);
            made.write("real.py", "x");
            made.write("src/code.py", "changed\n");
            made.write(".patch-verdict/kept.txt", "two");
            made.write(".patch-verdict/new.txt", "two");
            made.remove(".patch-verdict/gone.txt");
            let before = state(&made);
            let commit = repository
                .commit_work_tree_without(&base, &[".patch-verdict", "never/there"])
                .unwrap();
            assert_eq!(state(&made), before);
            let read = |name: &str| {
                let bytes = repository.read_file(&commit, name).unwrap()?;
                Some(String::from_utf8(bytes).unwrap())
            };
            assert_eq!(read("real.py").as_deref(), Some("x"), "{rule}");
            assert_eq!(read("src/code.py").as_deref(), Some("changed\n"), "{rule}");
            for name in ["kept", "gone"] {
                let path = format!(".patch-verdict/{name}.txt");
                assert_eq!(read(&path).as_deref(), Some("one"), "{rule}");
            }
            assert_eq!(read(".patch-verdict/new.txt"), None, "{rule}");
        }
    }
}

#[test]
fn statuses() {
    for program in git_programs() {
        let (made, repository, base) = begin(&program, &[]);
        let clean = repository.work_tree_status().unwrap();
        assert!(!clean.dirty && clean.changed.is_empty() && clean.untracked.is_empty());
        work(&made);
        made.write("new folder/a b.py", "x");
        let status = repository.work_tree_status().unwrap();
        assert!(status.dirty);
        assert_eq!(
            status.changed,
            ["gone.py", "kept.log", "run.sh", "src/code.py"]
        );
        assert_eq!(
            status.untracked,
            ["link", "new file.py", "new folder/a b.py"]
        );
        made.git(&["add", "--all"]);
        let status = repository.work_tree_status().unwrap();
        assert_eq!(status.changed.len(), 7);
        assert!(status.untracked.is_empty());
        let naked = made.clone_with(&["--bare"]);
        let error = open(&naked).work_tree_status().unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::NoWorkTree);
        let error = open(&naked).commit_work_tree(&base).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::NoWorkTree);
    }
}

#[test]
fn unmerged_files_are_no_commit() {
    let (made, repository, base) = begin(Path::new("git"), &[]);
    made.git(&["checkout", "--quiet", "-b", "side"]);
    made.write("src/code.py", "side\n");
    made.commit("side");
    made.git(&["checkout", "--quiet", "main"]);
    made.write("src/code.py", "main\n");
    made.commit("main");
    let merge = test_support::git_command(Path::new("git"), made.path())
        .args(["merge", "--quiet", "side"])
        .output()
        .unwrap();
    assert!(!merge.status.success());
    assert_eq!(
        repository.work_tree_status().unwrap().unmerged,
        ["src/code.py"]
    );
    let error = repository.commit_work_tree(&base).unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::Conflict);
    assert_eq!(error.path(), Some(Path::new("src/code.py")));
}

#[test]
fn patch_files() {
    for program in git_programs() {
        for init in [&[][..], &["--object-format=sha256"]] {
            let (made, repository, base) = begin(&program, init);
            made.write("src/code.py", "line 1\nother\n");
            made.remove("gone.py");
            made.chmod("run.sh", 0o755);
            made.write("picture.bin", [0, 9, 9, 9, 255]);
            made.git(&["mv", "kept.log", "moved ü.log"]);
            made.symlink("link", "run.sh");
            made.write("new.py", "no line end");
            let head = made.commit("target");
            let tree = repository
                .tree_of(&repository.resolve(&head).unwrap())
                .unwrap();
            let naked = made.clone_with(&["--bare"]);
            let before = state(&made);
            for options in [
                &["--binary"][..],
                &["--binary", "-M"],
                &["--binary", "--no-prefix"],
                &["--binary", "--src-prefix=old/", "--dst-prefix=new/"],
                &["--binary", "--full-index", "-U1"],
            ] {
                let mut arguments = vec!["diff"];
                arguments.extend_from_slice(options);
                arguments.extend_from_slice(&[base.as_str(), head.as_str()]);
                let mut patch = made.git(&arguments) + "\n";

                for opened in [&repository, &open(&naked)] {
                    let commit = opened.commit_patch(&base, patch.as_bytes()).unwrap();
                    assert_eq!(opened.tree_of(&commit).unwrap(), tree, "{options:?}");
                    assert_eq!(
                        opened.parents(&commit).unwrap(),
                        std::slice::from_ref(&base)
                    );
                    assert_eq!(
                        opened.commit_patch(&base, patch.as_bytes()).unwrap(),
                        commit
                    );
                }
                patch.insert_str(0, "From: somebody\nSubject: a mail\n\nwords\n---\n");
                repository.commit_patch(&base, patch.as_bytes()).unwrap();
            }
            assert_eq!(state(&made), before);
        }
    }
}

#[test]
fn patches_of_other_tools() {
    let (made, repository, base) = begin(Path::new("git"), &[]);
    let hunk = "@@ -1,2 +1,2 @@\n-line 1\n+line one\n line 2\n";
    for (old, new) in [
        ("a/src/code.py", "b/src/code.py"),
        (
            "src/code.py\t2026-01-01 00:00:00",
            "src/code.py\t2026-01-02 00:00:00",
        ),
        ("old/src/code.py", "new/src/code.py"),
    ] {
        let patch = format!("--- {old}\n+++ {new}\n{hunk}");
        let commit = repository.commit_patch(&base, patch.as_bytes()).unwrap();
        let seen = repository
            .read_file(&commit, "src/code.py")
            .unwrap()
            .unwrap();
        assert!(seen.starts_with(b"line one\nline 2\n"), "{old}");
    }
    let created = "--- /dev/null\n+++ src/new.py\n@@ -0,0 +1 @@\n+x = 1\n";
    let commit = repository.commit_patch(&base, created.as_bytes()).unwrap();
    assert_eq!(
        repository
            .read_file(&commit, "src/new.py")
            .unwrap()
            .unwrap(),
        b"x = 1\n"
    );
    drop(made);
}

#[test]
fn patches_that_do_not_apply() {
    let (made, repository, base) = begin(Path::new("git"), &[]);
    let before = state(&made);
    for empty in ["", " \n\n", "just words\n", "commit 1234\n\n    message\n"] {
        let error = repository
            .commit_patch(&base, empty.as_bytes())
            .unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::EmptyPatch, "{empty:?}: {error}");
        assert!(error.hint().is_some());
    }
    for (patch, named) in [
        (
            "--- a/src/code.py\n+++ b/src/code.py\n@@ -3,2 +3,2 @@\n-absent\n+x\n line 4\n",
            "src/code.py:3",
        ),
        (
            "--- a/nothing.py\n+++ b/nothing.py\n@@ -1 +1 @@\n-x\n+y\n",
            "nothing.py",
        ),
        (
            "--- a/gone.py\n+++ b/gone.py\n@@ -1,5 +1,5 @@\n-x\n",
            "line",
        ),
        (
            "--- /dev/null\n+++ b/../outside.py\n@@ -0,0 +1 @@\n+x\n",
            "outside.py",
        ),
        (
            "--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+x\n",
            ".git/hooks/x",
        ),
        // The first file would apply: all or nothing.
        (
            "--- a/gone.py\n+++ b/gone.py\n@@ -1 +1 @@\n-x\n+y\n--- a/run.sh\n+++ b/run.sh\n@@ -1 +1 @@\n-x\n+y\n",
            "run.sh:1",
        ),
    ] {
        let error = repository
            .commit_patch(&base, patch.as_bytes())
            .unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::PatchFailed, "{error}");
        assert_eq!(error.rev(), Some(base.as_str()));
        assert!(error.to_string().contains(named), "{named}: {error}");
    }
    assert_eq!(state(&made), before);
}
