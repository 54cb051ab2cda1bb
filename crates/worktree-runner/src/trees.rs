//! The two linked worktrees, made and removed through git-trees.

use std::io;
use std::path::{Path, PathBuf};

use git_trees::{CommitId, GitErrorKind, Repository};

use crate::error::{RunError, RunErrorKind};

/// One side's checkout. Its removal is the record's business, not this value's.
#[derive(Debug)]
pub(crate) struct Checkout {
    pub(crate) path: PathBuf,
}

pub(crate) fn add(
    repository: &Repository,
    commit: &CommitId,
    path: &Path,
) -> Result<Checkout, RunError> {
    match repository.add_worktree(commit, path) {
        Ok(worktree) => Ok(Checkout {
            path: worktree.keep(),
        }),
        Err(error) => {
            let kind = match error.kind() {
                GitErrorKind::Exists => RunErrorKind::PathExists,
                _ if is_full(path) => RunErrorKind::DiskFull,
                _ => RunErrorKind::Worktree,
            };
            Err(RunError::caused(
                kind,
                "cannot check out a worktree at",
                path,
                error,
            ))
        }
    }
}

/// Removes a worktree that may be half made or half gone.
pub(crate) fn remove_leftover(common_dir: &Path, path: &Path) -> Result<(), RunError> {
    match git_trees::remove_leftover(common_dir, path) {
        Ok(()) => Ok(()),
        // Not registered (yet): the caller removes the folder that holds it.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::NotFound
            ) =>
        {
            Ok(())
        }
        Err(error) => Err(RunError::caused(
            RunErrorKind::Worktree,
            "cannot remove the worktree",
            path,
            error,
        )),
    }
}

/// Whether the file system has practically nothing left (git's own messages are translated).
fn is_full(path: &Path) -> bool {
    let parent = path.ancestors().find(|ancestor| ancestor.exists());
    parent.is_some_and(|folder| {
        rustix::fs::statvfs(folder).is_ok_and(|state| {
            state.f_bavail.saturating_mul(state.f_frsize) < 65_536
                || state.f_files > 0 && state.f_favail == 0
        })
    })
}
