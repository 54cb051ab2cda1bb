//! Taking worktrees away whatever became of them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use git_trees::{Repository, Worktree, remove_leftover};
use test_support::TestRepository;

use crate::setup::open;

fn small() -> (TestRepository, Repository) {
    let made = TestRepository::new();
    made.write("folder/file", "x");
    made.commit("one");
    let repository = open(&made);
    (made, repository)
}

fn add(repository: &Repository, path: &Path) -> Worktree {
    repository
        .add_worktree(&repository.resolve("HEAD").unwrap(), path)
        .unwrap()
}

fn lock_up(folder: &Path) {
    std::fs::create_dir_all(folder.join("made/by/tests")).unwrap();
    std::fs::write(folder.join("made/by/tests/file"), "x").unwrap();
    std::os::unix::fs::symlink("/etc", folder.join("made/link")).unwrap();
    for (name, mode) in [
        ("made/by/tests/file", 0o000),
        ("made/by/tests", 0o500),
        ("made/by", 0o000),
        ("folder", 0o555),
    ] {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(folder.join(name), permissions).unwrap();
    }
}

#[test]
fn locked_folders_and_missing_ones() {
    let (made, repository) = small();
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("tree");
    let worktree = add(&repository, &path);
    lock_up(&path);
    worktree.remove().unwrap();
    assert!(!path.exists());
    let worktree = add(&repository, &path);
    std::fs::remove_dir_all(&path).unwrap();
    worktree.remove().unwrap();
    let worktree = add(&repository, &path);
    std::fs::remove_dir_all(&path).unwrap();
    std::fs::write(&path, "a file now").unwrap();
    worktree.remove().unwrap();
    assert!(!path.exists());
    let worktree = add(&repository, &path);
    std::fs::remove_dir_all(worktree.admin_dir()).unwrap();
    worktree.remove().unwrap();
    assert!(!made.join(".git/worktrees").exists());
    assert!(Path::new("/etc").exists());
}

#[test]
fn dropping_removes_and_keeping_does_not() {
    let (made, repository) = small();
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("tree");
    drop(add(&repository, &path));
    assert!(!path.exists() && !made.join(".git/worktrees").exists());
    let kept = add(&repository, &path).keep();
    assert!(kept.join("folder/file").exists());
    lock_up(&kept);
    assert_eq!(
        repository.leftover_worktrees(place.path()).unwrap(),
        [kept.as_path()]
    );
    assert!(
        repository
            .leftover_worktrees(&made.join("folder"))
            .unwrap()
            .is_empty()
    );
    remove_leftover(repository.common_dir(), &kept).unwrap();
    assert!(!kept.exists() && !made.join(".git/worktrees").exists());
    remove_leftover(repository.common_dir(), &kept).unwrap();
}

#[test]
fn leftovers_in_every_state() {
    let (made, repository) = small();
    let place = tempfile::tempdir().unwrap();
    let alias = place.path().join("alias");
    std::fs::create_dir(place.path().join("real")).unwrap();
    std::os::unix::fs::symlink("real", &alias).unwrap();
    // Through a link in the path, the folder gone: only the admin files are left.
    let kept = add(&repository, &alias.join("tree")).keep();
    std::fs::remove_dir_all(&kept).unwrap();
    assert_eq!(repository.leftover_worktrees(&alias).unwrap(), [kept]);
    remove_leftover(repository.common_dir(), &alias.join("tree")).unwrap();
    assert!(!made.join(".git/worktrees").exists());
    // The admin files gone: only the folder is left, its `.git` file says whose it is.
    let worktree = add(&repository, &alias.join("tree"));
    let admin = worktree.admin_dir().to_owned();
    let kept = worktree.keep();
    std::fs::remove_dir_all(admin).unwrap();
    remove_leftover(repository.common_dir(), &kept).unwrap();
    assert!(!kept.exists());
    // Half removed, the `.git` file first.
    let kept = add(&repository, &alias.join("tree")).keep();
    std::fs::remove_file(kept.join(".git")).unwrap();
    remove_leftover(repository.common_dir(), &kept).unwrap();
    assert!(!kept.exists() && !made.join(".git/worktrees").exists());
}

#[test]
fn what_is_not_ours_stays() {
    let (made, repository) = small();
    let common = repository.common_dir();
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("mine"), "x").unwrap();
    assert!(remove_leftover(common, place.path()).is_err());
    assert!(remove_leftover(common, made.path()).is_err());
    assert!(made.join("folder/file").exists() && place.path().join("mine").exists());
    // Another repository where a forgotten worktree stood.
    let kept = add(&repository, &place.path().join("tree")).keep();
    std::fs::remove_dir_all(&kept).unwrap();
    made.git(&["init", "--quiet", kept.to_str().unwrap()]);
    assert!(remove_leftover(common, &kept).is_err());
    assert!(kept.join(".git").exists());
    // A worktree of another repository.
    let (_other_made, other) = small();
    let foreign = add(&other, &place.path().join("foreign"));
    assert!(remove_leftover(common, foreign.path()).is_err());
    assert!(foreign.path().join("folder/file").exists());
}

#[test]
fn damaged_admin_folders_stop_nobody() {
    let (made, repository) = small();
    let place = tempfile::tempdir().unwrap();
    // What a run killed at the wrong moment leaves: no `gitdir`, or an empty one, or a lock.
    for (name, file) in [
        ("tree", None),
        ("tree1", Some("gitdir")),
        ("junk", Some("locked")),
    ] {
        let admin = made.join(".git/worktrees").join(name);
        std::fs::create_dir_all(&admin).unwrap();
        if let Some(file) = file {
            std::fs::write(admin.join(file), "").unwrap();
        }
    }
    let path = place.path().join("tree");
    let worktree = add(&repository, &path);
    assert_eq!(std::fs::read(path.join("folder/file")).unwrap(), b"x");
    assert_eq!(
        repository.leftover_worktrees(place.path()).unwrap(),
        [worktree.path()]
    );
    worktree.remove().unwrap();
    assert!(!path.exists());
}

#[test]
fn a_killed_git_worktree_add_is_cleaned_up() {
    let (made, repository) = small();
    let place = tempfile::tempdir().unwrap();
    let kept = add(&repository, &place.path().join("tree")).keep();
    let admin = made.join(".git/worktrees/tree");
    std::fs::write(admin.join("locked"), "initializing").unwrap();
    std::fs::write(admin.join("index.lock"), "").unwrap();
    std::fs::remove_file(kept.join("folder/file")).unwrap();
    remove_leftover(repository.common_dir(), &kept).unwrap();
    assert!(!kept.exists() && !made.join(".git/worktrees").exists());
}
