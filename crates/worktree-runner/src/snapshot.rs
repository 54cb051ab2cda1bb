//! How a tree looked when set-up was done, and how it is brought back to that after a run.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::{RunError, RunErrorKind};
use crate::files;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Entry {
    Folder {
        mode: u32,
        modified: Option<SystemTime>,
    },
    File(FileState),
    Link(PathBuf),
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FileState {
    length: u64,
    mode: u32,
    inode: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// The state of one tree after set-up.
///
/// What changed is seen by size, mode, inode, modification and change time; the change time cannot
/// be set back by a test without the right to set the clock. Contents are kept as copies, smallest
/// files first, up to a limit.
#[derive(Debug)]
pub(crate) struct Snapshot {
    entries: BTreeMap<PathBuf, Entry>,
    keep: PathBuf,
    not_kept: std::collections::BTreeSet<PathBuf>,
}

impl Snapshot {
    /// Records the tree and copies its files to `keep`, up to the limit.
    pub(crate) fn take(tree: &Path, keep: &Path, limit_bytes: u64) -> Result<Self, RunError> {
        let entries =
            walk(tree).map_err(|error| RunError::io("cannot read the tree", tree, error))?;
        files::fresh_folder(keep).map_err(|error| RunError::io("cannot create", keep, error))?;
        let mut by_size: Vec<(u64, &PathBuf)> = entries
            .iter()
            .filter_map(|(path, entry)| match entry {
                Entry::File(state) => Some((state.length, path)),
                Entry::Folder { .. } | Entry::Link(_) | Entry::Other => None,
            })
            .collect();
        by_size.sort_unstable();
        let mut kept_bytes = 0_u64;
        let mut not_kept = std::collections::BTreeSet::new();
        for (length, path) in by_size {
            kept_bytes = kept_bytes.saturating_add(length);
            if kept_bytes > limit_bytes {
                not_kept.insert(path.clone());
            } else {
                files::copy_file(&tree.join(path), &keep.join(path))
                    .map_err(|error| RunError::io("cannot copy", &tree.join(path), error))?;
            }
        }
        Ok(Self {
            entries,
            keep: keep.to_owned(),
            not_kept,
        })
    }

    /// Undoes every difference; returns the paths that differed, sorted.
    pub(crate) fn restore(&mut self, tree: &Path) -> Result<Vec<PathBuf>, RunError> {
        let now = walk(tree).map_err(|error| RunError::io("cannot read the tree", tree, error))?;
        let mut touched = std::collections::BTreeSet::new();
        for (path, entry) in &now {
            let stays = self
                .entries
                .get(path)
                .is_some_and(|before| before.same_kind(entry));
            if !stays {
                touched.insert(path.clone());
                let path = tree.join(path);
                files::remove_all(&path)
                    .map_err(|error| RunError::io("cannot remove", &path, error))?;
            }
        }
        let paths: Vec<PathBuf> = self.entries.keys().cloned().collect();
        for path in paths {
            if self.bring_back(tree, &path, now.get(&path))? {
                touched.insert(path);
            }
        }
        // Writing into a folder changes its time, so folders come last.
        for (path, entry) in self.entries.iter().rev() {
            if let Entry::Folder {
                modified: Some(modified),
                ..
            } = entry
                && touched.iter().any(|changed| changed.parent() == Some(path))
            {
                let folder = tree.join(path);
                fs::File::open(&folder)
                    .and_then(|handle| handle.set_modified(*modified))
                    .map_err(|error| RunError::io("cannot set the time of", &folder, error))?;
            }
        }
        Ok(touched.into_iter().collect())
    }

    /// Makes one recorded path as it was; whether anything had to be done.
    fn bring_back(
        &mut self,
        tree: &Path,
        path: &Path,
        now: Option<&Entry>,
    ) -> Result<bool, RunError> {
        let Some(before) = self.entries.get(path) else {
            return Ok(false);
        };
        let place = tree.join(path);
        let failed = |error| RunError::io("cannot bring back", &place, error);
        match (before, now) {
            (Entry::Folder { mode, .. }, Some(Entry::Folder { mode: current, .. }))
                if mode == current =>
            {
                Ok(false)
            }
            (Entry::Folder { mode, .. }, _) => {
                if !place.is_dir() {
                    fs::create_dir(&place).map_err(failed)?;
                }
                fs::set_permissions(&place, fs::Permissions::from_mode(*mode)).map_err(failed)?;
                Ok(true)
            }
            (Entry::Link(target), Some(Entry::Link(current))) if target == current => Ok(false),
            (Entry::Link(target), _) => {
                files::remove_all(&place).map_err(failed)?;
                symlink(target, &place).map_err(failed)?;
                Ok(true)
            }
            (Entry::File(state), Some(Entry::File(current))) if state == current => Ok(false),
            (Entry::File(_), _) => {
                self.copy_back(&place, path)?;
                Ok(true)
            }
            (Entry::Other, _) => Ok(false),
        }
    }

    fn copy_back(&mut self, place: &Path, path: &Path) -> Result<(), RunError> {
        if self.not_kept.contains(path) {
            return Err(RunError::caused(
                RunErrorKind::NotRestorable,
                "a run changed a file that was too large to keep a copy of:",
                place,
                io::Error::other("over the keep limit"),
            ));
        }
        let failed = |error| RunError::io("cannot bring back", place, error);
        files::remove_all(place).map_err(failed)?;
        files::copy_file(&self.keep.join(path), place).map_err(failed)?;
        let metadata = fs::symlink_metadata(place).map_err(failed)?;
        self.entries
            .insert(path.to_owned(), Entry::File(FileState::of(&metadata)));
        Ok(())
    }
}

impl Entry {
    fn same_kind(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl FileState {
    fn of(metadata: &Metadata) -> Self {
        Self {
            length: metadata.len(),
            mode: metadata.mode() & 0o7777,
            inode: metadata.ino(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// Everything below a folder, by relative path.
fn walk(tree: &Path) -> io::Result<BTreeMap<PathBuf, Entry>> {
    let mut entries = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in files::list(&tree.join(&folder))? {
            let path = folder.join(entry.file_name());
            let metadata = fs::symlink_metadata(entry.path())?;
            let kind = metadata.file_type();
            let recorded = if kind.is_dir() {
                folders.push(path.clone());
                Entry::Folder {
                    mode: metadata.mode() & 0o7777,
                    modified: metadata.modified().ok(),
                }
            } else if kind.is_symlink() {
                Entry::Link(fs::read_link(entry.path())?)
            } else if kind.is_file() {
                Entry::File(FileState::of(&metadata))
            } else {
                Entry::Other
            };
            entries.insert(path, recorded);
        }
    }
    Ok(entries)
}
