//! What an archive may unpack to, and which entries were seen.
use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::rc::Rc;

use super::entry::{ArchiveEntry, EntryError, EntryErrorKind, Role, plain_path, role_of};
use super::{ArchiveError, ArchiveErrorKind, ArchiveLimits, Show};
use crate::{ParseErrorKind, parse};

/// The state of reading one archive.
pub(super) struct Unpacking<'l> {
    limits: &'l ArchiveLimits,
    left: Rc<Cell<u64>>,
    entries: usize,
    shown: usize,
    seen: BTreeSet<String>,
}

/// An entry that is looked at.
pub(super) enum Look {
    /// Its content is to be read.
    Read,
    /// It was shown, or is of no interest; whether to go on.
    Done(ControlFlow<()>),
}

impl<'l> Unpacking<'l> {
    pub(super) fn new(limits: &'l ArchiveLimits) -> Self {
        Self {
            limits,
            left: Rc::new(Cell::new(limits.max_archive_bytes)),
            entries: 0,
            shown: 0,
            seen: BTreeSet::new(),
        }
    }

    pub(super) const fn shown(&self) -> usize {
        self.shown
    }

    /// A reader whose bytes count as unpacked.
    pub(super) fn counted<R: Read>(&self, input: R) -> Counted<R> {
        Counted {
            input,
            left: Rc::clone(&self.left),
        }
    }

    /// Whether more was unpacked than the limit allows.
    pub(super) fn check(&self) -> Result<(), ArchiveError> {
        if self.left.get() > 0 {
            return Ok(());
        }
        let limit = self.limits.max_archive_bytes;
        Err(ArchiveError::new(
            ArchiveErrorKind::TooLarge,
            format!("the archive unpacks to {limit} bytes or more, which is the limit"),
        ))
    }

    /// Looks at an entry's path, and shows it at once if it is not to be read.
    pub(super) fn look(
        &mut self,
        path: &str,
        is_file: bool,
        show: Show<'_>,
    ) -> Result<Look, ArchiveError> {
        self.entries += 1;
        if self.entries > self.limits.max_entries {
            let limit = self.limits.max_entries;
            return Err(ArchiveError::new(
                ArchiveErrorKind::TooManyEntries,
                format!("the archive holds more entries than the limit of {limit}"),
            ));
        }
        let error = match role_of(path) {
            Role::Other => return Ok(Look::Done(ControlFlow::Continue(()))),
            Role::Unsafe(why) => EntryError::new(
                EntryErrorKind::UnsafePath,
                format!("the path {why}: not read"),
            ),
            Role::NestedArchive => EntryError::new(
                EntryErrorKind::NestedArchive,
                "an archive in the archive is not read: unpack it and name it",
            ),
            Role::Report if !is_file => EntryError::new(
                EntryErrorKind::NotAFile,
                "a link or device is not read: only files are",
            ),
            Role::Report if !self.seen.insert(plain_path(path)) => EntryError::new(
                EntryErrorKind::DuplicateEntry,
                "an earlier entry has the same path: which one counts cannot be told",
            ),
            Role::Report => return Ok(Look::Read),
        };
        Ok(Look::Done(self.show(path, Err(error), show)))
    }

    /// Shows an entry.
    pub(super) fn show(
        &mut self,
        path: &str,
        bytes: Result<Vec<u8>, EntryError>,
        show: Show<'_>,
    ) -> ControlFlow<()> {
        self.shown += 1;
        let report = bytes.and_then(|bytes| Ok(parse(&bytes, &self.limits.report)?));
        show(ArchiveEntry {
            path: path.to_owned(),
            report,
        })
    }

    /// Reads an entry's content, whatever its header says about its size.
    pub(super) fn read(
        &self,
        input: impl Read,
        declared: Option<u64>,
    ) -> Result<Vec<u8>, EntryError> {
        let limit = u64::try_from(self.limits.report.max_bytes).unwrap_or(u64::MAX);
        let mut bytes = Vec::new();
        let mut limited = input.take(limit.saturating_add(1));
        limited
            .read_to_end(&mut bytes)
            .map_err(|error| corrupt(&error))?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > limit {
            return Err(EntryError::new(
                EntryErrorKind::Report(ParseErrorKind::TooLarge),
                format!("the entry is larger than the limit of {limit} bytes"),
            ));
        }
        match declared {
            Some(declared) if declared != length => Err(EntryError::new(
                EntryErrorKind::Corrupt,
                format!("the entry declares {declared} bytes and holds {length}"),
            )),
            _ => Ok(bytes),
        }
    }
}

fn corrupt(error: &io::Error) -> EntryError {
    let message = format!("the entry cannot be unpacked: {error}");
    EntryError::new(EntryErrorKind::Corrupt, message)
}

/// Counts what was unpacked, and ends in an error at the limit.
pub(super) struct Counted<R> {
    input: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            return Err(io::Error::other("the limit of unpacked bytes is reached"));
        }
        let most = usize::try_from(left)
            .unwrap_or(usize::MAX)
            .min(target.len());
        let count = self
            .input
            .read(target.get_mut(..most).unwrap_or_default())?;
        self.left
            .set(left.saturating_sub(u64::try_from(count).unwrap_or(u64::MAX)));
        Ok(count)
    }
}
