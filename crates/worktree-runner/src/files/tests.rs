//! Folders in any state can be removed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use super::{remove_all, remove_too_deep};

/// Folders in folders, deeper than a path can name.
const NEST: &str = "import os
for n in range(520):
    os.mkdir('deeper-%d' % (n % 10)); os.chdir('deeper-%d' % (n % 10))
    open('file', 'w').close()";

fn nested() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("nest")).unwrap();
    let made = Command::new("python3")
        .args(["-c", NEST])
        .current_dir(place.path().join("nest"))
        .status();
    assert!(made.unwrap().success());
    place
}

#[test]
fn depth_is_no_obstacle() {
    let place = nested();
    remove_all(&place.path().join("nest")).unwrap();
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn what_is_too_deep_goes_and_the_rest_can_be_read() {
    let place = nested();
    fs::write(place.path().join("beside"), "").unwrap();
    remove_too_deep(place.path()).unwrap();
    let listed = Command::new("find").arg(place.path()).output().unwrap();
    assert!(listed.status.success());
    assert!(place.path().join("beside").exists());
    assert!(place.path().join("nest/deeper-0/deeper-1/file").exists());
}

#[test]
fn names_of_what_moves_up_may_be_taken() {
    let place = tempfile::tempdir().unwrap();
    let top = place.path().join("top");
    fs::create_dir_all(top.join("a/removed-1/removed-2/removed-3")).unwrap();
    fs::create_dir_all(top.join("removed-2/b/c")).unwrap();
    for file in ["removed-1", "removed-3", "removed-2/file", "a/file"] {
        fs::write(top.join(file), "").unwrap();
    }
    remove_all(&top).unwrap();
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn links_are_not_followed_and_absence_is_fine() {
    let place = tempfile::tempdir().unwrap();
    let (kept, top) = (place.path().join("kept"), place.path().join("top"));
    fs::create_dir(&kept).unwrap();
    fs::write(kept.join("file"), "").unwrap();
    fs::create_dir(&top).unwrap();
    std::os::unix::fs::symlink(&kept, top.join("link")).unwrap();
    fs::set_permissions(&top, fs::Permissions::from_mode(0o000)).unwrap();
    remove_all(&top).unwrap();
    remove_all(&top).unwrap();
    std::os::unix::fs::symlink(&kept, &top).unwrap();
    remove_all(&top).unwrap();
    assert!(!top.exists() && kept.join("file").exists());
}

#[test]
fn two_may_remove_the_same_folder_at_once() {
    let place = nested();
    let top = place.path().join("nest");
    for name in 0..200 {
        fs::create_dir_all(top.join(format!("{name}/a/b"))).unwrap();
    }
    std::thread::scope(|scope| {
        let removed = [0, 1, 2].map(|_| scope.spawn(|| remove_all(&top)));
        for one in removed {
            one.join().unwrap().unwrap();
        }
    });
    assert!(!top.exists());
}
