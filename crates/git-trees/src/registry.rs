//! The admin folders of linked worktrees: which folder each one stands for.

use std::io;
use std::path::{Path, PathBuf};

use crate::{GitError, Repository};

/// One folder `worktrees/NAME` of the common git folder.
pub(crate) struct Registered {
    pub(crate) admin_dir: PathBuf,
    /// The worktree's folder, which may be gone.
    pub(crate) folder: PathBuf,
}

impl Repository {
    /// The folders of registered worktrees below `under`, sorted, whether they still exist or not: what an
    /// interrupted run left behind.
    ///
    /// # Errors
    /// `Io`.
    pub fn leftover_worktrees(&self, under: &Path) -> Result<Vec<PathBuf>, GitError> {
        let under = followed(under);
        let mut found: Vec<PathBuf> = registered(self.common_dir())
            .map_err(|error| {
                GitError::io("cannot list the worktrees of", self.common_dir(), &error)
            })?
            .into_iter()
            .map(|entry| entry.folder)
            .filter(|folder| folder.starts_with(&under))
            .collect();
        found.sort();
        Ok(found)
    }
}

/// All registered worktrees; entries that name no folder are left out.
pub(crate) fn registered(common_dir: &Path) -> io::Result<Vec<Registered>> {
    let entries = match std::fs::read_dir(common_dir.join("worktrees")) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let admin_dir = entry?.path();
        if let Some(folder) = folder_of(&admin_dir) {
            found.push(Registered { admin_dir, folder });
        }
    }
    Ok(found)
}

/// The folder that an admin folder's `gitdir` file names.
fn folder_of(admin_dir: &Path) -> Option<PathBuf> {
    let link = path_from(std::fs::read(admin_dir.join("gitdir")).ok()?)?;
    // `worktree.useRelativePaths` writes it relative to the admin folder.
    let folder = admin_dir.join(link).parent()?.to_owned();
    Some(canonical(&folder))
}

#[cfg(unix)]
fn path_from(mut bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    while bytes.last().is_some_and(u8::is_ascii_whitespace) {
        bytes.pop();
    }
    (!bytes.is_empty()).then(|| std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_from(bytes: Vec<u8>) -> Option<PathBuf> {
    let text = String::from_utf8(bytes).ok()?;
    let text = text.trim_end();
    (!text.is_empty()).then(|| PathBuf::from(text))
}

/// The path with its links resolved as far up as it exists; the last part is not followed when it is a link.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let is_link = absolute
        .symlink_metadata()
        .is_ok_and(|meta| meta.is_symlink());
    match (absolute.parent(), absolute.file_name()) {
        (Some(parent), Some(name)) if is_link => followed(parent).join(name),
        _ => followed(&absolute),
    }
}

fn followed(path: &Path) -> PathBuf {
    match (std::fs::canonicalize(path), path.parent(), path.file_name()) {
        (Ok(found), _, _) => found,
        (Err(_), Some(parent), Some(name)) => followed(parent).join(name),
        _ => path.to_owned(),
    }
}
