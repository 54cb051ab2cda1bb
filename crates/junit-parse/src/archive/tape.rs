//! Tar archives, entry after entry.
use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::rc::Rc;

use super::unpack::{Look, Unpacking};
use super::{ArchiveError, ArchiveErrorKind, Show};

const BLOCK: u64 = 512;

pub(super) fn visit(
    input: impl Read,
    unpacking: &mut Unpacking<'_>,
    show: Show<'_>,
) -> Result<(), ArchiveError> {
    let zeros = Rc::new(Cell::new(0));
    let watched = Watched {
        input: unpacking.counted(input),
        zeros: Rc::clone(&zeros),
    };
    let mut archive = tar::Archive::new(watched);
    let broken = |unpacking: &Unpacking<'_>, error: &io::Error| {
        unpacking.check().err().unwrap_or_else(|| {
            let message = format!("the tar archive cannot be read any further: {error}");
            ArchiveError::new(ArchiveErrorKind::Corrupt, message)
        })
    };
    let entries = archive
        .entries()
        .map_err(|error| broken(unpacking, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| broken(unpacking, &error))?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let kind = entry.header().entry_type();
        if kind.is_dir() {
            continue;
        }
        let is_file = kind.is_file() || kind.is_contiguous();
        let flow = match unpacking.look(&path, is_file, show)? {
            Look::Done(flow) => flow,
            Look::Read => {
                let declared = entry.size();
                let bytes = unpacking.read(entry, Some(declared));
                unpacking.check()?;
                unpacking.show(&path, bytes, show)
            }
        };
        if flow == ControlFlow::Break(()) {
            return Ok(());
        }
    }
    // An archive that was cut between two entries lacks the zeros at its end.
    let is_whole = zeros.get() >= BLOCK;
    let mut rest = archive.into_inner();
    let read = io::copy(&mut rest, &mut io::sink()).map_err(|error| broken(unpacking, &error))?;
    if is_whole && (read == 0 || zeros.get() >= read) {
        return Ok(());
    }
    let message = if is_whole {
        "something stands behind the end of the tar archive"
    } else {
        "the tar archive has no end: it was cut"
    };
    Err(ArchiveError::new(ArchiveErrorKind::Corrupt, message))
}

/// Counts the zero bytes at the end of what was read.
struct Watched<R> {
    input: R,
    zeros: Rc<Cell<u64>>,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(target)?;
        let read = target.get(..count).unwrap_or_default();
        let zeros = read.iter().rev().take_while(|byte| **byte == 0).count();
        let before = if zeros == count { self.zeros.get() } else { 0 };
        let zeros = u64::try_from(zeros).unwrap_or(u64::MAX);
        self.zeros.set(before.saturating_add(zeros));
        Ok(count)
    }
}

/// Whether a block of 512 bytes is the header of a tar archive: its checksum is right.
pub(super) fn is_header(block: &[u8]) -> bool {
    let Some(block) = block.first_chunk::<512>() else {
        return false;
    };
    if block.iter().all(|byte| *byte == 0) {
        return true;
    }
    let (head, rest) = block.split_at(148);
    let (field, tail) = rest.split_at(8);
    let digits = field
        .iter()
        .skip_while(|byte| **byte == b' ')
        .take_while(|byte| byte.is_ascii_digit());
    let mut told = 0_u64;
    for digit in digits {
        told = told * 8 + u64::from(digit - b'0');
    }
    let sum: u64 = head.iter().chain(tail).map(|byte| u64::from(*byte)).sum();
    sum + 8 * u64::from(b' ') == told
}
