//! Gzip: a tar archive in it, or one report.
use std::io::{BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use super::unpack::Unpacking;
use super::{ArchiveError, ArchiveErrorKind, Show, tape};

pub(super) fn visit(
    input: impl Read,
    unpacking: &mut Unpacking<'_>,
    show: Show<'_>,
) -> Result<(), ArchiveError> {
    let mut decoder = MultiGzDecoder::new(BufReader::new(input));
    let mut head = Vec::new();
    let read = (&mut decoder).take(512).read_to_end(&mut head);
    if let Err(error) = read {
        let message = format!("the gzip file cannot be unpacked: {error}");
        return Err(ArchiveError::new(ArchiveErrorKind::Corrupt, message));
    }
    let is_tar = tape::is_header(&head);
    let whole = Cursor::new(head).chain(decoder);
    if is_tar {
        return tape::visit(whole, unpacking, show);
    }
    let bytes = unpacking.read(unpacking.counted(whole), None);
    unpacking.check()?;
    // Whether to go on is of no matter: nothing follows.
    let _flow = unpacking.show("", bytes, show);
    Ok(())
}
