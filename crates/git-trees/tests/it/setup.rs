//! What the tests share: the git programs of the machine, listings of folders.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use git_trees::Repository;
use test_support::{TestRepository, git_command};

/// Every git program of this machine that is not the same version as one before.
pub(crate) fn git_programs() -> Vec<PathBuf> {
    let mut versions = BTreeMap::new();
    for program in ["/usr/local/bin/git", "/usr/bin/git", "git"].map(PathBuf::from) {
        if let Ok(output) = git_command(&program, Path::new("/"))
            .arg("version")
            .output()
        {
            versions.entry(output.stdout).or_insert(program);
        }
    }
    assert!(!versions.is_empty(), "these tests need git");
    versions.into_values().collect()
}

#[track_caller]
pub(crate) fn open(made: &TestRepository) -> Repository {
    Repository::discover(made.path()).unwrap()
}

/// Everything below a folder but its `.git`: name, mode and bytes (a link's target).
pub(crate) fn listing(top: &Path) -> BTreeMap<Vec<u8>, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![top.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path
                .strip_prefix(top)
                .unwrap()
                .as_os_str()
                .as_bytes()
                .to_vec();
            if name == b".git" {
                continue;
            }
            let meta = path.symlink_metadata().unwrap();
            let bytes = if meta.is_symlink() {
                std::fs::read_link(&path)
                    .unwrap()
                    .as_os_str()
                    .as_bytes()
                    .to_vec()
            } else if meta.is_dir() {
                waiting.push(path.clone());
                Vec::new()
            } else {
                std::fs::read(&path).unwrap()
            };
            found.insert(name, (meta.permissions().mode(), bytes));
        }
    }
    found
}
