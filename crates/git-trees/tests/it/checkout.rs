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

#[test]
fn places_to_start_from() {
    for program in git_programs() {
        let made = rich(&program, &[]);
        made.write("second", "x");
        made.commit("second");
        check(&made.clone_with(&["--bare"]), Backend::Gix);
        check(&made.clone_with(&["--depth=1"]), Backend::Gix);
        made.git(&["checkout", "--quiet", "--detach", "HEAD~1"]);
        check(&made, Backend::Gix);
        let place = tempfile::tempdir().unwrap();
        let linked = place.path().join("linked tree");
        made.git(&[
            "worktree",
            "add",
            "--quiet",
            "-b",
            "linked",
            linked.to_str().unwrap(),
        ]);
        let repository = Repository::discover(&linked).unwrap();
        assert_eq!(
            repository.common_dir(),
            made.join(".git").canonicalize().unwrap()
        );
        assert_ne!(repository.git_dir(), repository.common_dir());
        let head = repository.resolve("HEAD").unwrap();
        let worktree = repository
            .add_worktree(&head, &place.path().join("ours"))
            .unwrap();
        assert_eq!(worktree.backend(), Backend::Gix);
        assert_eq!(listing(worktree.path()), listing(&linked));
        worktree.remove().unwrap();
        assert!(linked.join("plain.txt").exists());
        made.git(&["worktree", "remove", linked.to_str().unwrap()]);
    }
}

#[test]
fn dirty_trees_stay_as_they_are() {
    let made = rich(Path::new("git"), &[]);
    made.write("plain.txt", "changed");
    made.write("untracked", "x");
    made.write("staged", "x");
    made.git(&["add", "staged"]);
    let before = made.git(&["status", "--porcelain"]);
    check(&made, Backend::Gix);
    assert_eq!(made.git(&["status", "--porcelain"]), before);
}

/// The attributes of one repository, and who has to write its trees.
#[test]
fn attributes() {
    let line_ends = "one\r\ntwo\n$Id$\n";
    for (file, attributes, backend) in [
        (".gitattributes", "*.txt text eol=crlf\n", Backend::Gix),
        (
            ".gitattributes",
            "* text=auto\n*.txt eol=crlf\n",
            Backend::Gix,
        ),
        (".gitattributes", "*.txt text eol=lf\n", Backend::Gix),
        (
            ".gitattributes",
            "*.txt -text diff merge=union\n",
            Backend::Gix,
        ),
        (
            ".gitattributes",
            "*.txt binary\n*.py export-subst\n",
            Backend::Gix,
        ),
        (".gitattributes", "*.txt ident\n", Backend::Git),
        (
            ".gitattributes",
            "*.txt text working-tree-encoding=UTF-16\n",
            Backend::Git,
        ),
        (".gitattributes", "*.txt filter=up\n", Backend::Git),
        (
            ".gitattributes",
            "[attr]shout filter=up\n*.txt shout\n",
            Backend::Git,
        ),
        ("deep/er/.gitattributes", "*.txt filter=up\n", Backend::Git),
        (".git/info/attributes", "*.txt ident\n", Backend::Git),
    ] {
        for program in git_programs() {
            let made = TestRepository::with(&program, &[]);
            made.git(&["config", "filter.up.smudge", "tr a-z A-Z"]);
            made.git(&["config", "filter.up.clean", "tr A-Z a-z"]);
            made.write(file, attributes);
            for name in ["a.txt", "deep/er/b.txt", "c.other"] {
                if attributes.contains("UTF-16") && !name.ends_with("other") {
                    let units = "\u{feff}grüße\n".encode_utf16();
                    made.write(name, units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
                } else {
                    made.write(name, line_ends);
                }
            }
            made.commit("attributes");
            check(&made, backend);
        }
    }
}

#[test]
fn configuration_that_changes_bytes() {
    for setting in [
        ["core.autocrlf", "true"],
        ["core.autocrlf", "input"],
        ["core.eol", "crlf"],
        ["core.symlinks", "false"],
        ["extensions.worktreeConfig", "true"],
    ] {
        let made = rich(Path::new("git"), &[]);
        made.git(&["config", setting[0], setting[1]]);
        check(&made, Backend::Git);
    }
    let made = rich(Path::new("git"), &[]);
    made.git(&[
        "config",
        "core.attributesFile",
        made.join("attributes").to_str().unwrap(),
    ]);
    check(&made, Backend::Git);
}

#[test]
fn partial_clones_fetch() {
    for program in git_programs() {
        let made = rich(&program, &[]);
        made.git(&["config", "uploadpack.allowFilter", "true"]);
        made.write("plain.txt", "one\ntwo\nthree\n");
        made.git(&["mv", "bytes.bin", "moved.bin"]);
        made.commit("second");
        let clone = made.clone_with(&["--filter=blob:none", "--no-checkout"]);
        let repository = open(&clone);
        assert!(repository.is_partial());
        let head = repository.resolve("HEAD").unwrap();
        let parent = repository.resolve("HEAD~1").unwrap();
        let changes = repository.diff(&parent, &head).unwrap();
        assert_eq!(changes, open(&made).diff(&parent, &head).unwrap());
        let bytes = repository.read_file(&head, "plain.txt").unwrap().unwrap();
        assert_eq!(bytes, b"one\ntwo\nthree\n");
        let place = tempfile::tempdir().unwrap();
        let worktree = repository
            .add_worktree(&head, &place.path().join("ours"))
            .unwrap();
        assert_eq!(worktree.backend(), Backend::Git);
        assert_eq!(listing(worktree.path()), listing(made.path()));
        worktree.remove().unwrap();
    }
}

#[test]
fn submodules_that_are_not_here_are_empty_folders() {
    for program in git_programs() {
        let inner = rich(&program, &[]);
        let made = rich(&program, &[]);
        let address = inner.path().to_str().unwrap();
        made.git(&[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            address,
            "sub",
        ]);
        made.commit("submodule");
        check(&made.clone_with(&[]), Backend::Gix);
        let repository = open(&made);
        let head = repository.resolve("HEAD").unwrap();
        let files = repository.files(&head).unwrap();
        let entry = files.iter().find(|file| file.path == "sub").unwrap();
        assert!(entry.is_submodule());
        assert_eq!(repository.read_file(&head, "sub").unwrap(), None);
        made.write("sub/plain.txt", "changed");
        let error = repository.commit_work_tree(&head).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::Unsupported, "{error}");
        assert_eq!(error.path(), Some(Path::new("sub")));
    }
}

#[test]
fn names_that_are_not_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let made = rich(Path::new("git"), &[]);
    let odd = std::ffi::OsStr::from_bytes(b"caf\xe9 \"x\".txt");
    std::fs::write(made.path().join(odd), "odd").unwrap();
    made.commit("odd");
    check(&made, Backend::Gix);
    let repository = open(&made);
    let head = repository.resolve("HEAD").unwrap();
    let name = r#""caf\351 \"x\".txt""#;
    assert!(
        repository
            .files(&head)
            .unwrap()
            .iter()
            .any(|file| file.path == name)
    );
    assert_eq!(repository.read_file(&head, name).unwrap().unwrap(), b"odd");
}

#[test]
fn hooks_do_not_run() {
    let made = rich(Path::new("git"), &[]);
    made.write(
        ".git/hooks/post-checkout",
        "#!/bin/sh\ntouch \"$PWD/hook-ran\"\n",
    );
    made.chmod(".git/hooks/post-checkout", 0o755);
    let place = tempfile::tempdir().unwrap();
    for attributes in ["", "*.none ident\n"] {
        made.write(".gitattributes", attributes);
        made.commit("attributes");
        let repository = open(&made);
        let head = repository.resolve("HEAD").unwrap();
        let worktree = repository
            .add_worktree(&head, &place.path().join("ours"))
            .unwrap();
        assert!(!worktree.path().join("hook-ran").exists());
        worktree.remove().unwrap();
        assert!(!made.join("hook-ran").exists());
    }
}

#[test]
fn without_git_only_what_needs_it_fails() {
    let made = rich(Path::new("git"), &[]);
    let missing = Path::new("/nowhere/git");
    let place = tempfile::tempdir().unwrap();
    let repository = Repository::discover_with_git(made.path(), missing).unwrap();
    let head = repository.resolve("HEAD").unwrap();
    repository
        .add_worktree(&head, &place.path().join("ours"))
        .unwrap()
        .remove()
        .unwrap();
    made.write(".gitattributes", "*.txt ident\n");
    made.commit("ident");
    let head = repository.resolve("HEAD").unwrap();
    let errors = [
        repository
            .add_worktree(&head, &place.path().join("ours"))
            .unwrap_err(),
        repository.work_tree_status().unwrap_err(),
        repository.commit_work_tree(&head).unwrap_err(),
        repository.commit_patch(&head, b"x").unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), GitErrorKind::NoGit, "{error}");
        assert!(error.to_string().contains("no git program") && error.hint().is_some());
    }
    assert!(!place.path().join("ours").exists());
}

#[test]
fn a_damaged_repository_leaves_nothing_behind() {
    let made = rich(Path::new("git"), &[]);
    let blob = made.git(&["rev-parse", "HEAD:plain.txt"]);
    let (folder, file) = blob.split_at(2);
    made.remove(&format!(".git/objects/{folder}/{file}"));
    let repository = open(&made);
    let head = repository.resolve("HEAD").unwrap();
    assert_eq!(
        repository.read_blob(&blob).unwrap_err().kind(),
        GitErrorKind::Corrupt
    );
    let error = repository.read_file(&head, "plain.txt").unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::Corrupt);
    let place = tempfile::tempdir().unwrap();
    let error = repository
        .add_worktree(&head, &place.path().join("ours"))
        .unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::GitFailed, "{error}");
    assert!(
        error.to_string().contains("plain.txt") || error.to_string().contains(&blob),
        "{error}"
    );
    assert!(!place.path().join("ours").exists());
    assert!(!made.join(".git/worktrees").exists());
    made.write(".git/config", "[broken");
    assert_eq!(
        Repository::discover(made.path()).unwrap_err().kind(),
        GitErrorKind::Corrupt
    );
}

#[test]
fn many_at_once() {
    let made = rich(Path::new("git"), &[]);
    let repository = open(&made);
    let head = repository.resolve("HEAD").unwrap();
    let expected = listing(made.path());
    let place = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for number in 0..6 {
            let (repository, head) = (&repository, &head);
            // One name for all: only the parents differ, as with `parent/tree` and `patch/tree`.
            let path = place.path().join(number.to_string()).join("tree");
            let expected = &expected;
            scope.spawn(move || {
                let worktree = repository.add_worktree(head, &path).unwrap();
                assert_eq!(&listing(worktree.path()), expected);
                worktree.remove().unwrap();
            });
        }
    });
    assert!(!made.join(".git/worktrees").exists());
}
