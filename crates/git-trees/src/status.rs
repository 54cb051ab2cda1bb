//! What differs between `HEAD` and the work tree.

use gix::bstr::ByteSlice as _;

use crate::path_text::to_text;
use crate::{GitError, GitErrorKind, Repository};

/// Uncommitted work.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct WorkTreeStatus {
    /// Whether anything differs: tracked files, staged or not, or untracked files that are not ignored. What is
    /// untracked inside a submodule does not count.
    pub dirty: bool,
    /// Tracked files that differ from `HEAD`, in the index or the work tree, sorted.
    pub changed: Vec<String>,
    /// Untracked files that are not ignored, sorted.
    pub untracked: Vec<String>,
    /// Files with an unresolved merge, sorted; they are among `changed` too.
    pub unmerged: Vec<String>,
    /// Submodules whose own tracked files are changed, sorted; they are among `changed` too.
    pub changed_submodules: Vec<String>,
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
                "--porcelain=v2",
                "-z",
                "--no-renames",
            ])
            .args(&[
                "--untracked-files=all",
                "--ignored=no",
                "--ignore-submodules=untracked",
            ])
            .run("cannot read the work tree's status")?;
        let mut status = WorkTreeStatus::default();
        for record in output.split(|byte| *byte == 0) {
            // How many fields stand before the name, which may hold blanks itself.
            let fields = match record.first() {
                Some(b'?') => 1,
                Some(b'1') => 8,
                Some(b'u') => 10,
                _ => continue,
            };
            let parts: Vec<&[u8]> = record.splitn(fields + 1, |byte| *byte == b' ').collect();
            let submodule = parts.get(2).copied().unwrap_or_default();
            let Some(name) = parts.get(fields) else {
                continue;
            };
            let path = to_text(name.as_bstr());
            if record.starts_with(b"?") {
                status.untracked.push(path);
                continue;
            }
            if record.starts_with(b"u") {
                status.unmerged.push(path.clone());
            }
            // `S` and then: another commit, changed files, untracked files.
            if matches!(submodule, [b'S', _, b'M', _]) {
                status.changed_submodules.push(path.clone());
            }
            status.changed.push(path);
        }
        status.changed.sort();
        status.untracked.sort();
        status.unmerged.sort();
        status.changed_submodules.sort();
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
