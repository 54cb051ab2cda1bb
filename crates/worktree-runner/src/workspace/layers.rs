//! The writable layer of one run over a tree that no run can write.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::attributes::Attributes;
use crate::cancel::CancelFlag;
use crate::error::RunError;
use crate::files;
use crate::plan::{LayerPlan, MountPlan};
use crate::probe::{self, Found};

/// Most changed paths that an outcome names.
const NAMED: usize = 100;

/// Names of the attributes in which overlayfs keeps what it knows of a layer: on the upper one they
/// could hide the tree.
const MARKS: &[u8] = b"user.overlay.";

#[derive(Debug)]
pub(super) struct Layer {
    lower: PathBuf,
    upper: PathBuf,
    work: PathBuf,
}

impl Layer {
    /// An empty layer in a fresh folder, on the disk that holds the tree: its size is bounded by
    /// that disk as the size of a tree that is written in place would be. (Memory is not asked for:
    /// what a test writes would compete with the tests for it.)
    pub(super) fn fresh(lower: &Path, folder: &Path) -> Result<Self, RunError> {
        let layer = Self {
            lower: lower.to_owned(),
            upper: folder.join("upper"),
            work: folder.join("work"),
        };
        for folder in [&layer.upper, &layer.work] {
            files::fresh_folder(folder)
                .map_err(|error| RunError::io("cannot create", folder, error))?;
        }
        // The merged tree has the attributes of its upper layer.
        Attributes::of(lower)
            .and_then(|mut attributes| {
                attributes
                    .extended
                    .retain(|name, _| !name.starts_with(MARKS));
                attributes.apply(&layer.upper)
            })
            .map_err(|error| RunError::io("cannot set the attributes of", &layer.upper, error))?;
        Ok(layer)
    }

    pub(super) fn plan(&self, target: &Path) -> LayerPlan {
        LayerPlan {
            lower: self.lower.clone(),
            upper: self.upper.clone(),
            work: self.work.clone(),
            target: target.to_owned(),
            trial: false,
        }
    }

    /// The first paths (relative, sorted) that the run changed in its tree.
    pub(super) fn changed(&self) -> Result<Vec<PathBuf>, RunError> {
        let mut changed = Vec::new();
        self.changed_in(Path::new(""), &mut changed)
            .map_err(|error| RunError::io("cannot read", &self.upper, error))?;
        Ok(changed)
    }

    fn changed_in(&self, folder: &Path, changed: &mut Vec<PathBuf>) -> io::Result<()> {
        let mut entries = files::list(&self.upper.join(folder))?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            if changed.len() >= NAMED {
                return Ok(());
            }
            let path = folder.join(entry.file_name());
            let upper = entry.metadata()?;
            let below = fs::symlink_metadata(self.lower.join(&path)).ok();
            // A mark that something is gone, of something that this run had made itself.
            let hides = upper.file_type().is_char_device() && upper.rdev() == 0;
            if hides && below.is_none() {
                continue;
            }
            let same = below.is_some_and(|below| {
                upper.is_dir() && below.is_dir() && upper.mode() == below.mode()
            });
            if !same {
                changed.push(path.clone());
            }
            if upper.is_dir() {
                self.changed_in(&path, changed)?;
            }
        }
        Ok(())
    }
}

/// Why the system does not let a run have a layer over a tree in this folder, if it does not; found
/// out by mounting one there and changing it.
pub(crate) fn refusal(
    folder: &Path,
    found: &Found,
    cancel: &CancelFlag,
) -> Result<Option<String>, RunError> {
    let trial = folder.join("trial");
    let (lower, target) = (trial.join("lower"), trial.join("target"));
    let made = files::fresh_folder(&trial)
        .and_then(|()| fs::create_dir_all(lower.join("folder")))
        .and_then(|()| fs::create_dir(&target))
        .and_then(|()| fs::write(lower.join("file"), "as it was"))
        .and_then(|()| fs::write(lower.join("folder/inner"), "as it was"));
    made.map_err(|error| RunError::io("cannot make", &trial, error))?;
    let layer = Layer::fresh(&lower, &trial)?;
    let mounts = MountPlan {
        layer: Some(LayerPlan {
            trial: true,
            ..layer.plan(&target)
        }),
        ..MountPlan::default()
    };
    let mut refused = probe::attempt(found, &mounts, cancel)?;
    let untouched = ["file", "folder/inner"]
        .iter()
        .all(|name| fs::read(lower.join(name)).is_ok_and(|content| content == b"as it was"));
    if refused.is_none() && !untouched {
        refused = Some("overlay: the tree below was written to".to_owned());
    }
    files::remove_all(&trial).map_err(|error| RunError::io("cannot remove", &trial, error))?;
    Ok(refused)
}
