//! How a run or a set-up ended.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};

use crate::channel::Streamed;
use crate::isolation::Isolation;

/// The largest file that is taken for a report: a hole of a terabyte would fill the memory.
const LARGEST_REPORT: u64 = 256 << 20;

/// How a supervised command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Exit {
    /// It returned this code.
    Code(i32),
    /// This signal ended it (also when its supervisor was killed from inside the run).
    Signal(i32),
    /// It ran longer than its timeout and was ended.
    TimedOut,
    /// The runner was asked to stop.
    Cancelled,
    /// It could not start; the text says why.
    NotStarted(String),
}

impl Exit {
    /// Whether it returned 0.
    pub const fn success(&self) -> bool {
        matches!(self, Self::Code(0))
    }
}

/// How one run ended and what it left.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RunOutcome {
    /// How the command ended.
    pub exit: Exit,
    /// From its start to its end.
    pub duration: Duration,
    /// What was really isolated.
    pub isolation: Isolation,
    /// Its output (both streams), with head and tail kept.
    pub log: PathBuf,
    /// Bytes of output that the cap cut out of the log.
    pub log_dropped_bytes: u64,
    /// Whether a process that the command left behind still held its output when it ended; nothing waits
    /// for such a one.
    pub output_held: bool,
    /// Processes that outlived the command and were killed.
    pub survivors_killed: u32,
    /// Paths (relative, sorted, at most 100) that the run changed in its tree; no other run sees it.
    pub restored: Vec<PathBuf>,
    /// What came over the pipe that the request named; `None` where it named none, or the system
    /// could not make one.
    pub streamed: Option<Streamed>,
    pub(crate) control: PathBuf,
}

impl RunOutcome {
    /// What the run wrote into the control folder under this name; `None` when it wrote nothing.
    /// Links, pipes and folders are refused: they are not a report.
    ///
    /// # Errors
    /// When the file is there and is no regular file, is larger than 256 MiB, or cannot be read.
    pub fn read_control(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        read_regular(&self.control, name)
    }
}

/// How the set-up of one side ended.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SetUpOutcome {
    /// How the last command that ran ended; a first failure stops the others.
    pub exit: Exit,
    /// The command that failed, if one did.
    pub failed_command: Option<String>,
    /// The output of all commands.
    pub log: PathBuf,
    /// All commands together.
    pub duration: Duration,
}

fn read_regular(folder: &Path, name: &str) -> io::Result<Option<Vec<u8>>> {
    if !is_plain_relative(Path::new(name)) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("`{name}` is no name inside the control folder"),
        ));
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(folder.join(name), flags, Mode::empty()) {
        Ok(file) => std::fs::File::from(file),
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("`{name}` is no regular file"),
        ));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_REPORT.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_REPORT {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("`{name}` is larger than {LARGEST_REPORT} bytes"),
        ));
    }
    Ok(Some(bytes))
}

/// Whether a path is relative and stays below where it starts.
pub(crate) fn is_plain_relative(path: &Path) -> bool {
    let mut parts = path.components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, std::path::Component::Normal(_)))
}
