//! One path of a tree, and all of them.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::files;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    Link(PathBuf),
    Pipe,
    /// A socket or a device.
    Special,
}

/// What changes with any change. The change time cannot be set back by a test without the right to
/// set the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) length: u64,
    pub(super) inode: u64,
    mode: u32,
    owner: (u32, u32),
    modified: (i64, i64),
    changed: (i64, i64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) stamp: Stamp,
}

impl Entry {
    pub(super) fn of(path: &Path, metadata: &Metadata) -> io::Result<Self> {
        let kind = metadata.file_type();
        Ok(Self {
            kind: if kind.is_dir() {
                Kind::Folder
            } else if kind.is_symlink() {
                Kind::Link(fs::read_link(path)?)
            } else if kind.is_file() {
                Kind::File
            } else if kind.is_fifo() {
                Kind::Pipe
            } else {
                Kind::Special
            },
            stamp: Stamp {
                length: metadata.len(),
                inode: metadata.ino(),
                mode: metadata.mode(),
                owner: (metadata.uid(), metadata.gid()),
                modified: (metadata.mtime(), metadata.mtime_nsec()),
                changed: (metadata.ctime(), metadata.ctime_nsec()),
            },
        })
    }

    pub(super) fn same_kind(&self, other: &Self) -> bool {
        std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind)
    }
}

/// A tree and everything below it, by relative path; the tree itself is the empty path.
pub(super) fn walk(tree: &Path) -> io::Result<BTreeMap<PathBuf, Entry>> {
    let mut entries = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    entries.insert(
        PathBuf::new(),
        Entry::of(tree, &fs::symlink_metadata(tree)?)?,
    );
    while let Some(folder) = folders.pop() {
        for entry in files::list(&tree.join(&folder))? {
            let path = folder.join(entry.file_name());
            let found = Entry::of(&entry.path(), &entry.metadata()?)?;
            if found.kind == Kind::Folder {
                folders.push(path.clone());
            }
            entries.insert(path, found);
        }
    }
    Ok(entries)
}
