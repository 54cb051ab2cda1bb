//! What differs between commits, and what is in them.

use std::path::Path;

use git_trees::{Change, ChangeKind, GitErrorKind, Repository};
use test_support::TestRepository;

use crate::setup::open;

/// The changes as `git diff-tree --name-status` would print them.
fn text(changes: &[Change]) -> String {
    let line = |change: &Change| {
        let letter = match change.kind {
            ChangeKind::Added => "A",
            ChangeKind::Deleted => "D",
            ChangeKind::Modified => "M",
            ChangeKind::Renamed => "R",
            ChangeKind::TypeChanged => "T",
            _ => "?",
        };
        match &change.previous_path {
            Some(previous) => format!("{letter}\t{previous}\t{}", change.path),
            None => format!("{letter}\t{}", change.path),
        }
    };
    changes.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_kind_as_git_sees_it() {
    for init in [&[][..], &["--object-format=sha256"]] {
        let made = TestRepository::with(Path::new("git"), init);
        let long = (0..40)
            .map(|number| format!("line {number}\n"))
            .collect::<Vec<_>>()
            .concat();
        made.write("gone.py", "nothing like the others\n");
        for name in ["deep/er/moved.py", "same.py", "typed", "run.sh", "edit.py"] {
            made.write(name, format!("{name}\n{long}"));
        }
        made.write("folder/becomes/file", "x");
        made.write("empty", "");
        made.commit("before");
        made.git(&["config", "diff.renames", "false"]);
        made.remove("gone.py");
        made.remove("typed");
        made.symlink("typed", "same.py");
        made.chmod("run.sh", 0o755);
        made.write("edit.py", "edited\n");
        made.remove("deep/er/moved.py");
        made.write(
            "els/where.py",
            format!("deep/er/moved.py\n{long}one more\n"),
        );
        made.write("copy.py", format!("same.py\n{long}"));
        made.write("new.py", "new\n");
        std::fs::remove_dir_all(made.join("folder")).unwrap();
        made.write("folder", "now a file");
        made.commit("after");
        let repository = open(&made);
        let [a, b] = ["HEAD~1", "HEAD"].map(|rev| repository.resolve(rev).unwrap());
        let ours = text(&repository.diff(&a, &b).unwrap());
        let theirs = made.git(&["diff-tree", "-r", "-M", "--name-status", "HEAD~1", "HEAD"]);
        let mut theirs: Vec<_> = theirs
            .lines()
            .map(|line| line.replace("R098", "R").replace("R097", "R"))
            .collect();
        theirs.sort_by_key(|line| line.rsplit('\t').next().map(str::to_owned));
        let mut sorted: Vec<_> = ours.lines().collect();
        sorted.sort_by_key(|line| line.rsplit('\t').next());
        assert_eq!(sorted.join("\n"), theirs.join("\n"));
        assert!(ours.contains("R\tdeep/er/moved.py\tels/where.py"), "{ours}");
        assert!(
            ours.contains("T\ttyped") && ours.contains("A\tcopy.py"),
            "{ours}"
        );
        assert!(repository.diff(&b, &b).unwrap().is_empty());
        let alone = Repository::discover_with_git(made.path(), Path::new("/nowhere/git")).unwrap();
        let renames = alone.diff(&a, &b).unwrap();
        assert_eq!(
            renames
                .iter()
                .filter(|c| c.kind == ChangeKind::Renamed)
                .count(),
            1
        );
        let paths: Vec<_> = repository
            .diff(&a, &b)
            .unwrap()
            .into_iter()
            .map(|c| c.path)
            .collect();
        assert!(paths.is_sorted(), "{paths:?}");
    }
}

#[test]
fn files_and_their_bytes() {
    let made = TestRepository::new();
    made.write("a b/ü.txt", "text");
    made.write("run.sh", "#!/bin/sh\n");
    made.chmod("run.sh", 0o755);
    made.symlink("link", "a b");
    made.commit("one");
    let repository = open(&made);
    let head = repository.resolve("HEAD").unwrap();
    let files = repository.files(&head).unwrap();
    let seen: Vec<_> = files
        .iter()
        .map(|file| (file.path.as_str(), file.mode))
        .collect();
    assert_eq!(
        seen,
        [
            ("a b/ü.txt", 0o100_644),
            ("link", 0o120_000),
            ("run.sh", 0o100_755)
        ]
    );
    let read = |path: &str| repository.read_file(&head, path).unwrap();
    assert_eq!(read("a b/ü.txt").unwrap(), b"text");
    assert_eq!(read("link").unwrap(), b"a b");
    for path in [
        "", "a b", "a b/", "/run.sh", "./run.sh", "nothing", "run.sh/x", "\"broken",
    ] {
        assert_eq!(read(path), None, "{path}");
    }
    let blob = repository
        .read_blob(files.last().unwrap().id.as_str())
        .unwrap();
    assert_eq!(blob, b"#!/bin/sh\n");
    for id in [
        "",
        "zz",
        head.as_str(),
        "0000000000000000000000000000000000000000",
    ] {
        assert_eq!(
            repository.read_blob(id).unwrap_err().kind(),
            GitErrorKind::Corrupt,
            "{id}"
        );
    }
}

#[test]
fn branches_and_what_they_follow() {
    let made = TestRepository::new();
    let repository = open(&made);
    assert_eq!(
        repository.current_branch().unwrap().as_deref(),
        Some("main")
    );
    assert_eq!(repository.default_branch(), None);
    made.commit("one");
    assert_eq!(repository.default_branch().as_deref(), Some("main"));
    assert_eq!(repository.upstream_of_head(), None);
    assert!(repository.remotes().is_empty());
    made.git(&["checkout", "--quiet", "-b", "topic/one", "--track", "main"]);
    assert_eq!(open(&made).upstream_of_head().as_deref(), Some("main"));
    made.git(&["branch", "--quiet", "trunk"]);
    made.git(&["checkout", "--quiet", "trunk"]);
    let clone = made.clone_with(&[]);
    let cloned = open(&clone);
    assert_eq!(cloned.remotes(), ["origin"]);
    assert_eq!(cloned.default_branch().as_deref(), Some("origin/trunk"));
    assert_eq!(cloned.upstream_of_head().as_deref(), Some("origin/trunk"));
    clone.git(&["remote", "set-head", "origin", "--delete"]);
    assert_eq!(
        open(&clone).default_branch().as_deref(),
        Some("origin/main")
    );
    clone.git(&["checkout", "--quiet", "--detach"]);
    let detached = open(&clone);
    assert_eq!(detached.current_branch().unwrap(), None);
    assert_eq!(detached.upstream_of_head(), None);
    made.git(&["branch", "--quiet", "-D", "main"]);
    made.git(&["config", "init.defaultBranch", "trunk"]);
    assert_eq!(open(&made).default_branch().as_deref(), Some("trunk"));
    assert!(cloned.resolve(&cloned.default_branch().unwrap()).is_ok());
}
