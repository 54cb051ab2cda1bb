//! Which temporary folders are writable under landlock.

use std::path::{Path, PathBuf};

use super::landlock_plan;
use crate::options::{Network, RunPaths};

fn writable(protected: &[&str]) -> Vec<PathBuf> {
    let paths = RunPaths {
        tree: "/r/tree".into(),
        control: "/r/control".into(),
        temp: "/tmp/pv-1/temp".into(),
        home: "/tmp/pv-1/home".into(),
    };
    let protected: Vec<&Path> = protected.iter().map(Path::new).collect();
    landlock_plan(&paths, Network::Off, &protected).writable
}

#[test]
fn a_temporary_folder_that_holds_what_is_protected_is_not_writable() {
    let tmp = |protected: &[&str]| {
        let writable = writable(protected);
        ["/tmp", "/var/tmp"].map(|name| writable.contains(&PathBuf::from(name)))
    };
    assert_eq!(tmp(&["/home/ana/shop", "/tmpfiles"]), [true, true]);
    assert_eq!(tmp(&["/tmp/shop/.git"]), [false, true]);
    assert_eq!(tmp(&["/var/tmp/logs", "/usr"]), [true, false]);
}

#[test]
fn its_own_folders_are_and_disks_are_not() {
    let writable = writable(&["/tmp"]);
    for name in ["/r/tree", "/r/control", "/tmp/pv-1/temp", "/dev/null"] {
        assert!(writable.contains(&PathBuf::from(name)), "{name}");
    }
    assert!(!writable.contains(&PathBuf::from("/dev")));
}
