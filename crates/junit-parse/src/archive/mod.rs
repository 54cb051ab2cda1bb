//! Reports in archives: zip, tar, gzip. Nothing is unpacked to a disk, and no header is trusted.
mod entry;
mod gzip;
mod tape;
mod unpack;
mod zipped;

use std::io::{Read, Seek, SeekFrom};
use std::ops::ControlFlow;

pub use entry::{ArchiveEntry, EntryError, EntryErrorKind};

use crate::Limits;
use unpack::Unpacking;

/// Limits of one archive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveLimits {
    /// Bytes of the archive, and of all that it unpacks to.
    pub max_archive_bytes: u64,
    /// Entries that are looked at, whatever they are.
    pub max_entries: usize,
    /// Limits of each report in it.
    pub report: Limits,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self {
            max_archive_bytes: 100_000_000,
            max_entries: 50_000,
            report: Limits::default(),
        }
    }
}

/// What kind of archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArchiveFormat {
    /// `.zip`.
    Zip,
    /// `.tar`.
    Tar,
    /// `.tar.gz`, `.tgz`, and a single report in a `.gz`.
    Gzip,
}

impl ArchiveFormat {
    /// By the end of a file's name.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let is = |wanted: &str| extension.eq_ignore_ascii_case(wanted);
        if is("zip") {
            Some(Self::Zip)
        } else if is("tar") {
            Some(Self::Tar)
        } else if is("gz") || is("tgz") {
            Some(Self::Gzip)
        } else {
            None
        }
    }

    /// By the first 512 bytes (or all there are).
    pub fn of_head(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
            Some(Self::Zip)
        } else if head.starts_with(&[0x1F, 0x8B]) {
            Some(Self::Gzip)
        } else if head.get(257..262) == Some(b"ustar") {
            Some(Self::Tar)
        } else {
            None
        }
    }
}

/// What kind of error an [`ArchiveError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArchiveErrorKind {
    /// It, or what it unpacks to, is larger than the limit.
    TooLarge,
    /// More entries than the limit.
    TooManyEntries,
    /// It is no archive of the format, is cut, or something in it contradicts itself.
    Corrupt,
    /// It holds no `*.xml`.
    NoReports,
    /// It could not be read.
    Io,
}

impl ArchiveErrorKind {
    /// The word used in machine formats: `too_large`, `too_many_entries`, `corrupt`, `no_reports`,
    /// `io`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::TooManyEntries => "too_many_entries",
            Self::Corrupt => "corrupt",
            Self::NoReports => "no_reports",
            Self::Io => "io",
        }
    }
}

/// Why an archive could not be read to its end. Entries that were shown before stand, but are not
/// all there are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ArchiveError {
    kind: ArchiveErrorKind,
    message: String,
}

impl ArchiveError {
    pub(crate) fn new(kind: ArchiveErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    /// What went wrong.
    pub const fn kind(&self) -> ArchiveErrorKind {
        self.kind
    }
}

/// Shows the reports of an archive to `visitor` in their order, until it breaks or the archive ends.
///
/// A report is an entry called `*.xml`; resource forks (`__MACOSX`, `._*`) are passed over. Each is
/// parsed within [`ArchiveLimits::report`]. An entry that cannot be trusted (its path leads outside,
/// it is a link, it is there twice, its sizes or checksum do not agree, it is an archive itself)
/// is shown with an [`EntryError`], and the next ones follow.
///
/// # Errors
/// When the archive as a whole cannot be read, or not to its end: see [`ArchiveErrorKind`].
pub fn visit_archive<B>(
    mut input: impl Read + Seek,
    format: ArchiveFormat,
    limits: &ArchiveLimits,
    mut visitor: impl FnMut(ArchiveEntry) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, ArchiveError> {
    let length = input.seek(SeekFrom::End(0)).map_err(|error| io(&error))?;
    input.seek(SeekFrom::Start(0)).map_err(|error| io(&error))?;
    if length > limits.max_archive_bytes {
        let limit = limits.max_archive_bytes;
        return Err(ArchiveError::new(
            ArchiveErrorKind::TooLarge,
            format!("the archive is larger than the limit of {limit} bytes"),
        ));
    }
    let mut unpacking = Unpacking::new(limits);
    let mut broken = None;
    let mut show = |entry: ArchiveEntry| match visitor(entry) {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(value) => {
            broken = Some(value);
            ControlFlow::Break(())
        }
    };
    match format {
        ArchiveFormat::Zip => zipped::visit(input, &mut unpacking, &mut show)?,
        ArchiveFormat::Tar => tape::visit(input, &mut unpacking, &mut show)?,
        ArchiveFormat::Gzip => gzip::visit(input, &mut unpacking, &mut show)?,
    }
    if let Some(value) = broken {
        return Ok(ControlFlow::Break(value));
    }
    if unpacking.shown() == 0 {
        return Err(ArchiveError::new(
            ArchiveErrorKind::NoReports,
            "no `*.xml` in the archive",
        ));
    }
    Ok(ControlFlow::Continue(()))
}

fn io(error: &std::io::Error) -> ArchiveError {
    let message = format!("cannot read the archive: {error}");
    ArchiveError::new(ArchiveErrorKind::Io, message)
}

/// A visitor that only says whether to go on.
type Show<'s> = &'s mut dyn FnMut(ArchiveEntry) -> ControlFlow<()>;
