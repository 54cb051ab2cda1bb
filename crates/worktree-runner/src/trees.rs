//! The two linked worktrees, made and removed through git-trees.

use std::io;
use std::path::{Path, PathBuf};

use git_trees::{CommitId, GitError, GitErrorKind, Repository};

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
                _ if is_too_small(path, repository, commit) => RunErrorKind::DiskFull,
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

/// Names the repository whose commit could not be read.
pub(crate) fn unreadable(repository: &Repository) -> impl FnOnce(GitError) -> RunError {
    |error| {
        let path = repository.common_dir();
        RunError::caused(
            RunErrorKind::Worktree,
            "cannot read a commit of",
            path,
            error,
        )
    }
}

/// Removes a worktree that may be half made or half gone.
pub(crate) fn remove_leftover(common_dir: &Path, path: &Path) -> Result<(), RunError> {
    let removed = match git_trees::remove_leftover(common_dir, path) {
        // Not registered (yet): the caller removes the folder that holds it.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::NotFound
            ) =>
        {
            Ok(())
        }
        other => other,
    };
    match removed.and_then(|()| remove_half_made(common_dir, path)) {
        Ok(()) => Ok(()),
        Err(error) => Err(RunError::caused(
            RunErrorKind::Worktree,
            "cannot remove the worktree",
            path,
            error,
        )),
    }
}

/// A checkout that was killed at its start has admin files that are no worktree to git yet. They bear
/// the name of its folder, which is a digest and so ours alone; what points elsewhere is not touched.
fn remove_half_made(common_dir: &Path, path: &Path) -> io::Result<()> {
    let Some(name) = path.file_name() else {
        return Ok(());
    };
    let admin_dirs = common_dir.join("worktrees");
    let admin_dir = admin_dirs.join(name);
    let back_link = std::fs::read_to_string(admin_dir.join("gitdir")).unwrap_or_default();
    let folder = Path::new(back_link.trim_end()).parent();
    if folder.is_some_and(|folder| folder.file_name() != Some(name)) {
        return Ok(());
    }
    crate::files::remove_all(&admin_dir)?;
    // Other worktrees keep it in place: not being empty is no failure.
    std::fs::remove_dir(&admin_dirs).unwrap_or_default();
    Ok(())
}

/// Free space up to which a failed checkout is measured against the size of its files.
const MEASURED_BYTES: u64 = 2_000_000_000;

/// Whether the file system cannot hold the commit's files. The message of a failed checkout does not
/// say so reliably, and what it wrote is removed again by now.
fn is_too_small(path: &Path, repository: &Repository, commit: &CommitId) -> bool {
    let Some(folder) = path.ancestors().find(|ancestor| ancestor.exists()) else {
        return false;
    };
    let Ok(state) = rustix::fs::statvfs(folder) else {
        return false;
    };
    let free = state.f_bavail.saturating_mul(state.f_frsize);
    let out_of_inodes = state.f_files > 0 && state.f_favail < 16;
    if out_of_inodes || free < 65_536 {
        return true;
    }
    let Ok(files) = repository.files(commit) else {
        return false;
    };
    let block = state.f_frsize.max(1);
    let mut needed = 0_u64;
    for file in files.iter().filter(|file| !file.is_submodule()) {
        if free > MEASURED_BYTES || needed > free {
            break;
        }
        let length = repository
            .read_blob(&file.id)
            .map_or(0, |bytes| bytes.len() as u64);
        needed = needed.saturating_add(length.div_ceil(block).saturating_mul(block));
    }
    needed > free
}
