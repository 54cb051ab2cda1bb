//! Worktrees: the same bytes as git's, and nothing left behind.

use std::path::Path;

use git_trees::{Backend, GitErrorKind, Repository};
use test_support::TestRepository;

use crate::setup::{git_programs, listing, open};

/// Adds a worktree of `HEAD` both ways, compares all bytes and modes, and removes it without a trace.
#[track_caller]
fn check(made: &TestRepository, backend: Backend) {
    let place = tempfile::tempdir().unwrap();
    let (ours, theirs) = (place.path().join("ours"), place.path().join("theirs"));
    made.git(&[
        "worktree",
        "add",
        "--quiet",
        "--detach",
        theirs.to_str().unwrap(),
        "HEAD",
    ]);
    let repository = open(made);
    let head = repository.resolve("HEAD").unwrap();
    let before = std::fs::read(repository.git_dir().join("index")).ok();
    let worktree = repository.add_worktree(&head, &ours).unwrap();
    assert_eq!(worktree.backend(), backend);
    assert_eq!(listing(&ours), listing(&theirs));
    let view = made.view(&ours);
    assert_eq!(view.git(&["rev-parse", "HEAD"]), head.as_str());
    assert_eq!(view.git(&["rev-parse", "--abbrev-ref", "HEAD"]), "HEAD");
    assert_eq!(view.git(&["status", "--porcelain"]), "");
    assert!(made.git(&["worktree", "list"]).contains("/ours"));
    assert_eq!(
        std::fs::read(repository.git_dir().join("index")).ok(),
        before
    );
    let admin = worktree.admin_dir().to_owned();
    assert!(admin.join("HEAD").exists());
    worktree.remove().unwrap();
    assert!(!ours.exists() && !admin.exists());
    assert!(!made.git(&["worktree", "list"]).contains("/ours"));
    made.git(&["worktree", "remove", "--force", theirs.to_str().unwrap()]);
    assert!(!repository.common_dir().join("worktrees").exists());
}

fn rich(program: &Path, init: &[&str]) -> TestRepository {
    let made = TestRepository::with(program, init);
    made.write("plain.txt", "one\ntwo\n");
    made.write("folder/with space/ü.txt", "x");
    made.write("new\nline.txt", "x");
    made.write("empty", "");
    made.write("run.sh", "#!/bin/sh\n");
    made.chmod("run.sh", 0o755);
    made.symlink("link", "plain.txt");
    made.symlink("dangling", "nowhere/at/all");
    made.symlink("folder/out", "../..");
    made.write("bytes.bin", [0, 255, 13, 10, 0]);
    made.commit("rich");
    made
}

#[test]
fn plain_trees() {
    for program in git_programs() {
        check(&rich(&program, &[]), Backend::Gix);
        check(&rich(&program, &["--object-format=sha256"]), Backend::Gix);
    }
}

#[test]
fn existing_paths_are_refused() {
    let made = rich(Path::new("git"), &[]);
    let repository = Repository::discover(made.path()).unwrap();
    let head = repository.resolve("HEAD").unwrap();
    let place = tempfile::tempdir().unwrap();
    let full = place.path().join("full");
    std::fs::create_dir(&full).unwrap();
    std::fs::write(full.join("mine"), "x").unwrap();
    for path in [&full, &full.join("mine")] {
        let error = repository.add_worktree(&head, path).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::Exists, "{error}");
        assert_eq!(error.path(), Some(path.as_path()));
    }
    assert_eq!(std::fs::read_to_string(full.join("mine")).unwrap(), "x");
    let empty = place.path().join("empty/below");
    std::fs::create_dir_all(&empty).unwrap();
    drop(repository.add_worktree(&head, &empty).unwrap());
    assert!(!empty.exists());
}
