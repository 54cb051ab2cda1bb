//! What differs between `HEAD` and the work tree.

use gix::bstr::ByteSlice as _;

use crate::path_text::to_text;
use crate::{GitError, GitErrorKind, Repository};

/// Uncommitted work.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct WorkTreeStatus {
    /// Whether anything differs: tracked files, staged or not, or untracked files that are not ignored.
    pub dirty: bool,
    /// Tracked files that differ from `HEAD`, in the index or the work tree, sorted.
    pub changed: Vec<String>,
    /// Untracked files that are not ignored, sorted.
    pub untracked: Vec<String>,
    /// Files with an unresolved merge, sorted; they are among `changed` too.
    pub unmerged: Vec<String>,
}

impl Repository {
    /// What differs between `HEAD` and the work tree. The index is not refreshed on disk.
    ///
    /// # Errors
    /// `NoWorkTree`, `NoGit`, `NotTrusted`, `GitFailed`.
    pub fn work_tree_status(&self) -> Result<WorkTreeStatus, GitError> {
        if self.root().is_none() {
            return Err(no_work_tree(self));
        }
        let output = self
            .git()
            .args(&[
                "--no-optional-locks",
                "status",
                "--porcelain=v1",
                "-z",
                "--no-renames",
            ])
            .args(&[
                "--untracked-files=all",
                "--ignored=no",
                "--ignore-submodules=none",
            ])
            .run("cannot read the work tree's status")?;
        let mut status = WorkTreeStatus::default();
        for record in output.split(|byte| *byte == 0) {
            let Some((marks, name)) = record.split_at_checked(3) else {
                continue;
            };
            let path = to_text(name.as_bstr());
            if marks == b"?? " {
                status.untracked.push(path);
                continue;
            }
            if matches!(marks, b"DD " | b"AA ") || marks.contains(&b'U') {
                status.unmerged.push(path.clone());
            }
            status.changed.push(path);
        }
        status.changed.sort();
        status.untracked.sort();
        status.unmerged.sort();
        status.dirty = !(status.changed.is_empty() && status.untracked.is_empty());
        Ok(status)
    }
}

pub(crate) fn no_work_tree(repository: &Repository) -> GitError {
    GitError::new(
        GitErrorKind::NoWorkTree,
        "the repository is bare, it has no work tree:",
    )
    .with_path(repository.git_dir())
}
