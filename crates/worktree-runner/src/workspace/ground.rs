//! What is fixed once a workspace stands: several runs may read it at once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use differential_gate::Side;

use super::record::Record;
use crate::cancel::CancelFlag;
use crate::isolation::{Containment, Isolation};
use crate::options::{RunPaths, WorkspaceOptions};
use crate::probe::Found;
use crate::snapshot::Snapshot;
use crate::supervisor;
use crate::trees::Checkout;

#[derive(Debug)]
pub(super) struct Ground {
    pub(super) record: Record,
    pub(super) options: WorkspaceOptions,
    pub(super) paths: RunPaths,
    pub(super) parent: SideState,
    pub(super) patch: SideState,
    /// What scored runs are isolated by, and what set-up is.
    pub(super) for_runs: Found,
    pub(super) for_set_up: Found,
    /// Whether each run writes into a layer of its own, and if not, why.
    pub(super) overlay: bool,
    pub(super) overlay_refused: Option<String>,
    pub(super) read_only: Vec<PathBuf>,
    pub(super) repository_root: Option<PathBuf>,
    pub(super) caller: BTreeMap<String, String>,
    pub(super) cancel: CancelFlag,
}

#[derive(Debug)]
pub(super) struct SideState {
    pub(super) checkout: Checkout,
    pub(super) home: PathBuf,
    /// What is needed to bring the tree back; unused where runs have layers.
    copies: Mutex<Copies>,
}

#[derive(Debug)]
pub(super) struct Copies {
    pub(super) keep: PathBuf,
    pub(super) snapshot: Option<Snapshot>,
    /// A run was started since the tree was last known to be as set-up left it.
    pub(super) touched: bool,
}

impl SideState {
    pub(super) const fn new(checkout: Checkout, home: PathBuf, keep: PathBuf) -> Self {
        Self {
            checkout,
            home,
            copies: Mutex::new(Copies {
                keep,
                snapshot: None,
                touched: false,
            }),
        }
    }

    /// A thread that died half-way left `touched` set.
    pub(super) fn copies(&self) -> MutexGuard<'_, Copies> {
        self.copies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ground {
    pub(super) const fn side(&self, side: Side) -> &SideState {
        match side {
            Side::Parent => &self.parent,
            Side::Patch => &self.patch,
        }
    }

    /// Whether both sides' trees are mounted at the path of all runs.
    pub(super) const fn mounts(&self) -> bool {
        self.for_runs.namespaces.mount && self.for_set_up.namespaces.mount
    }

    /// The system's folder for temporary files, if the paths of all runs stand in it.
    pub(super) fn tmp(&self) -> Option<&Path> {
        self.record
            .base
            .parent()
            .filter(|parent| *parent == Path::new("/tmp"))
    }

    pub(super) fn containment(&self, found: &Found) -> Containment {
        if found.namespaces.process {
            Containment::PidNamespace
        } else if found.cgroup.is_some() {
            Containment::Cgroup
        } else if supervisor::available() && self.options.containment != Containment::ProcessGroup {
            Containment::Subreaper
        } else {
            Containment::ProcessGroup
        }
    }

    pub(super) fn isolation(&self) -> Isolation {
        let found = &self.for_runs;
        let known = Isolation::by(found, self.containment(found), self.tmp().is_some());
        known.over(self.overlay, self.overlay_refused.clone())
    }
}

/// The folder of POSIX shared memory and semaphores, where there is one.
pub(super) fn shared_memory() -> Vec<PathBuf> {
    let folder = Path::new("/dev/shm");
    let exists = fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir());
    exists.then(|| folder.to_owned()).into_iter().collect()
}
