//! Which files differ between two commits.

use gix::bstr::ByteSlice as _;
use gix::diff::tree_with_rewrites::Change as GixChange;
use gix::object::tree::EntryMode;

use crate::path_text::to_text;
use crate::{CommitId, GitError, GitErrorKind, Repository};

/// How a file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// Only in the second commit.
    Added,
    /// Only in the first commit.
    Deleted,
    /// Other content or another executable bit.
    Modified,
    /// Under another path with the same or similar content (git's 50 %).
    Renamed,
    /// A file became a symbolic link or a submodule, or the other way round.
    TypeChanged,
}

/// One file that differs between two commits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Change {
    /// The path in the second commit (in the first for a deletion).
    pub path: String,
    /// The path in the first commit, for a rename.
    pub previous_path: Option<String>,
    /// How it changed.
    pub kind: ChangeKind,
}

impl Repository {
    /// The files, symbolic links and submodules that differ from `a` to `b`, sorted by path. Renames are those
    /// that `git diff -M50%` finds, whatever the user's `diff.renames` says; copies count as additions.
    ///
    /// Where no `git` program is there, gitoxide pairs the renames: among several similar files it may take
    /// another one than git.
    ///
    /// # Errors
    /// `Shallow` or `Corrupt` when an object is not there, `GitFailed`.
    pub fn diff(&self, a: &CommitId, b: &CommitId) -> Result<Vec<Change>, GitError> {
        let mut changes = self.diff_by_gix(a, b, None)?;
        let has = |kind: ChangeKind| changes.iter().any(|change| change.kind == kind);
        if has(ChangeKind::Added) && has(ChangeKind::Deleted) {
            changes = match self.diff_by_git(a, b) {
                Err(error) if error.kind() == GitErrorKind::NoGit => {
                    self.diff_by_gix(a, b, Some(gix::diff::Rewrites::default()))?
                }
                other => other?,
            };
        }
        changes.sort();
        Ok(changes)
    }

    fn diff_by_gix(
        &self,
        a: &CommitId,
        b: &CommitId,
        renames: Option<gix::diff::Rewrites>,
    ) -> Result<Vec<Change>, GitError> {
        let local = self.local();
        self.fetch_trees(&local, a)?;
        self.fetch_trees(&local, b)?;
        let tree = |id: &CommitId| {
            self.commit(&local, id)?
                .tree()
                .map_err(|error| GitError::reading("cannot read the commit's tree", &error))
        };
        let (before, after) = (tree(a)?, tree(b)?);
        let options = gix::diff::Options::default().with_rewrites(renames);
        let changes = local
            .diff_tree_to_tree(Some(&before), Some(&after), Some(options))
            .map_err(|error| GitError::reading(format!("cannot compare {a} with {b}"), &error))?;
        Ok(changes.into_iter().filter_map(convert).collect())
    }

    fn diff_by_git(&self, a: &CommitId, b: &CommitId) -> Result<Vec<Change>, GitError> {
        let output = self
            .git()
            .args(&[
                "diff-tree",
                "-r",
                "-z",
                "-M50%",
                "-l1000",
                "--name-status",
                "--no-ext-diff",
                "--ignore-submodules=none",
            ])
            .args(&[a.as_str(), b.as_str(), "--"])
            .run("cannot compare the commits")?;
        let mut fields = output
            .split(|byte| *byte == 0)
            .filter(|field| !field.is_empty());
        let mut changes = Vec::new();
        while let Some(letter) = fields.next() {
            let Some(name) = fields.next() else { break };
            let first = to_text(name.as_bstr());
            let (path, previous_path, kind) = match letter.first() {
                Some(b'A') => (first, None, ChangeKind::Added),
                Some(b'D') => (first, None, ChangeKind::Deleted),
                Some(b'T') => (first, None, ChangeKind::TypeChanged),
                Some(b'R') => {
                    let Some(new) = fields.next() else { break };
                    (to_text(new.as_bstr()), Some(first), ChangeKind::Renamed)
                }
                _ => (first, None, ChangeKind::Modified),
            };
            changes.push(Change {
                path,
                previous_path,
                kind,
            });
        }
        Ok(changes)
    }
}

fn convert(change: GixChange) -> Option<Change> {
    // A mode that is a tree's marks a folder: its files are listed on their own.
    let (location, previous, mode, kind) = match change {
        GixChange::Addition {
            location,
            entry_mode,
            ..
        }
        | GixChange::Rewrite {
            location,
            entry_mode,
            copy: true,
            ..
        } => (location, None, entry_mode, ChangeKind::Added),
        GixChange::Deletion {
            location,
            entry_mode,
            ..
        } => (location, None, entry_mode, ChangeKind::Deleted),
        GixChange::Modification {
            location,
            previous_entry_mode,
            entry_mode,
            ..
        } => {
            let same = class(previous_entry_mode) == class(entry_mode);
            let kind = if same {
                ChangeKind::Modified
            } else {
                ChangeKind::TypeChanged
            };
            (location, None, entry_mode, kind)
        }
        GixChange::Rewrite {
            location,
            source_location,
            entry_mode,
            ..
        } => (
            location,
            Some(source_location),
            entry_mode,
            ChangeKind::Renamed,
        ),
    };
    (!mode.is_tree()).then(|| Change {
        path: to_text(location.as_ref()),
        previous_path: previous.map(|name| to_text(name.as_ref())),
        kind,
    })
}

/// File, symbolic link or submodule: the type without the permissions.
fn class(mode: EntryMode) -> u16 {
    mode.value() & 0o170_000
}
