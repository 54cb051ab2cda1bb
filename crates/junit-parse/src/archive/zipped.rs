//! Zip archives, by their central directory; each local header must say the same.
use std::io::{Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use zip::ZipReadOptions;
use zip::read::{Config, ZipFileEntry};
use zip::result::ZipError;
// It keeps entries of one name apart; the usual reader forgets all but one. Pinned, since unstable.
use zip::unstable::read::ZipIterable;

use super::entry::{EntryError, EntryErrorKind};
use super::unpack::{Look, Unpacking};
use super::{ArchiveError, ArchiveErrorKind, Show};

pub(super) fn visit(
    input: impl Read + Seek,
    unpacking: &mut Unpacking<'_>,
    show: Show<'_>,
) -> Result<(), ArchiveError> {
    let mut archive =
        ZipIterable::try_new(input, Config::default()).map_err(|error| broken(&error))?;
    let files = archive.files().map_err(|error| broken(&error))?;
    while let Some(entry) = files.next() {
        let entry = entry.map_err(|error| broken(&error))?;
        let path = match entry.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
        };
        // Permissions may say what kind of thing it is: 0o100000 is a file.
        let kind = entry.unix_mode().map_or(0, |mode| mode & 0o170_000);
        let is_file = entry.is_file() && matches!(kind, 0 | 0o100_000);
        if entry.is_dir() && path.ends_with('/') {
            continue;
        }
        let flow = match unpacking.look(&path, is_file, show)? {
            Look::Done(flow) => flow,
            Look::Read => {
                let bytes = content(entry, files.reader_mut(), unpacking);
                unpacking.check()?;
                unpacking.show(&path, bytes, show)
            }
        };
        if flow == ControlFlow::Break(()) {
            return Ok(());
        }
    }
    Ok(())
}

fn content<R: Read + Seek>(
    entry: ZipFileEntry<'_>,
    reader: &mut R,
    unpacking: &Unpacking<'_>,
) -> Result<Vec<u8>, EntryError> {
    if entry.encrypted() {
        let message = "the entry is encrypted";
        return Err(EntryError::new(EntryErrorKind::Unsupported, message));
    }
    if !local_name_agrees(&entry, reader) {
        let message = "the entry's own header gives another name than the directory";
        return Err(EntryError::new(EntryErrorKind::Corrupt, message));
    }
    let declared = entry.size();
    let file = entry
        .with_reader(reader, ZipReadOptions::default())
        .map_err(|error| {
            let kind = match error {
                ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
                    EntryErrorKind::Unsupported
                }
                _ => EntryErrorKind::Corrupt,
            };
            EntryError::new(kind, format!("the entry cannot be unpacked: {error}"))
        })?;
    unpacking.read(unpacking.counted(file), Some(declared))
}

fn local_name_agrees<R: Read + Seek>(entry: &ZipFileEntry<'_>, reader: &mut R) -> bool {
    let name = entry.name_raw();
    let mut header = [0; 30];
    let read = reader
        .seek(SeekFrom::Start(entry.header_start()))
        .and_then(|_| reader.read_exact(&mut header));
    let [b'P', b'K', 3, 4, .., low, high, _, _] = header else {
        return false;
    };
    let length = usize::from(u16::from_le_bytes([low, high]));
    let mut local = vec![0; length];
    read.is_ok() && reader.read_exact(&mut local).is_ok() && local == name
}

fn broken(error: &ZipError) -> ArchiveError {
    let message = format!("the zip archive cannot be read: {error}");
    ArchiveError::new(ArchiveErrorKind::Corrupt, message)
}
