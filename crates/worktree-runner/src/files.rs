//! Removing and copying folders that a test may have left in any state.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Removes a file or a whole folder, also one whose permissions were taken away; links are not
/// followed, and that it is not there is no error.
pub(crate) fn remove_all(path: &Path) -> io::Result<()> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let removed = if metadata.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && metadata.is_dir() => {
            open_up(path);
            fs::remove_dir_all(path)
        }
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => fs::remove_dir_all(path),
        other => other,
    }
}

/// Gives the owner all rights on a folder and the folders in it.
fn open_up(folder: &Path) {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap_or_default();
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

/// Lists a folder, giving its owner the rights to do so if a test took them away.
pub(crate) fn list(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
            fs::read_dir(folder)?
        }
        other => other?,
    };
    entries.collect()
}

/// An empty folder of this mode, whatever stood there before.
pub(crate) fn fresh_folder(path: &Path) -> io::Result<()> {
    remove_all(path)?;
    fs::create_dir(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

/// Copies one regular file with its mode and modification time; shares its blocks where it can.
pub(crate) fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let source = fs::File::open(from)?;
    let metadata = source.metadata()?;
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    let target = fs::File::create(to)?;
    if rustix::fs::ioctl_ficlone(&target, &source).is_err() {
        io::copy(&mut &source, &mut &target)?;
    }
    target.set_permissions(metadata.permissions())?;
    target.set_modified(metadata.modified()?)
}
