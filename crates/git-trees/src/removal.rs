//! Removes linked worktrees: folder and admin files, whatever state the tests left them in.

use std::fs;
use std::io;
use std::path::Path;

use crate::registry::{canonical, registered};

/// Removes the worktree at `worktree_path` and its admin files below `common_dir`, without a repository:
/// for a janitor process or a later run. Nothing there is success.
///
/// Read-only files, folders without permissions and a folder that is gone are no obstacle. A folder that
/// is no worktree of this repository is not touched, unless it is empty.
///
/// # Errors
/// `InvalidInput` when the folder is not a worktree of this repository; else what the system said.
pub fn remove_leftover(common_dir: &Path, worktree_path: &Path) -> io::Result<()> {
    let folder = canonical(worktree_path);
    let admin_dirs: Vec<_> = registered(common_dir)?
        .into_iter()
        .filter(|entry| entry.folder == folder)
        .map(|entry| entry.admin_dir)
        .collect();
    let mark = folder.join(".git");
    let marked = mark.symlink_metadata().is_ok();
    // Somebody else's repository may stand where a forgotten worktree once stood.
    let foreign = marked && !points_into(&folder, common_dir);
    if foreign || (admin_dirs.is_empty() && !marked) {
        return match fs::remove_dir(&folder) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(_) => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "`{}` is not a worktree of this repository",
                    folder.display()
                ),
            )),
        };
    }
    // The folder first: as long as the admin files stand, a later run can find what is left.
    remove_folder(&folder)?;
    for admin_dir in admin_dirs {
        remove_admin(&admin_dir)?;
    }
    Ok(())
}

/// Whether the folder's `.git` file names an admin folder of this repository.
fn points_into(folder: &Path, common_dir: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join(".git")) else {
        return false;
    };
    let Some(target) = text.strip_prefix("gitdir: ") else {
        return false;
    };
    let target = canonical(&folder.join(target.trim_end()));
    target.parent() == Some(&canonical(common_dir).join("worktrees"))
}

/// Removes an admin folder, and `worktrees` with the last one, as git does.
pub(crate) fn remove_admin(admin_dir: &Path) -> io::Result<()> {
    remove_folder(admin_dir)?;
    if let Some(parent) = admin_dir.parent() {
        // Other worktrees keep it in place: not being empty is no failure.
        drop(fs::remove_dir(parent));
    }
    Ok(())
}

/// Removes a folder with all it holds; links are removed, not followed. Absent is success.
pub(crate) fn remove_folder(folder: &Path) -> io::Result<()> {
    let meta = match folder.symlink_metadata() {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !meta.is_dir() {
        return fs::remove_file(folder);
    }
    match fs::remove_dir_all(folder) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(_) => open_folders(folder),
    }
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Gives the owner all rights on every folder below; what fails shows when removing.
fn open_folders(top: &Path) {
    let mut waiting = vec![top.to_owned()];
    while let Some(folder) = waiting.pop() {
        make_writable(&folder);
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(entry.path()),
                #[cfg(not(unix))]
                Ok(kind) if kind.is_file() => make_writable(&entry.path()),
                _ => {}
            }
        }
    }
}

#[cfg(unix)]
fn make_writable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    drop(fs::set_permissions(path, fs::Permissions::from_mode(0o700)));
}

#[cfg(not(unix))]
fn make_writable(path: &Path) {
    if let Ok(meta) = fs::metadata(path) {
        let mut permissions = meta.permissions();
        #[expect(
            clippy::permissions_set_readonly_false,
            reason = "only unix has a mode to widen"
        )]
        permissions.set_readonly(false);
        drop(fs::set_permissions(path, permissions));
    }
}
