//! How a tree looked when set-up was done, and how it is brought back to that after a run.

mod entry;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode};

use crate::attributes::Attributes;
use crate::error::{RunError, RunErrorKind};
use crate::files;
use entry::{Entry, Kind, walk};

/// The state of one tree after set-up.
///
/// What changed is seen by size, mode, owner, inode, modification and change time. Contents are kept
/// as copies, smallest files first, up to a limit.
#[derive(Debug)]
pub(crate) struct Snapshot {
    entries: BTreeMap<PathBuf, Entry>,
    attributes: BTreeMap<PathBuf, Attributes>,
    /// Paths of one file, and which of these groups a path belongs to.
    groups: Vec<Vec<PathBuf>>,
    group_of: BTreeMap<PathBuf, usize>,
    keep: PathBuf,
    not_kept: BTreeSet<PathBuf>,
}

impl Snapshot {
    /// Records the tree and copies its files to `keep`, up to the limit.
    pub(crate) fn take(tree: &Path, keep: &Path, limit_bytes: u64) -> Result<Self, RunError> {
        let unreadable = |error| RunError::io("cannot read the tree", tree, error);
        let entries = walk(tree).map_err(unreadable)?;
        let attributes = entries
            .keys()
            .map(|path| Ok((path.clone(), Attributes::of(&tree.join(path))?)))
            .collect::<io::Result<_>>()
            .map_err(unreadable)?;
        files::fresh_folder(keep).map_err(|error| RunError::io("cannot create", keep, error))?;
        let mut by_size: Vec<(u64, &PathBuf)> = entries
            .iter()
            .filter(|(_, entry)| entry.kind == Kind::File)
            .map(|(path, entry)| (entry.stamp.length, path))
            .collect();
        by_size.sort_unstable();
        let mut kept_bytes = 0_u64;
        let mut not_kept = BTreeSet::new();
        for (length, path) in by_size {
            kept_bytes = kept_bytes.saturating_add(length);
            if kept_bytes > limit_bytes {
                not_kept.insert(path.clone());
            } else {
                files::copy_file(&tree.join(path), &keep.join(path))
                    .map_err(|error| RunError::io("cannot copy", &tree.join(path), error))?;
            }
        }
        let groups = groups(&entries);
        let members = groups.iter().enumerate();
        let group_of = members
            .flat_map(|(index, paths)| paths.iter().map(move |path| (path.clone(), index)))
            .collect();
        Ok(Self {
            entries,
            attributes,
            groups,
            group_of,
            keep: keep.to_owned(),
            not_kept,
        })
    }

    /// Undoes every difference; returns the paths that differed, sorted.
    pub(crate) fn restore(&mut self, tree: &Path) -> Result<Vec<PathBuf>, RunError> {
        let now = walk(tree).map_err(|error| RunError::io("cannot read the tree", tree, error))?;
        let mut touched = BTreeSet::new();
        for (path, entry) in &now {
            let before = self.entries.get(path);
            if !before.is_some_and(|before| before.same_kind(entry)) {
                touched.insert(path.clone());
                remove(&tree.join(path))?;
            }
        }
        let (folders, others): (Vec<_>, Vec<_>) = self
            .entries
            .iter()
            .filter(|(path, before)| now.get(*path) != Some(*before))
            .map(|(path, before)| (path.clone(), before.kind.clone()))
            .partition(|(_, kind)| *kind == Kind::Folder);
        for (path, _) in &folders {
            let place = tree.join(path);
            if !now
                .get(path)
                .is_some_and(|entry| entry.kind == Kind::Folder)
            {
                writable(&place, || fs::create_dir(&place))?;
                touched.insert(path.clone());
            }
        }
        let mut to_do: BTreeMap<PathBuf, Kind> = others.into_iter().collect();
        let torn: BTreeSet<usize> = to_do
            .keys()
            .filter_map(|path| self.group_of.get(path).copied())
            .collect();
        for group in torn {
            let paths = self.groups.get(group).into_iter().flatten();
            to_do.extend(paths.map(|path| (path.clone(), Kind::File)));
        }
        let mut made: BTreeMap<usize, PathBuf> = BTreeMap::new();
        for (path, kind) in &to_do {
            self.bring_back(tree, path, kind, &mut made)?;
        }
        touched.extend(to_do.into_keys());
        self.bring_folders_back(tree, &folders, &mut touched)?;
        Ok(touched.into_iter().collect())
    }

    /// Makes anything but a folder as it was.
    fn bring_back(
        &mut self,
        tree: &Path,
        path: &Path,
        kind: &Kind,
        made: &mut BTreeMap<usize, PathBuf>,
    ) -> Result<(), RunError> {
        let place = tree.join(path);
        let unkept = |what: &str, why: &str| {
            let action = format!("a run changed {what}:");
            let why = io::Error::other(why.to_owned());
            RunError::caused(RunErrorKind::NotRestorable, action, &place, why)
        };
        if *kind == Kind::Special {
            return Err(unkept(
                "a socket or device that set-up made",
                "it cannot be made again",
            ));
        }
        if self.not_kept.contains(path) {
            return Err(unkept(
                "a file that was too large to keep a copy of",
                "over the keep limit",
            ));
        }
        remove(&place)?;
        let group = self.group_of.get(path).copied();
        let first = group.and_then(|group| made.get(&group));
        writable(&place, || match kind {
            Kind::Link(target) => symlink(target, &place),
            Kind::Pipe => {
                let owner = Mode::RUSR | Mode::WUSR;
                Ok(rustix::fs::mknodat(CWD, &place, FileType::Fifo, owner, 0)?)
            }
            _ => match first {
                Some(first) => fs::hard_link(tree.join(first), &place),
                None => files::copy_file(&self.keep.join(path), &place),
            },
        })?;
        let failed = |error| RunError::io("cannot bring back", &place, error);
        if let Some(attributes) = self.attributes.get(path) {
            attributes.apply(&place).map_err(failed)?;
        }
        self.stamp_again(tree, path).map_err(failed)?;
        if let Some(group) = group {
            made.entry(group).or_insert_with(|| path.to_owned());
            // A further link changes the change time of those before.
            for other in self.groups.get(group).cloned().unwrap_or_default() {
                if tree.join(&other).exists() {
                    self.stamp_again(tree, &other).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    /// Writing into a folder changes its time, so folders come last, the deepest first.
    fn bring_folders_back(
        &mut self,
        tree: &Path,
        changed: &[(PathBuf, Kind)],
        touched: &mut BTreeSet<PathBuf>,
    ) -> Result<(), RunError> {
        let parents = touched.iter().filter_map(|path| path.parent());
        let known = |path: &&Path| self.entries.contains_key(*path);
        let mut folders: BTreeSet<PathBuf> = parents.filter(known).map(Path::to_owned).collect();
        folders.extend(changed.iter().map(|(path, _)| path.clone()));
        for path in folders.iter().rev() {
            let Some(before) = self.attributes.get(path) else {
                continue;
            };
            let place = tree.join(path);
            let failed = |error| RunError::io("cannot bring back", &place, error);
            let now = Attributes::of(&place).map_err(failed)?;
            if now != *before {
                let only_time = Attributes {
                    modified: before.modified,
                    ..now
                } == *before;
                let inside = touched.iter().any(|one| one.parent() == Some(path));
                before.apply(&place).map_err(failed)?;
                if !(only_time && inside) {
                    touched.insert(path.clone());
                }
            }
            self.stamp_again(tree, path).map_err(failed)?;
        }
        Ok(())
    }

    fn stamp_again(&mut self, tree: &Path, path: &Path) -> io::Result<()> {
        let place = tree.join(path);
        let entry = Entry::of(&place, &fs::symlink_metadata(&place)?)?;
        self.entries.insert(path.to_owned(), entry);
        Ok(())
    }
}

/// The files that have several paths in the tree.
fn groups(entries: &BTreeMap<PathBuf, Entry>) -> Vec<Vec<PathBuf>> {
    let mut by_inode: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
    for (path, entry) in entries {
        if entry.kind == Kind::File {
            by_inode
                .entry(entry.stamp.inode)
                .or_default()
                .push(path.clone());
        }
    }
    by_inode
        .into_values()
        .filter(|paths| paths.len() > 1)
        .collect()
}

fn remove(place: &Path) -> Result<(), RunError> {
    writable(place, || files::remove_all(place))
}

/// Does something to a path whose folder a test, or set-up itself, may have made read-only. The
/// folder gets its own mode back at the end of the restoring.
fn writable(place: &Path, act: impl Fn() -> io::Result<()>) -> Result<(), RunError> {
    let result = match (act(), place.parent()) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::PermissionDenied => {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).and_then(|()| act())
        }
        (result, _) => result,
    };
    result.map_err(|error| RunError::io("cannot bring back", place, error))
}
