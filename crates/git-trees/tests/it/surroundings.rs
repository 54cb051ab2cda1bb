//! Other users, other owners and the variables of a surrounding hook.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Command;

use git_trees::{Backend, GitErrorKind, Repository};
use test_support::TestRepository;

use crate::setup::{listing, open};

const NOBODY: u32 = 65_534;

fn is_root(folder: &Path) -> bool {
    folder.metadata().unwrap().uid() == 0
}

/// This test program again, without this module.
fn this_program_again(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["--skip", "surroundings::"]);
    command
}

#[track_caller]
fn all_pass(command: &mut Command) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        text.contains("test result: ok.") && !text.contains(" 0 passed"),
        "{text}"
    );
}

#[test]
fn variables_of_a_hook_change_nothing() {
    let wrong = TestRepository::new();
    wrong.write("wrong", "x");
    wrong.commit("wrong");
    let mut command = this_program_again(&std::env::current_exe().unwrap());
    // The kinds of repositories have a case of these variables of their own.
    command.args(["--skip", "repositories::"]);
    for (name, place) in [
        ("GIT_DIR", ".git"),
        ("GIT_WORK_TREE", ""),
        ("GIT_INDEX_FILE", ".git/index"),
        ("GIT_OBJECT_DIRECTORY", ".git/objects"),
        ("GIT_COMMON_DIR", ".git"),
        ("GIT_EXTERNAL_DIFF", "nothing"),
        ("GIT_CEILING_DIRECTORIES", ""),
    ] {
        command.env(name, wrong.join(place));
    }
    command
        .env("GIT_PREFIX", "src/")
        .env("GIT_NAMESPACE", "elsewhere");
    command
        .env("GIT_LITERAL_PATHSPECS", "1")
        .env("GIT_TRACE", "1")
        .env("LC_ALL", "de_DE.UTF-8");
    command
        .env("GIT_AUTHOR_DATE", "2020-01-01T00:00:00")
        .env("GIT_AUTHOR_NAME", "Somebody");
    let before = std::fs::read(wrong.join(".git/index")).unwrap();
    all_pass(&mut command);
    assert_eq!(std::fs::read(wrong.join(".git/index")).unwrap(), before);
    assert!(wrong.git(&["count-objects"]).starts_with("3 objects"));
}

#[test]
fn as_an_unprivileged_user() {
    let place = tempfile::tempdir().unwrap();
    if !is_root(place.path()) {
        return; // Then all the other tests ran as one.
    }
    let program = place.path().join("it");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let temporary = place.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    for (path, mode) in [
        (place.path(), 0o755),
        (&program, 0o755),
        (&temporary, 0o777),
    ] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    let mut command = Command::new("runuser");
    command
        .args(["-u", "nobody", "--"])
        .arg(&program)
        .args(["--skip", "surroundings::"]);
    command
        .current_dir(&temporary)
        .env("TMPDIR", &temporary)
        .env("HOME", &temporary);
    all_pass(&mut command);
}

#[test]
fn another_users_repository() {
    let made = TestRepository::new();
    if !is_root(made.path()) {
        return; // Only root can give a folder away.
    }
    made.git(&["config", "filter.up.smudge", "tr a-z A-Z"]);
    made.write(".gitattributes", "*.up filter=up\n");
    made.write("x.up", "hello");
    made.write("plain.txt", "hello");
    made.commit("one");
    let place = tempfile::tempdir().unwrap();
    let theirs = open(&made);
    let head = theirs.resolve("HEAD").unwrap();
    let expected = theirs
        .add_worktree(&head, &place.path().join("expected"))
        .unwrap();
    let chown = Command::new("chown")
        .args(["-R", &NOBODY.to_string()])
        .arg(made.path())
        .status();
    assert!(chown.unwrap().success());
    let git = place.path().join("git");
    let script = "#!/bin/sh\nGIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 exec git \"$@\"\n";
    let write = |script: &str| {
        std::fs::write(&git, script).unwrap();
        std::fs::set_permissions(&git, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    write(script);
    let error = Repository::discover_with_git(made.path(), &git).unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::NotTrusted, "{error}");
    assert!(error.hint().unwrap().contains("safe.directory"));
    assert!(error.to_string().contains("dubious ownership"), "{error}");
    let missing = Path::new("/nowhere/git");
    let error = Repository::discover_with_git(made.path(), missing).unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::NotTrusted, "{error}");
    // Allowed by the user's own configuration: git writes the tree, its filter runs.
    let settings = place.path().join("gitconfig");
    std::fs::write(&settings, "[safe]\n\tdirectory = *\n").unwrap();
    write(&script.replace("/dev/null", settings.to_str().unwrap()));
    let repository = Repository::discover_with_git(made.path(), &git).unwrap();
    assert!(!repository.is_owned());
    let worktree = repository
        .add_worktree(&head, &place.path().join("ours"))
        .unwrap();
    assert_eq!(worktree.backend(), Backend::Git);
    assert_eq!(
        std::fs::read(worktree.path().join("x.up")).unwrap(),
        b"HELLO"
    );
    assert_eq!(listing(worktree.path()), listing(expected.path()));
    worktree.remove().unwrap();
    expected.remove().unwrap();
}
