//! States of index and work tree: git's own status and tree, and nothing moved.

use std::path::Path;

use git_trees::{GitErrorKind, Repository};
use test_support::TestRepository;

use super::{attempt, copy_of, each_git, footprint, same_as_git};
use crate::setup::listing;

/// The work tree as a commit has the tree that `git add --all` gives, its status is git's, and user's
/// files, index and references stay as they are.
#[track_caller]
fn check(name: &str, made: &TestRepository, program: &Path) {
    let repository = Repository::discover_with_git(made.path(), program).unwrap();
    let head = repository.resolve("HEAD").unwrap();
    let (files, before) = (listing(made.path()), footprint(repository.git_dir()));
    let status = repository.work_tree_status().unwrap();
    let commit = repository.commit_work_tree(&head).unwrap();
    assert_eq!(listing(made.path()), files, "{name}: the user's files");
    assert_eq!(
        without_shared(footprint(repository.git_dir())),
        without_shared(before),
        "{name}: the user's repository"
    );
    let (_place, copy) = copy_of(made);
    if copy.join(".git/index.lock").exists() {
        copy.remove(".git/index.lock");
    }
    let theirs = copy.git(&[
        "-c",
        "core.fsmonitor=false",
        "status",
        "--porcelain",
        "-z",
        "--no-renames",
        "-uall",
    ]);
    let mut theirs: Vec<String> = theirs
        .split('\0')
        .filter_map(|line| line.get(3..))
        .map(str::to_owned)
        .collect();
    let mut ours = [status.changed.clone(), status.untracked.clone()].concat();
    theirs.sort();
    ours.sort();
    assert_eq!(ours, theirs, "{name}: status");
    assert_eq!(status.dirty, !theirs.is_empty(), "{name}");
    copy.git(&["-c", "core.fsmonitor=false", "add", "--all"]);
    assert_eq!(
        repository.tree_of(&commit).unwrap(),
        copy.git(&["write-tree"]),
        "{name}: tree"
    );
    same_as_git(made, program, "HEAD");
    if name == "a nested repository" {
        // As a submodule whose commit is here it is filled, where git leaves an empty folder.
        let ours = super::by_us(&repository, commit.as_str(), program);
        assert!(ours.contains_key(b"nested/theirs.txt".as_slice()));
    } else {
        same_as_git(made, program, commit.as_str());
    }
}

/// Git itself marks a shared index that it reads as used.
fn without_shared(mut found: super::Listing) -> super::Listing {
    found.retain(|name, _| !name.starts_with(b"sharedindex."));
    found
}

type Make = fn(&TestRepository);

const STATES: &[(&str, Make)] = &[
    ("clean", |_| {}),
    ("dirty", |made| {
        made.write("plain.txt", "dirty\n");
        made.remove("second.txt");
        made.write("new.txt", "new\n");
    }),
    ("staged only", |made| {
        made.write("plain.txt", "staged\n");
        made.write("new.txt", "new\n");
        made.git(&["add", "--all"]);
    }),
    ("staged, then taken back", |made| {
        made.write("plain.txt", "staged\n");
        made.git(&["add", "--all"]);
        made.write("plain.txt", "one\ntwo\n");
    }),
    ("staged deletion, file still there", |made| {
        made.git(&["rm", "--quiet", "--cached", "plain.txt"]);
    }),
    ("intent to add", |made| {
        made.write("new.txt", "new\n");
        made.write("empty.txt", "");
        made.git(&["add", "--intent-to-add", "new.txt", "empty.txt"]);
    }),
    ("detached", |made| {
        made.git(&["checkout", "--quiet", "--detach", "HEAD~1"]);
        made.write("new.txt", "new\n");
    }),
    ("file for a folder and back", |made| {
        made.remove("folder/inner.txt");
        std::fs::remove_dir(made.join("folder")).unwrap();
        made.write("folder", "now a file\n");
        made.remove("plain.txt");
        made.write("plain.txt/inner", "now a folder\n");
    }),
    ("empty folders", |made| {
        std::fs::create_dir_all(made.join("empty/deeper")).unwrap();
    }),
    ("file modes do not count", |made| {
        made.git(&["config", "core.fileMode", "false"]);
        made.chmod("plain.txt", 0o755);
        made.chmod("run.sh", 0o644);
        made.write("new.sh", "x");
        made.chmod("new.sh", 0o755);
    }),
    ("links are files", |made| {
        made.git(&["config", "core.symlinks", "false"]);
        made.remove("link");
        made.write("link", "plain.txt");
    }),
    ("line ends are converted", |made| {
        made.git(&["config", "core.autocrlf", "true"]);
        made.write("plain.txt", "one\r\ntwo\r\n");
        made.write("new.txt", "one\r\ntwo\r\n");
    }),
    ("a clean filter", |made| {
        made.git(&["config", "filter.up.clean", "tr a-z A-Z"]);
        made.git(&["config", "filter.up.smudge", "tr A-Z a-z"]);
        made.write(".gitattributes", "*.up filter=up\n");
        made.write("new.up", "words\n");
    }),
    ("assumed unchanged and skipped", |made| {
        made.git(&["update-index", "--assume-unchanged", "plain.txt"]);
        made.git(&["update-index", "--skip-worktree", "second.txt"]);
        made.write("plain.txt", "hidden\n");
        made.write("second.txt", "hidden\n");
        made.write("new.txt", "new\n");
    }),
    ("sparse, not by cone", |made| {
        made.git(&["sparse-checkout", "set", "--no-cone", "/plain.txt"]);
        made.write("plain.txt", "dirty\n");
    }),
    ("sparse, by cone", |made| {
        made.git(&["sparse-checkout", "set", "--cone", "nothing"]);
        made.write("plain.txt", "dirty\n");
    }),
    ("sparse, a sparse index", |made| {
        made.git(&[
            "sparse-checkout",
            "set",
            "--cone",
            "--sparse-index",
            "nothing",
        ]);
        made.write("plain.txt", "dirty\n");
    }),
    ("a split index", |made| {
        made.git(&["config", "core.splitIndex", "true"]);
        made.git(&["update-index", "--split-index"]);
        made.write("plain.txt", "dirty\n");
        made.git(&["add", "plain.txt"]);
        made.write("second.txt", "dirty\n");
    }),
    ("an untracked cache", |made| {
        made.git(&["update-index", "--force-untracked-cache"]);
        made.git(&["status"]);
        made.write("folder/new.txt", "new\n");
    }),
    ("a watcher that lies", |made| {
        made.write(
            ".git/watcher",
            "#!/bin/sh\ntouch \"$PWD/watched\"\nprintf 'token\\0'\n",
        );
        made.chmod(".git/watcher", 0o755);
        made.git(&["update-index", "--fsmonitor"]);
        made.git(&[
            "config",
            "core.fsmonitor",
            made.join(".git/watcher").to_str().unwrap(),
        ]);
        made.write("plain.txt", "dirty\n");
    }),
    ("index version 4", |made| {
        made.git(&["update-index", "--index-version", "4"]);
        made.write("plain.txt", "dirty\n");
    }),
    ("another git at work", |made| {
        made.write(".git/index.lock", "");
        made.write("plain.txt", "dirty\n");
    }),
    ("hooks of every kind", |made| {
        for name in [
            "post-checkout",
            "pre-commit",
            "post-index-change",
            "reference-transaction",
        ] {
            let hook = format!(".git/hooks/{name}");
            made.write(
                &hook,
                "#!/bin/sh\ntouch \"$(git rev-parse --git-common-dir)/ran\"\nexit 1\n",
            );
        }
        made.git(&["pack-refs", "--all"]);
        for name in [
            "post-checkout",
            "pre-commit",
            "post-index-change",
            "reference-transaction",
        ] {
            made.chmod(&format!(".git/hooks/{name}"), 0o755);
        }
        made.write("plain.txt", "dirty\n");
    }),
    ("a nested repository", |made| {
        let inner = made.view(&made.join("nested"));
        std::fs::create_dir(inner.path()).unwrap();
        inner.git(&["init", "--quiet"]);
        inner.write("theirs.txt", "x");
        inner.commit("inner");
    }),
    ("a nested repository, ignored", |made| {
        let inner = made.view(&made.join("nested"));
        std::fs::create_dir(inner.path()).unwrap();
        inner.git(&["init", "--quiet"]);
        made.write(".gitignore", "nested/\n");
    }),
    ("cherry-pick settled, not committed", |made| {
        made.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
        made.git(&["cherry-pick", "--no-commit", "main"]);
    }),
    ("bisecting", |made| {
        made.git(&["bisect", "start", "HEAD", "HEAD~1"]);
        made.write("new.txt", "new\n");
    }),
];

#[test]
fn every_state() {
    each_git(|program, _| {
        for (name, make) in STATES {
            let made = super::two_commits(program, &[]);
            make(&made);
            if *name == "hooks of every kind" {
                // Git would run them in the comparison.
                hooks(&made, program);
            } else {
                check(name, &made, program);
            }
            assert!(!made.join("watched").exists(), "{name}");
        }
    });
}

fn hooks(made: &TestRepository, program: &Path) {
    let repository = Repository::discover_with_git(made.path(), program).unwrap();
    let head = repository.resolve("HEAD").unwrap();
    let commit = repository.commit_work_tree(&head).unwrap();
    let place = tempfile::tempdir().unwrap();
    for (attributes, commit) in [("", &head), ("", &commit), ("* ident\n", &head)] {
        made.write(".git/info/attributes", attributes);
        let path = place.path().join("ours");
        repository
            .add_worktree(commit, &path)
            .unwrap()
            .remove()
            .unwrap();
        repository.work_tree_status().unwrap();
        repository.diff(&head, commit).unwrap();
    }
    assert!(!made.join(".git/ran").exists());
}

/// Two branches that cannot be merged by themselves.
fn diverged(made: &TestRepository) {
    made.git(&["checkout", "--quiet", "-b", "side"]);
    made.write("plain.txt", "side\n");
    made.commit("side");
    made.git(&["checkout", "--quiet", "main"]);
    made.write("plain.txt", "main\n");
    made.commit("main");
}

#[test]
fn a_merge_a_rebase_and_a_pick_that_stopped() {
    each_git(|program, _| {
        for arguments in [
            &["merge", "side"][..],
            &["rebase", "side"],
            &["cherry-pick", "side"],
            &["stash", "pop"],
        ] {
            let made = super::two_commits(program, &[]);
            diverged(&made);
            if arguments.first() == Some(&"stash") {
                made.write("plain.txt", "stashed\n");
                made.git(&["stash", "--quiet"]);
                made.write("plain.txt", "later\n");
                made.commit("later");
            }
            assert!(!attempt(program, made.path(), arguments).status.success());
            let repository = Repository::discover_with_git(made.path(), program).unwrap();
            let head = repository.resolve("HEAD").unwrap();
            assert_eq!(head.as_str(), made.git(&["rev-parse", "HEAD"]));
            let status = repository.work_tree_status().unwrap();
            assert_eq!(status.unmerged, ["plain.txt"], "{arguments:?}");
            let error = repository.commit_work_tree(&head).unwrap_err();
            assert_eq!(error.kind(), GitErrorKind::Conflict, "{error}");
            assert_eq!(error.path(), Some(Path::new("plain.txt")));
            assert!(error.hint().is_some());
            same_as_git(&made, program, "HEAD");
            // Settled but not committed: the work tree counts as it is.
            made.write("plain.txt", "settled\n");
            made.git(&["add", "plain.txt"]);
            check("settled", &made, program);
        }
    });
}

#[test]
fn a_nested_repository_without_a_commit_is_named() {
    each_git(|program, made| {
        let inner = made.view(&made.join("nested"));
        std::fs::create_dir(inner.path()).unwrap();
        inner.git(&["init", "--quiet"]);
        inner.write("theirs.txt", "x");
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let head = repository.resolve("HEAD").unwrap();
        let error = repository.commit_work_tree(&head).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::Unsupported, "{error}");
        assert!(error.to_string().contains("nested"), "{error}");
        assert!(error.hint().unwrap().contains(".gitignore"), "{error}");
    });
}

#[test]
fn a_branch_without_a_commit() {
    each_git(|program, made| {
        made.git(&["checkout", "--quiet", "--orphan", "unborn"]);
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let error = repository.resolve("HEAD").unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::NoCommits, "{error}");
        assert_eq!(
            repository.current_branch().unwrap().as_deref(),
            Some("unborn")
        );
        let main = repository.resolve("main").unwrap();
        // Everything is staged: the tree of `main`.
        let commit = repository.commit_work_tree(&main).unwrap();
        assert_eq!(
            repository.tree_of(&commit).unwrap(),
            repository.tree_of(&main).unwrap()
        );
        same_as_git(&made, program, "main");
    });
}
