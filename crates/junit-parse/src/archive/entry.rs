//! One entry: its report, or why it is not trusted.
use crate::{ParseError, ParseErrorKind, Report};

/// One report of an archive.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ArchiveEntry {
    /// Its path in the archive; empty for the report in a plain `.gz`.
    pub path: String,
    /// What was read.
    pub report: Result<Report, EntryError>,
}

/// What kind of error an [`EntryError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryErrorKind {
    /// The path is absolute, leads outside, or holds a backslash or a NUL.
    UnsafePath,
    /// A link, a device or something else that is no file.
    NotAFile,
    /// An archive in the archive.
    NestedArchive,
    /// An earlier entry has the same path.
    DuplicateEntry,
    /// Its sizes, names or checksum contradict one another, or it is cut.
    Corrupt,
    /// It is encrypted, or compressed in a way that is not read.
    Unsupported,
    /// No report could be read from it.
    Report(ParseErrorKind),
}

impl EntryErrorKind {
    /// The word used in machine formats: `unsafe_path`, `not_a_file`, `nested_archive`,
    /// `duplicate_entry`, `corrupt`, `unsupported`, or that of the [`ParseErrorKind`].
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnsafePath => "unsafe_path",
            Self::NotAFile => "not_a_file",
            Self::NestedArchive => "nested_archive",
            Self::DuplicateEntry => "duplicate_entry",
            Self::Corrupt => "corrupt",
            Self::Unsupported => "unsupported",
            Self::Report(kind) => kind.as_str(),
        }
    }
}

/// Why an entry gave no report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EntryError {
    kind: EntryErrorKind,
    message: String,
    offset: u64,
    line: u64,
}

impl EntryError {
    pub(super) fn new(kind: EntryErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            offset: 0,
            line: 1,
        }
    }

    /// What went wrong.
    pub const fn kind(&self) -> EntryErrorKind {
        self.kind
    }

    /// Where in the unpacked entry, in bytes from its start, 0-based.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// In which line of the unpacked entry, 1-based.
    pub const fn line(&self) -> u64 {
        self.line
    }
}

impl From<ParseError> for EntryError {
    fn from(error: ParseError) -> Self {
        Self {
            kind: EntryErrorKind::Report(error.kind()),
            message: error.to_string(),
            offset: error.offset(),
            line: error.line(),
        }
    }
}

/// What to do with an entry, from its path alone.
pub(super) enum Role {
    Report,
    NestedArchive,
    Unsafe(&'static str),
    /// Nothing that a report could be.
    Other,
}

pub(super) fn role_of(path: &str) -> Role {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let in_forks = path.split('/').any(|part| part == "__MACOSX");
    if name.starts_with("._") || in_forks {
        return Role::Other;
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_report = extension.eq_ignore_ascii_case("xml");
    let is_archive = super::ArchiveFormat::of_name(name).is_some();
    if !is_report && !is_archive {
        // A NUL may hide what a path really ends with.
        return if path.contains('\0') && path.to_ascii_lowercase().contains(".xml") {
            Role::Unsafe("holds a NUL")
        } else {
            Role::Other
        };
    }
    if let Some(why) = why_unsafe(path) {
        return Role::Unsafe(why);
    }
    if is_archive {
        Role::NestedArchive
    } else {
        Role::Report
    }
}

fn why_unsafe(path: &str) -> Option<&'static str> {
    let mut characters = path.chars();
    let drive = characters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && characters.next() == Some(':');
    if path.starts_with('/') || drive {
        Some("is absolute")
    } else if path.contains('\\') {
        Some("holds a backslash")
    } else if path.contains('\0') {
        Some("holds a NUL")
    } else if path.split('/').any(|part| part == "..") {
        Some("leads outside")
    } else {
        None
    }
}

/// The path without `.` and empty parts: what two entries must not share.
pub(super) fn plain_path(path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    parts.collect::<Vec<_>>().join("/")
}
