//! Why a run could not be made, with the next step for a person.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What kind of trouble stopped the runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RunErrorKind {
    /// No space is left on a file system the runner writes to.
    DiskFull,
    /// A path the runner wanted to create is already there.
    PathExists,
    /// The runner was asked to stop.
    Cancelled,
    /// A worktree could not be made or removed.
    Worktree,
    /// A tree could not be brought back to how set-up left it.
    NotRestorable,
    /// A segment of the schedule is not on disk.
    SegmentMissing,
    /// Another process works on the same contract in the same folder.
    InUse,
    /// The request itself cannot be carried out (a path outside the tree, an empty command).
    InvalidRequest,
    /// Any other trouble of the file system or with processes.
    Io,
}

/// Trouble of the surroundings: no verdict about the tests can be drawn from it.
#[derive(Debug)]
pub struct RunError {
    kind: RunErrorKind,
    action: String,
    path: Option<PathBuf>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl RunError {
    pub(crate) fn new(kind: RunErrorKind, action: impl Into<String>) -> Self {
        Self {
            kind,
            action: action.into(),
            path: None,
            source: None,
        }
    }

    pub(crate) fn cancelled() -> Self {
        Self::new(RunErrorKind::Cancelled, "cancelled")
    }

    /// An input or output error at a path; a full disk and a path that exists have kinds of their own.
    pub(crate) fn io(action: &str, path: &Path, error: io::Error) -> Self {
        Self {
            kind: kind_of(&error),
            action: action.to_owned(),
            path: Some(path.to_owned()),
            source: Some(Box::new(error)),
        }
    }

    pub(crate) fn caused(
        kind: RunErrorKind,
        action: impl Into<String>,
        path: &Path,
        error: impl Error + Send + Sync + 'static,
    ) -> Self {
        let kind = if storage_is_full(&error) {
            RunErrorKind::DiskFull
        } else {
            kind
        };
        Self {
            kind,
            action: action.into(),
            path: Some(path.to_owned()),
            source: Some(Box::new(error)),
        }
    }

    /// What kind of trouble it was.
    pub const fn kind(&self) -> RunErrorKind {
        self.kind
    }

    /// The path it happened at, where there is one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether a path was longer than the system takes.
    pub(crate) fn is_too_long_a_path(&self) -> bool {
        let source = self.source.as_deref();
        let io = source.and_then(|error| error.downcast_ref::<io::Error>());
        io.is_some_and(|error| error.kind() == io::ErrorKind::InvalidFilename)
    }

    /// The next step for a person.
    pub const fn hint(&self) -> &'static str {
        match self.kind {
            RunErrorKind::DiskFull => {
                "free some space there, or put the work folder on another disk"
            }
            RunErrorKind::PathExists => "remove what stands there, or choose another work folder",
            RunErrorKind::Cancelled => "nothing was left behind; start again when ready",
            RunErrorKind::Worktree => {
                "look at `git worktree list` and `git fsck`; `git worktree prune` removes stale entries"
            }
            RunErrorKind::NotRestorable => {
                "a test changes large files that set-up made; raise the keep limit or let the test work on a copy"
            }
            RunErrorKind::SegmentMissing => "run the contract again: a missing run is never a pass",
            RunErrorKind::InUse => "wait for it to end, or choose another folder",
            RunErrorKind::InvalidRequest => "correct the command or the path",
            RunErrorKind::Io => "check permissions and that the disk is healthy",
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.kind, &self.path) {
            (RunErrorKind::DiskFull, Some(path)) => {
                write!(
                    formatter,
                    "no space left: {} `{}`",
                    self.action,
                    path.display()
                )
            }
            (_, Some(path)) => write!(formatter, "{} `{}`", self.action, path.display()),
            (RunErrorKind::DiskFull, None) => write!(formatter, "no space left: {}", self.action),
            (_, None) => formatter.write_str(&self.action),
        }
    }
}

impl Error for RunError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.source {
            Some(error) => Some(error.as_ref()),
            None => None,
        }
    }
}

fn kind_of(error: &io::Error) -> RunErrorKind {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => RunErrorKind::DiskFull,
        io::ErrorKind::AlreadyExists => RunErrorKind::PathExists,
        _ => RunErrorKind::Io,
    }
}

fn storage_is_full(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(current) = next {
        if let Some(io) = current.downcast_ref::<io::Error>()
            && kind_of(io) == RunErrorKind::DiskFull
        {
            return true;
        }
        if current.to_string().contains("No space left on device") {
            return true;
        }
        next = current.source();
    }
    false
}

#[cfg(test)]
mod tests;
