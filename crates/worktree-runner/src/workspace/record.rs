//! What one workspace put on disk, and how all of it is removed again.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};

use crate::error::{RunError, RunErrorKind};
use crate::files;
use crate::supervisor::{cgroup, processes};

pub(crate) const RECORD: &str = "record.json";
const LOCK: &str = "lock";

/// Where everything of one workspace stands.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The folder of this workspace inside the state folder.
    pub(crate) work: PathBuf,
    /// The short folder that holds the paths all runs see.
    pub(crate) base: PathBuf,
    /// The git folder the worktrees are registered in.
    pub(crate) common_dir: PathBuf,
    /// The worktrees.
    pub(crate) worktrees: Vec<PathBuf>,
    /// The control group of its runs, where one can be had.
    #[serde(default)]
    pub(crate) cgroup: Option<PathBuf>,
}

impl Record {
    /// Writes it, before anything it names exists.
    pub(crate) fn write(&self) -> Result<(), RunError> {
        let path = self.work.join(RECORD);
        let bytes = serde_json::to_vec(self)
            .map_err(|error| RunError::caused(RunErrorKind::Io, "cannot write", &path, error))?;
        fs::write(&path, bytes).map_err(|error| RunError::io("cannot write", &path, error))
    }

    /// Ends what still runs and removes everything; goes on after a failure and returns the first.
    pub(crate) fn clear(&self) -> Result<(), RunError> {
        self.end_checkouts();
        self.end_processes();
        let mut first = self.cgroup.as_ref().map_or(Ok(()), |group| {
            cgroup::remove(group)
                .map_err(|error| RunError::io("cannot remove the control group", group, error))
        });
        for worktree in &self.worktrees {
            // The folder first, whatever state tests left it in; then what git knows of it.
            let removed = files::remove_all(worktree)
                .map_err(|error| RunError::io("cannot remove", worktree, error))
                .and_then(|()| crate::trees::remove_leftover(&self.common_dir, worktree));
            first = first.and(removed);
        }
        for folder in [&self.base, &self.work] {
            let removed = files::remove_all(folder)
                .map_err(|error| RunError::io("cannot remove", folder, error));
            first = first.and(removed);
        }
        first
    }

    /// Kills every process whose environment names our base folder.
    pub(crate) fn end_processes(&self) -> u32 {
        let mark = format!("{}/", self.base.display());
        processes::kill_until_none(|| processes::with_environment(&mark), || {})
    }

    /// Ends a `git` that outlives the driver which started it and still writes our worktrees.
    fn end_checkouts(&self) {
        let mark = self.work.display().to_string();
        processes::kill_until_none(|| processes::of_program("git", &mark), || {});
    }
}

/// Holds a workspace folder as in use until dropped (or until the process dies).
#[derive(Debug)]
pub(crate) struct Lock(#[expect(dead_code, reason = "held for its lock")] File);

/// Marks the folder as in use.
pub(crate) fn lock(work: &Path) -> io::Result<Lock> {
    let file = File::create(work.join(LOCK))?;
    rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    Ok(Lock(file))
}

/// The folder name of a new workspace: it tells which process it belongs to.
pub(crate) fn new_name(counter: u32) -> String {
    let process = std::process::id();
    let started = processes::start_time(process).unwrap_or(0);
    format!("{process}-{started}-{counter}")
}

/// Whether the process that made this workspace is gone for certain: it is not the process of that
/// id and start, and nobody holds the lock (a process of another container has ids of its own).
pub(crate) fn is_dead(work: &Path) -> bool {
    let Some(name) = work.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let mut parts = name.split('-').map(str::parse::<u64>);
    let (Some(Ok(process)), Some(Ok(started)), Some(Ok(_)), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    if u32::try_from(process).ok().and_then(processes::start_time) == Some(started) {
        return false;
    }
    match File::open(work.join(LOCK)) {
        Ok(file) => rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok(),
        Err(_) => true,
    }
}

/// The record of a dead workspace; what a half-made one lacks is filled in from its name.
pub(crate) fn read(work: &Path, common_dir: &Path) -> Record {
    fs::read(work.join(RECORD))
        .ok()
        .and_then(|bytes| serde_json::from_slice::<Record>(&bytes).ok())
        .filter(|record| record.work == work)
        .unwrap_or_else(|| Record {
            work: work.to_owned(),
            base: work.join("base"),
            common_dir: common_dir.to_owned(),
            worktrees: Vec::new(),
            cgroup: None,
        })
}
