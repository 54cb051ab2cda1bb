//! Each run's rows on disk before the next run starts, and the two files put together from them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use differential_gate::Side;

use crate::error::{RunError, RunErrorKind};

/// The segments of one contract: `segments/<side>-<index>.jsonl` below its evidence folder, one for
/// each run, where `index` is the place of the seed in the schedule, from 0.
///
/// ```
/// use differential_gate::Side;
/// use worktree_runner::Segments;
/// # let folder = tempfile::tempdir()?;
/// # let out = folder.path();
/// let segments = Segments::create(out, 1)?;
/// segments.write(Side::Parent, 0, b"{\"prop\":\"a\"}\n")?;
/// assert!(segments.assemble().is_err(), "the patch has not run yet");
/// segments.write(Side::Patch, 0, b"{\"prop\":\"a\"}\n")?;
/// segments.assemble()?;
/// assert_eq!(std::fs::read(out.join("patch.jsonl"))?, b"{\"prop\":\"a\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Segments {
    out: PathBuf,
    runs_per_side: usize,
}

impl Segments {
    /// Makes the folder for a schedule of this many seeds. Segments that are there already stay: they
    /// resume the same contract.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn create(out: &Path, runs_per_side: usize) -> Result<Self, RunError> {
        let segments = Self {
            out: out.to_owned(),
            runs_per_side,
        };
        let folder = segments.folder();
        fs::create_dir_all(&folder)
            .map_err(|error| RunError::io("cannot create", &folder, error))?;
        Ok(segments)
    }

    /// Puts the rows of one run on disk, whole or not at all; returns where. They are lines that end
    /// with LF; a run without rows has an empty segment.
    ///
    /// # Errors
    /// `InvalidRequest` for an index outside the schedule or a last line without LF, `PathExists` when
    /// that run has its segment already, `DiskFull`, `Io`.
    pub fn write(&self, side: Side, index: usize, rows: &[u8]) -> Result<PathBuf, RunError> {
        if index >= self.runs_per_side {
            return Err(RunError::new(
                RunErrorKind::InvalidRequest,
                format!(
                    "run {index} is outside a schedule of {}",
                    self.runs_per_side
                ),
            ));
        }
        if rows.last().is_some_and(|byte| *byte != b'\n') {
            return Err(RunError::new(
                RunErrorKind::InvalidRequest,
                "the last row does not end with a line feed",
            ));
        }
        let path = self.path(side, index);
        if path.exists() {
            return Err(RunError::caused(
                RunErrorKind::PathExists,
                "the run was recorded before:",
                &path,
                io::Error::from(io::ErrorKind::AlreadyExists),
            ));
        }
        durably(&path, |file| file.write_all(rows))?;
        Ok(path)
    }

    /// Whether the run has its segment.
    pub fn has(&self, side: Side, index: usize) -> bool {
        self.path(side, index).is_file()
    }

    /// Writes `parent.jsonl` and `patch.jsonl` in schedule order.
    ///
    /// # Errors
    /// `SegmentMissing` when a run of either side lacks its segment (neither file is written then),
    /// `DiskFull`, `Io`.
    pub fn assemble(&self) -> Result<(), RunError> {
        for side in Side::BOTH {
            for index in 0..self.runs_per_side {
                if !self.has(side, index) {
                    return Err(RunError::caused(
                        RunErrorKind::SegmentMissing,
                        "the contract was not completed; no rows at",
                        &self.path(side, index),
                        io::Error::from(io::ErrorKind::NotFound),
                    ));
                }
            }
        }
        for side in Side::BOTH {
            let target = self.out.join(format!("{}.jsonl", side.name()));
            durably(&target, |file| {
                for index in 0..self.runs_per_side {
                    io::copy(&mut File::open(self.path(side, index))?, file)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn folder(&self) -> PathBuf {
        self.out.join("segments")
    }

    fn path(&self, side: Side, index: usize) -> PathBuf {
        self.folder().join(format!("{}-{index}.jsonl", side.name()))
    }
}

/// Writes a file under another name, onto the disk, then renames it.
fn durably(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), RunError> {
    let temporary = path.with_extension("jsonl.tmp");
    let written = File::create(&temporary)
        .and_then(|mut file| {
            write(&mut file)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&temporary, path))
        .and_then(|()| match path.parent() {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        });
    written.map_err(|error| {
        fs::remove_file(&temporary).unwrap_or_default();
        RunError::io("cannot write", path, error)
    })
}
