//! Every kind of repository against git's own answer: the same list, the same bytes, no trace left.

mod contents;
mod histories;
mod names;
mod places;
mod states;
mod stores;
mod submodules;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use git_trees::Repository;
use test_support::{TestRepository, git_command};

use crate::setup::{git_programs, listing};

/// A repository made by each git program of this machine, with two commits.
#[track_caller]
fn each_git(test: impl Fn(&Path, TestRepository)) {
    for program in git_programs() {
        test(&program, two_commits(&program, &[]));
    }
}

fn two_commits(program: &Path, init: &[&str]) -> TestRepository {
    let made = TestRepository::with(program, init);
    made.write("plain.txt", "one\n");
    made.write("folder/inner.txt", "one\n");
    made.write("run.sh", "#!/bin/sh\n");
    made.chmod("run.sh", 0o755);
    made.symlink("link", "plain.txt");
    made.commit("first");
    made.write("plain.txt", "one\ntwo\n");
    made.write("second.txt", "two\n");
    made.commit("second");
    made
}

/// A call of git that may fail.
fn attempt(program: &Path, folder: &Path, arguments: &[&str]) -> Output {
    git_command(program, folder)
        .args(arguments)
        .output()
        .unwrap()
}

/// Says that this git knows no such repository; the test has then not been made for it.
fn too_old(program: &Path, output: &Output) -> bool {
    if output.status.success() {
        return false;
    }
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(
        words.contains("unknown option") || words.contains("unknown ") || words.contains("usage:"),
        "{words}"
    );
    not_checked(&format!("{}: too old: {}", program.display(), words.trim()));
    true
}

#[expect(clippy::print_stderr, reason = "what was not checked has to be seen")]
fn not_checked(why: &str) {
    eprintln!("not checked: {why}");
}

fn root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    Path::new("/proc/self").metadata().unwrap().uid() == 0
}

type Listing = BTreeMap<Vec<u8>, (u32, Vec<u8>)>;

/// Everything in the git folder but the objects: references, logs, index, configuration, worktrees.
fn footprint(git_dir: &Path) -> Listing {
    let mut found = listing(git_dir);
    found.retain(|name, _| !name.starts_with(b"objects"));
    found
}

/// The bytes of a revision as this git writes them, without a sparse checkout's patterns.
#[track_caller]
fn by_git(made: &TestRepository, rev: &str) -> Listing {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("theirs");
    let text = path.to_str().unwrap();
    made.git(&[
        "-c",
        "core.sparseCheckout=false",
        "-c",
        "core.fsmonitor=false",
        "worktree",
        "add",
        "--quiet",
        "--detach",
        text,
        rev,
    ]);
    let found = listing(&path);
    made.git(&[
        "-c",
        "core.fsmonitor=false",
        "worktree",
        "remove",
        "--force",
        text,
    ]);
    found
}

/// Ours, and the state that its own git sees there; the repository is afterwards what it was before.
#[track_caller]
fn by_us(repository: &Repository, rev: &str, program: &Path) -> Listing {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("ours");
    let before = footprint(repository.common_dir());
    let commit = repository.resolve(rev).unwrap();
    let worktree = repository.add_worktree(&commit, &path).unwrap();
    let found = listing(&path);
    let seen = attempt(
        program,
        &path,
        &["-c", "core.fsmonitor=false", "status", "--porcelain"],
    );
    assert!(seen.status.success(), "{seen:?}");
    assert_eq!(String::from_utf8_lossy(&seen.stdout), "", "git status");
    let head = attempt(program, &path, &["rev-parse", "HEAD"]);
    assert_eq!(
        String::from_utf8_lossy(&head.stdout).trim(),
        commit.as_str()
    );
    worktree.remove().unwrap();
    assert!(!path.exists());
    assert_eq!(
        footprint(repository.common_dir()),
        before,
        "left in the repository"
    );
    found
}

/// Both ways, compared.
#[track_caller]
fn same_as_git(made: &TestRepository, program: &Path, rev: &str) {
    let repository = Repository::discover_with_git(made.path(), program).unwrap();
    let ours = by_us(&repository, rev, program);
    assert_eq!(
        ours,
        by_git(made, rev),
        "{} {}",
        program.display(),
        made.path().display()
    );
}

/// A copy of the whole folder, to ask git what it would do.
fn copy_of(made: &TestRepository) -> (tempfile::TempDir, TestRepository) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("copy");
    let copied = Command::new("cp")
        .arg("-a")
        .arg(made.path())
        .arg(&path)
        .status();
    assert!(copied.unwrap().success());
    (place, made.view(&path))
}
