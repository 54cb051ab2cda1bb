//! Each run's rows on disk before the next run starts, and the two files put together from them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use differential_gate::Side;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::error::{RunError, RunErrorKind};
use crate::seals::Seals;

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
    seals: Option<Seals>,
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
            seals: None,
        };
        let folder = segments.folder();
        fs::create_dir_all(&folder)
            .map_err(|error| RunError::io("cannot create", &folder, error))?;
        Ok(segments)
    }

    /// Seals each segment from now on: a digest of its rows, its note and `key` stands in the folder
    /// `seals`, and an interrupted contract goes on from there. `key` names everything that must be
    /// equal for a result to count as one of these runs. The folder is locked while this value lives.
    ///
    /// # Errors
    /// `InUse` while another process holds the folder, `Io`.
    pub fn sealed(self, seals: &Path, key: impl Into<String>) -> Result<Self, RunError> {
        let seals = Some(Seals::open(seals, key.into())?);
        Ok(Self { seals, ..self })
    }

    /// The note of a run whose segment is whole and sealed under the same key. Any other segment of
    /// that run is removed where seals are kept: half written, changed since, of other runs.
    ///
    /// # Errors
    /// When what is to be removed cannot be.
    pub fn take(&self, side: Side, index: usize) -> Result<Option<String>, RunError> {
        let Some(seals) = &self.seals else {
            return Ok(None);
        };
        let rows = fs::read(self.path(side, index)).ok();
        let note = rows.and_then(|rows| seals.note(&name(side, index), &rows));
        if note.is_none() {
            self.discard(side, index)?;
        }
        Ok(note)
    }

    /// Removes the segment of a run and its seal: the run is to be made again.
    ///
    /// # Errors
    /// When one is there and cannot be removed.
    pub fn discard(&self, side: Side, index: usize) -> Result<(), RunError> {
        if let Some(seals) = &self.seals {
            seals.remove(&name(side, index))?;
        }
        remove(&self.path(side, index))
    }

    /// Seals the segment of a run: from now on it is taken, with this note, when the contract goes on.
    /// Does nothing where no seals are kept.
    ///
    /// # Errors
    /// `DiskFull`, `Io`, also where the segment is not there.
    pub fn seal(&self, side: Side, index: usize, note: &str) -> Result<(), RunError> {
        let Some(seals) = &self.seals else {
            return Ok(());
        };
        let path = self.path(side, index);
        let rows = fs::read(&path).map_err(|error| RunError::io("cannot read", &path, error))?;
        seals.write(&name(side, index), &rows, note)
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
        self.assemble_sides(&Side::BOTH, u64::MAX).map(|_| ())
    }

    /// Writes the files of these sides in schedule order, gzipped (`parent.jsonl.gz`) where the rows
    /// are more bytes than given; returns where they stand. The other form of a file is removed.
    ///
    /// # Errors
    /// As [`assemble`](Self::assemble).
    pub fn assemble_sides(
        &self,
        sides: &[Side],
        gzip_above_bytes: u64,
    ) -> Result<Vec<PathBuf>, RunError> {
        let mut measured = Vec::with_capacity(sides.len());
        for &side in sides {
            let mut bytes = 0_u64;
            for index in 0..self.runs_per_side {
                let path = self.path(side, index);
                let segment = fs::metadata(&path).ok().filter(fs::Metadata::is_file);
                let Some(segment) = segment else {
                    return Err(RunError::caused(
                        RunErrorKind::SegmentMissing,
                        "the contract was not completed; no rows at",
                        &path,
                        io::Error::from(io::ErrorKind::NotFound),
                    ));
                };
                bytes = bytes.saturating_add(segment.len());
            }
            measured.push((side, bytes));
        }
        let mut written = Vec::with_capacity(sides.len());
        for (side, bytes) in measured {
            let [plain, gzipped] = self.targets(side);
            let (target, other) = if bytes > gzip_above_bytes {
                durably(&gzipped, |file| {
                    let mut encoder = GzEncoder::new(file, Compression::default());
                    self.copy_rows(side, &mut encoder)?;
                    encoder.finish().map(|_| ())
                })?;
                (gzipped, plain)
            } else {
                durably(&plain, |file| self.copy_rows(side, file))?;
                (plain, gzipped)
            };
            remove(&other)?;
            written.push(target);
        }
        Ok(written)
    }

    /// Removes the files of these sides that an earlier run put together.
    ///
    /// # Errors
    /// When one is there and cannot be removed.
    pub fn withdraw(&self, sides: &[Side]) -> Result<(), RunError> {
        let mut targets = sides.iter().flat_map(|&side| self.targets(side));
        targets.try_for_each(|target| remove(&target))
    }

    fn copy_rows(&self, side: Side, target: &mut impl Write) -> io::Result<()> {
        for index in 0..self.runs_per_side {
            io::copy(&mut File::open(self.path(side, index))?, target)?;
        }
        Ok(())
    }

    /// The file of a side, and its gzipped form.
    fn targets(&self, side: Side) -> [PathBuf; 2] {
        ["jsonl", "jsonl.gz"].map(|ending| self.out.join(format!("{}.{ending}", side.name())))
    }

    fn folder(&self) -> PathBuf {
        self.out.join("segments")
    }

    fn path(&self, side: Side, index: usize) -> PathBuf {
        self.folder().join(format!("{}.jsonl", name(side, index)))
    }
}

fn name(side: Side, index: usize) -> String {
    format!("{}-{index}", side.name())
}

/// Removes a file; that it is not there is no error.
pub(crate) fn remove(path: &Path) -> Result<(), RunError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RunError::io("cannot remove", path, error))
        }
        _ => Ok(()),
    }
}

/// Writes a file under another name, onto the disk, then renames it.
pub(crate) fn durably(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), RunError> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
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
