//! Report files: written whole under a temporary name, then renamed.
use std::io::{self, Write};
use std::path::Path;

/// Writes `bytes` to `path` so that a reader sees the old file or the whole new one.
///
/// # Errors
/// Any error of the file system; nothing is left under the temporary name.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
