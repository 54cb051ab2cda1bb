//! Removing and copying folders that a test may have left in any state.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, IFlags, Mode, OFlags};
use rustix::io::Errno;
use rustix::path::Arg;

/// How often a folder is emptied again that was not empty after all.
const ATTEMPTS: u32 = 100;

/// Bytes of a path from which on it is not followed further; the system's own limit is 4096.
const LONGEST_PATH: usize = 3000;

/// Removes a file or a whole folder, also one whose permissions were taken away, or that is nested deeper
/// than a path can name; links are not followed, and that it is not there is no error.
pub(crate) fn remove_all(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return absent_is_fine(Ok(unlink(CWD, path)?)),
        Err(error) => return absent_is_fine(Err(error)),
    }
    let folder = match open_folder(CWD, path) {
        Ok(folder) => folder,
        Err(error) => return absent_is_fine(Err(error)),
    };
    // Somebody else who empties it may move something up in between.
    for _ in 0..ATTEMPTS {
        empty(&folder)?;
        match fs::remove_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            other => return absent_is_fine(other),
        }
    }
    absent_is_fine(fs::remove_dir(path))
}

fn absent_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Whether somebody else removed it first (a janitor and a later run clear the same leftovers), or put
/// something there that the next look will find.
fn is_overtaken(error: Errno) -> bool {
    matches!(error, Errno::NOENT | Errno::NOTEMPTY)
}

fn unless_overtaken(result: rustix::io::Result<()>) -> rustix::io::Result<()> {
    match result {
        Err(error) if is_overtaken(error) => Ok(()),
        other => other,
    }
}

/// Empties a folder: what is in its subfolders moves up until they are empty, so that neither depth nor
/// the number of open folders has a limit.
fn empty(folder: &OwnedFd) -> io::Result<()> {
    let mut number = 0_u64;
    loop {
        let entries = entries(folder)?;
        if entries.is_empty() {
            return Ok(());
        }
        for (name, is_folder) in entries {
            if !is_folder {
                unlink(folder, &name)?;
                continue;
            }
            let below = match open_folder(folder, &name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                other => other?,
            };
            for (inner, is_folder) in self::entries(&below)? {
                if is_folder {
                    match open_folder(&below, &inner) {
                        Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                        other => drop(other?),
                    }
                    unless_overtaken(move_up(&below, &inner, folder, &mut number))?;
                } else {
                    unlink(&below, &inner)?;
                }
            }
            unless_overtaken(rustix::fs::unlinkat(folder, &name, AtFlags::REMOVEDIR))?;
        }
    }
}

/// Moves a subfolder into `folder` under a name that is free there.
fn move_up(
    below: &OwnedFd,
    inner: &CStr,
    folder: &OwnedFd,
    number: &mut u64,
) -> rustix::io::Result<()> {
    loop {
        *number = number.wrapping_add(1);
        let name = format!("removed-{number}");
        match rustix::fs::renameat(below, inner, folder, name.as_str()) {
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
            other => return other,
        }
    }
}

/// Removes what is no folder, also a file that was made immutable.
fn unlink(parent: impl AsFd, name: impl Arg + Copy) -> rustix::io::Result<()> {
    let remove = || rustix::fs::unlinkat(&parent, name, AtFlags::empty());
    match remove() {
        Err(Errno::NOENT) => Ok(()),
        Err(Errno::PERM) => {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            if let Ok(file) = rustix::fs::openat(&parent, name, flags, Mode::empty()) {
                make_mutable(&file);
            }
            remove()
        }
        other => other,
    }
}

/// Takes away what only root could give; where that is not allowed, the removal says so.
fn make_mutable(file: &OwnedFd) {
    if let Ok(flags) = rustix::fs::ioctl_getflags(file) {
        let flags = flags - (IFlags::IMMUTABLE | IFlags::APPEND);
        rustix::fs::ioctl_setflags(file, flags).unwrap_or_default();
    }
}

/// Opens a folder, giving its owner the rights to list and to change it if a test took them away.
fn open_folder(parent: impl AsFd, name: impl Arg + Copy) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let open = || rustix::fs::openat(&parent, name, flags, Mode::empty());
    let folder = match open() {
        Err(Errno::ACCESS) => {
            rustix::fs::chmodat(&parent, name, Mode::RWXU, AtFlags::empty())?;
            open()?
        }
        other => other?,
    };
    if rustix::fs::ioctl_getflags(&folder)
        .is_ok_and(|flags| flags.intersects(IFlags::IMMUTABLE | IFlags::APPEND))
    {
        make_mutable(&folder);
    }
    if !Mode::from_raw_mode(rustix::fs::fstat(&folder)?.st_mode).contains(Mode::RWXU) {
        rustix::fs::fchmod(&folder, Mode::RWXU)?;
    }
    Ok(folder)
}

/// The names in a folder, and which of them are folders.
fn entries(folder: &OwnedFd) -> io::Result<Vec<(CString, bool)>> {
    let mut names = Vec::new();
    for entry in rustix::fs::Dir::read_from(folder)? {
        let entry = match entry {
            // The folder itself is gone.
            Err(Errno::NOENT) => break,
            other => other?,
        };
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        let is_folder = match entry.file_type() {
            FileType::Unknown => rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
                .is_ok_and(|state| FileType::from_raw_mode(state.st_mode) == FileType::Directory),
            kind => kind == FileType::Directory,
        };
        names.push((name.to_owned(), is_folder));
    }
    Ok(names)
}

/// Removes what is nested so deep that paths to it are near the limit of the system.
pub(crate) fn remove_too_deep(folder: &Path) -> io::Result<()> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in list(&folder)? {
            let path = entry.path();
            if path.as_os_str().len() > LONGEST_PATH {
                remove_all(&folder)?;
                break;
            }
            if entry.file_type()?.is_dir() {
                folders.push(path);
            }
        }
    }
    Ok(())
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

#[cfg(test)]
mod tests;
