//! Report files: written whole under a temporary name, then renamed.
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` to `path` so that a reader sees the old file or the whole new one.
///
/// A link is followed; what is no file (`/dev/stdout`, a pipe) is written to and never replaced.
///
/// # Errors
/// Any error of the file system; nothing is left under the temporary name.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let place = match place(path)? {
        Place::File(place) => place,
        Place::Device => {
            return fs::OpenOptions::new()
                .write(true)
                .open(path)?
                .write_all(bytes);
        }
    };
    let mut file = tempfile::NamedTempFile::new_in(folder(&place))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&place).map_err(|error| error.error)?;
    Ok(())
}

/// Whether [`write_atomically`] could write to `path` now; leaves nothing behind.
///
/// # Errors
/// What would stand in its way: a folder of that name, no folder above it, no right to write there.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match place(path)? {
        Place::Device => Ok(()),
        Place::File(place) => {
            let folder = folder(&place);
            if !folder.is_dir() {
                let text = format!("there is no folder `{}`", folder.display());
                return Err(io::Error::new(ErrorKind::NotFound, text));
            }
            // The error of the system, without the name of a temporary file.
            tempfile::NamedTempFile::new_in(folder)
                .map(drop)
                .map_err(|error| error.kind().into())
        }
    }
}

enum Place {
    File(PathBuf),
    Device,
}

fn place(path: &Path) -> io::Result<Place> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(found) if found.is_file() => fs::canonicalize(path).map(Place::File),
        Ok(_) => Ok(Place::Device),
        Err(_) => Ok(Place::File(path.to_owned())),
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
