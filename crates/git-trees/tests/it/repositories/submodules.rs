//! Submodules: filled offline from what was fetched, or said to be missing.

use std::path::Path;

use git_trees::{GitErrorKind, Repository, SubmoduleState};
use test_support::TestRepository;

use super::{by_us, each_git, footprint, two_commits};
use crate::setup::listing;

const ALLOW: [&str; 2] = ["-c", "protocol.file.allow=always"];

#[track_caller]
fn add(made: &TestRepository, inner: &TestRepository, name: &str, path: &str) {
    let address = inner.path().to_str().unwrap();
    let arguments = ["submodule", "--quiet", "add", "--name", name, address, path];
    made.git(&[&ALLOW[..], &arguments].concat());
}

fn states(repository: &Repository, rev: &str) -> Vec<(String, SubmoduleState)> {
    let commit = repository.resolve(rev).unwrap();
    let found = repository.submodules(&commit).unwrap();
    found
        .into_iter()
        .map(|submodule| (submodule.path, submodule.state))
        .collect()
}

fn open(made: &TestRepository, program: &Path) -> Repository {
    Repository::discover_with_git(made.path(), program).unwrap()
}

/// What `git clone --recurse-submodules` writes for a revision.
fn by_clone(made: &TestRepository, rev: &str) -> super::Listing {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("clone");
    let text = path.to_str().unwrap();
    made.git(&["clone", "--quiet", "--no-checkout", ".", text]);
    let view = made.view(&path);
    view.git(&["checkout", "--quiet", "--detach", rev]);
    view.git(
        &[
            &ALLOW[..],
            &["submodule", "--quiet", "update", "--init", "--recursive"],
        ]
        .concat(),
    );
    without_git(listing(&path))
}

/// The files alone: a submodule's `.git` is a file or a folder.
fn without_git(mut found: super::Listing) -> super::Listing {
    found.retain(|name, _| !name.split(|byte| *byte == b'/').any(|part| part == b".git"));
    found
}

/// A repository whose submodule `sub` stands on another commit in each of its last two commits.
fn moved(program: &Path) -> (TestRepository, TestRepository) {
    let inner = two_commits(program, &[]);
    let made = two_commits(program, &[]);
    add(&made, &inner, "a name", "libs/sub");
    made.commit("added");
    let sub = made.view(&made.join("libs/sub"));
    sub.git(&["checkout", "--quiet", "HEAD~1"]);
    made.commit("moved");
    (made, inner)
}

#[test]
fn each_tree_gets_its_own_commit_offline() {
    each_git(|program, _| {
        let (made, inner) = moved(program);
        let expected = ["HEAD", "HEAD~1", "HEAD~2"].map(|rev| (rev, by_clone(&made, rev)));
        inner.git(&["config", "core.bare", "true"]);
        std::fs::rename(inner.path(), inner.join("../away")).unwrap();
        let repository = open(&made, program);
        let modules = footprint(&made.join(".git/modules"));
        for (rev, expected) in &expected {
            let ours = by_us(&repository, rev, program);
            assert_eq!(&without_git(ours), expected, "{rev}");
        }
        let present = ("libs/sub".to_owned(), SubmoduleState::Present);
        assert_eq!(states(&repository, "HEAD"), std::slice::from_ref(&present));
        assert!(states(&repository, "HEAD~2").is_empty());
        assert_eq!(footprint(&made.join(".git/modules")), modules);
        // In the tree it is a repository of its own, on that commit, and writes only there.
        let place = tempfile::tempdir().unwrap();
        let head = repository.resolve("HEAD~1").unwrap();
        let worktree = repository
            .add_worktree(&head, &place.path().join("ours"))
            .unwrap();
        let sub = made.view(&worktree.path().join("libs/sub"));
        assert_eq!(sub.git(&["status", "--porcelain"]), "");
        assert_eq!(
            sub.git(&["rev-parse", "HEAD"]),
            made.git(&["rev-parse", "HEAD~1:libs/sub"])
        );
        sub.write("new.txt", "x");
        sub.commit("in the tree");
        assert_eq!(footprint(&made.join(".git/modules")), modules);
        worktree.remove().unwrap();
        assert!(!place.path().join("ours").exists());
        // From a linked worktree, and where the work tree's own folder is gone.
        let linked = place.path().join("linked");
        let text = linked.to_str().unwrap();
        made.git(&["worktree", "add", "--quiet", "--detach", text]);
        std::fs::remove_dir_all(made.join("libs")).unwrap();
        let repository = Repository::discover_with_git(&linked, program).unwrap();
        let ours = by_us(&repository, "HEAD~1", program);
        assert_eq!(without_git(ours), expected.get(1).unwrap().1);
        assert_eq!(states(&repository, "HEAD~1"), [present]);
    });
}

#[test]
fn what_was_never_fetched_is_said() {
    each_git(|program, _| {
        let (made, inner) = moved(program);
        let clone = made.clone_with(&[]);
        let repository = open(&clone, program);
        let missing = ("libs/sub".to_owned(), SubmoduleState::NotInitialised);
        assert_eq!(states(&repository, "HEAD"), [missing]);
        let ours = by_us(&repository, "HEAD", program);
        let folder = &ours[b"libs/sub".as_slice()];
        assert_eq!(
            folder.0 & 0o170_000,
            0o040_000,
            "an empty folder, as git leaves it"
        );
        clone.git(&[&ALLOW[..], &["submodule", "--quiet", "update", "--init"]].concat());
        // Initialised, and then the superproject moves to a commit that was not fetched there.
        let sub = made.view(&made.join("libs/sub"));
        inner.write("third.txt", "x");
        let third = inner.commit("third");
        sub.git(&[&ALLOW[..], &["fetch", "--quiet"]].concat());
        sub.git(&["checkout", "--quiet", &third]);
        made.commit("moved on");
        clone.git(&["fetch", "--quiet", "--no-recurse-submodules"]);
        let repository = open(&clone, program);
        let lacking = ("libs/sub".to_owned(), SubmoduleState::CommitMissing);
        assert_eq!(states(&repository, "origin/main"), [lacking]);
        let before = footprint(repository.common_dir());
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("ours");
        let commit = repository.resolve("origin/main").unwrap();
        let error = repository.add_worktree(&commit, &path).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::SubmoduleMissing, "{error}");
        assert_eq!(error.path(), Some(Path::new("libs/sub")));
        assert!(error.to_string().contains(&third), "{error}");
        let hint = error.hint().unwrap();
        assert!(hint.contains("git submodule update --init"), "{hint}");
        assert!(!path.exists());
        assert_eq!(footprint(repository.common_dir()), before);
    });
}

#[test]
fn submodules_in_submodules_and_old_layouts() {
    each_git(|program, _| {
        let innermost = two_commits(program, &[]);
        let inner = two_commits(program, &[]);
        add(&inner, &innermost, "inner/most", "below");
        inner.commit("nested");
        let made = two_commits(program, &[]);
        add(&made, &inner, "sub", "sub");
        made.commit("added");
        let update = ["submodule", "--quiet", "update", "--init", "--recursive"];
        let repository = open(&made, program);
        let none = ("sub/below".to_owned(), SubmoduleState::NotInitialised);
        assert_eq!(states(&repository, "HEAD").last(), Some(&none));
        made.git(&[&ALLOW[..], &update].concat());
        let found = states(&repository, "HEAD");
        assert!(
            found.len() == 2
                && found
                    .iter()
                    .all(|(_, state)| *state == SubmoduleState::Present),
            "{found:?}"
        );
        let ours = without_git(by_us(&repository, "HEAD", program));
        assert_eq!(ours, by_clone(&made, "HEAD"));
        assert!(ours.contains_key(b"sub/below/plain.txt".as_slice()));
        // The git folder inside the submodule's folder, and no `.gitmodules`: an embedded repository.
        let old = two_commits(program, &[]);
        let embedded = old.view(&old.join("embedded"));
        let text = embedded.path().to_str().unwrap();
        innermost.git(&["clone", "--quiet", ".", text]);
        old.git(&["add", "embedded"]);
        old.git(&["commit", "--quiet", "-m", "embedded"]);
        let repository = open(&old, program);
        let ours = by_us(&repository, "HEAD", program);
        assert!(ours.contains_key(b"embedded/plain.txt".as_slice()));
    });
}

#[test]
fn a_shallow_submodule_and_another_hash() {
    each_git(|program, _| {
        let inner = two_commits(program, &[]);
        let made = two_commits(program, &[]);
        let address = format!("file://{}", inner.path().display());
        let arguments = [
            "submodule",
            "--quiet",
            "add",
            "--depth",
            "1",
            &address,
            "sub",
        ];
        made.git(&[&ALLOW[..], &arguments].concat());
        made.commit("shallow");
        assert!(made.join(".git/modules/sub/shallow").exists());
        let repository = open(&made, program);
        let ours = by_us(&repository, "HEAD", program);
        assert!(ours.contains_key(b"sub/second.txt".as_slice()));
        let inner = two_commits(program, &["--object-format=sha256"]);
        let made = two_commits(program, &["--object-format=sha256"]);
        add(&made, &inner, "sub", "sub");
        made.commit("sha256");
        let ours = by_us(&open(&made, program), "HEAD", program);
        assert!(ours.contains_key(b"sub/second.txt".as_slice()));
    });
}

#[test]
fn names_and_paths_that_lead_out() {
    each_git(|program, _| {
        let (made, _inner) = moved(program);
        // A name that would read another repository's folder, and one that is a folder of ours.
        for name in ["../../elsewhere", "..", "/etc", ""] {
            let module = made.join(".git/modules/a name");
            assert!(module.exists());
            made.write(
                ".gitmodules",
                format!("[submodule \"{name}\"]\n\tpath = libs/sub\n\turl = x\n"),
            );
            made.git(&["add", ".gitmodules"]);
            made.git(&["commit", "--quiet", "--allow-empty", "-m", "name"]);
            let clone = made.clone_with(&[]);
            let state = states(&open(&clone, program), "HEAD");
            assert_eq!(
                state,
                [("libs/sub".to_owned(), SubmoduleState::NotInitialised)],
                "{name}"
            );
        }
        made.write(".gitmodules", "[broken");
        made.git(&["add", ".gitmodules"]);
        made.git(&["commit", "--quiet", "-m", "broken"]);
        let clone = made.clone_with(&[]);
        let repository = open(&clone, program);
        assert_eq!(states(&repository, "HEAD").len(), 1);
        let head = repository.resolve("HEAD").unwrap();
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("ours");
        let worktree = repository.add_worktree(&head, &path).unwrap();
        assert!(path.join("libs/sub").exists());
        worktree.remove().unwrap();
    });
}
