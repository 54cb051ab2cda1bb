//! The fresh folders of one command, and what becomes of them when it has ended.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use differential_gate::Side;

use super::ground::Ground;
use super::layers::Layer;
use crate::error::RunError;
use crate::files;

/// Where the fresh folders of one command really are.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) control: PathBuf,
    pub(super) temp: PathBuf,
    pub(super) home: PathBuf,
    /// What stands in the place of `/tmp`.
    pub(super) tmp: PathBuf,
    pub(super) layer: Option<Layer>,
    /// Where the control folder goes when the command has ended.
    kept: PathBuf,
    /// Removed when the command has ended.
    scratch: PathBuf,
}

impl Place {
    /// For one run of a side; `number` tells it from all other runs of the workspace.
    pub(super) fn for_run(ground: &Ground, side: Side, number: usize) -> Result<Self, RunError> {
        let mut place = Self::named(ground, &number.to_string())?;
        if ground.overlay {
            let tree = &ground.side(side).checkout.path;
            place.layer = Some(Layer::fresh(tree, &place.scratch)?);
        }
        Ok(place)
    }

    /// For one command of a set-up.
    pub(super) fn for_set_up(ground: &Ground, side: Side) -> Result<Self, RunError> {
        let mut place = Self::named(ground, "set-up")?;
        if ground.mounts() {
            place.home.clone_from(&ground.side(side).home);
        }
        Ok(place)
    }

    fn named(ground: &Ground, name: &str) -> Result<Self, RunError> {
        // Where nothing hides it, what runs reported stands apart from the folders that any run may write.
        let own = if ground.mounts() {
            runs(&ground.record.base).join(name)
        } else {
            earlier(&ground.record.work).join(name)
        };
        let scratch = runs(&ground.record.work).join(name);
        let paths = &ground.paths;
        // Without mounts the paths that a command sees are the folders themselves.
        let folder = |name: &str, shared: &Path| {
            if ground.mounts() {
                own.join(name)
            } else {
                shared.to_owned()
            }
        };
        let place = Self {
            control: folder("control", &paths.control),
            temp: folder("temp", &paths.temp),
            home: folder("home", &paths.home),
            tmp: scratch.join("tmp"),
            layer: None,
            kept: own.join("control"),
            scratch,
        };
        for folder in [
            &own,
            &place.scratch,
            &place.control,
            &place.temp,
            &place.home,
        ] {
            files::fresh_folder(folder)
                .map_err(|error| RunError::io("cannot empty", folder, error))?;
        }
        Ok(place)
    }

    /// Puts what the run reported out of the way of others, and removes the rest. Without mounts the
    /// next command empties what is left of the shared folders.
    pub(super) fn leave(self, ground: &Ground) -> Result<PathBuf, RunError> {
        if self.control != self.kept {
            match fs::rename(&self.control, &self.kept) {
                // The run removed the whole folder: it reported nothing.
                Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(&self.kept),
                other => other,
            }
            .map_err(|error| RunError::io("cannot move", &self.control, error))?;
        }
        let mut spent = vec![self.scratch];
        if ground.mounts() {
            spent.push(self.temp);
            // The home of a set-up goes on over all its commands.
            spent.extend(
                self.home
                    .starts_with(&ground.record.base)
                    .then_some(self.home),
            );
        }
        for folder in spent {
            files::remove_all(&folder)
                .map_err(|error| RunError::io("cannot remove", &folder, error))?;
        }
        Ok(self.kept)
    }
}

/// The folder of all runs in one of the two folders of a workspace.
pub(super) fn runs(folder: &Path) -> PathBuf {
    folder.join("runs")
}

/// What runs without mounts reported, in the work folder.
pub(super) fn earlier(work: &Path) -> PathBuf {
    work.join("earlier")
}
