//! Two worktrees of one repository and the runs made in them.

mod leftovers;
mod mounts;
mod prepare;
pub(crate) mod record;
mod running;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use differential_gate::Side;
use git_trees::{CommitId, Repository};

use crate::cancel::CancelFlag;
use crate::confinement::landlock_plan;
use crate::environment;
use crate::error::RunError;
use crate::files;
use crate::isolation::{Containment, Isolation};
use crate::observer::{Event, Observer};
use crate::options::{Network, RunPaths, WorkspaceOptions};
use crate::plan::{LandlockPlan, MountPlan};
use crate::probe::{self, Found};
use crate::snapshot::Snapshot;
use crate::sockets;
use crate::supervisor;
use crate::supervisor::janitor::Janitor;
use crate::trees::{self, Checkout};
use record::{Lock, Record};

/// Two linked worktrees of one repository, in which set-up and runs happen at one path.
///
/// Dropping it ends and removes everything, as [`finish`](Self::finish) does; only `finish` says
/// what went wrong.
pub struct Workspace<'a> {
    record: Record,
    options: WorkspaceOptions,
    paths: RunPaths,
    parent: SideState,
    patch: SideState,
    /// What scored runs are isolated by, and what set-up is.
    for_runs: Found,
    for_set_up: Found,
    read_only: Vec<PathBuf>,
    repository_root: Option<PathBuf>,
    caller: BTreeMap<String, String>,
    observer: &'a dyn Observer,
    cancel: &'a CancelFlag,
    runs: usize,
    janitor: Option<Janitor>,
    lock: Option<Lock>,
    cleared: bool,
}

struct SideState {
    checkout: Checkout,
    home: PathBuf,
    keep: PathBuf,
    snapshot: Option<Snapshot>,
    /// A run was started since the tree was last known to be as set-up left it.
    touched: bool,
}

impl std::fmt::Debug for Workspace<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Workspace")
            .field("record", &self.record)
            .field("paths", &self.paths)
            .field("runs", &self.runs)
            .finish_non_exhaustive()
    }
}

impl<'a> Workspace<'a> {
    /// Removes what dead runs left in the state folder, then checks both commits out.
    ///
    /// From here until [`finish`](Self::finish) a small detached process waits: should this one be
    /// killed, it ends what still runs and removes worktrees, admin files and temporary folders.
    ///
    /// # Errors
    /// `DiskFull`, `PathExists`, `Worktree`, `Cancelled`, `Io`; nothing is left behind.
    pub fn create(
        repository: &Repository,
        commits: (&CommitId, &CommitId),
        options: WorkspaceOptions,
        observer: &'a dyn Observer,
        cancel: &'a CancelFlag,
    ) -> Result<Self, RunError> {
        stop_if_set(cancel)?;
        let mut options = prepare::folders(options)?;
        if options.source_date_epoch.is_none() {
            let time = repository.commit_time(commits.0);
            options.source_date_epoch = Some(time.map_err(trees::unreadable(repository))?);
        }
        leftovers::remove(&options.state_dir, repository.common_dir(), observer)?;
        let (record, lock) = prepare::claim(&options.state_dir, repository.common_dir())?;
        let mut guard = Unfinished {
            record: &record,
            janitor: None,
            armed: true,
        };
        prepare::base(&record)?;
        guard.janitor = Janitor::start(&record)
            .map_err(|error| RunError::io("cannot start the janitor for", &record.work, error))?;
        let mut sides = Vec::with_capacity(2);
        for ((side, commit), place) in Side::BOTH
            .into_iter()
            .zip([commits.0, commits.1])
            .zip(&record.worktrees)
        {
            stop_if_set(cancel)?;
            let checkout = trees::add(repository, commit, place)?;
            sides.push(prepare::side(&record, checkout, sides.len())?);
            observer.event(Event::WorktreeReady { side });
        }
        let (Some(patch), Some(parent)) = (sides.pop(), sides.pop()) else {
            return Err(RunError::cancelled());
        };
        let target = record.base.join("tree");
        let caller = environment::of_caller();
        let read_only = prepare::read_only(repository, &caller, &options.environment.set);
        let mut mounts = probe_mounts(&record, &options, &read_only);
        let own = own_folders(&record, &options, repository.root());
        sockets::hide(&mut mounts, &own, &caller, &caller);
        let (mut for_set_up, mut for_runs) = namespaces(&options, &mounts, cancel)?;
        let shared = for_runs.namespaces.mount;
        let tree = if shared {
            target
        } else {
            record.work.join("tree")
        };
        // Where nothing hides it, what runs reported stands apart from the folders that any run may write.
        let reports = if shared { &record.base } else { &record.work };
        let paths = RunPaths {
            tree,
            control: reports.join("control"),
            temp: record.base.join("temp"),
            home: record.base.join("home"),
        };
        prepare::earlier(reports)?;
        let landlock = options
            .landlock
            .then(|| landlock_plan(&paths, options.network, &protected(&read_only, &options)));
        fall_back(
            &record,
            options.containment,
            landlock.as_ref(),
            (&mut for_set_up, &mut for_runs),
            cancel,
        )?;
        let janitor = guard.disarm();
        Ok(Self {
            read_only,
            repository_root: repository.root().map(Path::to_owned),
            record,
            options,
            paths,
            parent,
            patch,
            for_runs,
            for_set_up,
            caller,
            observer,
            cancel,
            runs: 0,
            janitor,
            lock: Some(lock),
            cleared: false,
        })
    }

    /// The absolute paths that set-up and every run of both sides see.
    pub fn paths(&self) -> &RunPaths {
        &self.paths
    }

    /// Where that side's files really are.
    pub fn worktree(&self, side: Side) -> &Path {
        &self.side(side).checkout.path
    }

    /// What scored runs will be isolated from, before the first of them.
    pub fn isolation(&self) -> Isolation {
        self.isolation_by(&self.for_runs)
    }

    /// Ends what still runs and removes worktrees, admin files and temporary folders. Logs stay.
    ///
    /// # Errors
    /// The first thing that could not be removed.
    pub fn finish(mut self) -> Result<(), RunError> {
        self.clear()
    }

    fn clear(&mut self) -> Result<(), RunError> {
        if self.cleared {
            return Ok(());
        }
        self.cleared = true;
        let result = self.record.clear();
        if let Some(janitor) = self.janitor.take() {
            janitor.dismiss();
        }
        drop(self.lock.take());
        result
    }

    const fn side(&self, side: Side) -> &SideState {
        match side {
            Side::Parent => &self.parent,
            Side::Patch => &self.patch,
        }
    }

    const fn side_mut(&mut self, side: Side) -> &mut SideState {
        match side {
            Side::Parent => &mut self.parent,
            Side::Patch => &mut self.patch,
        }
    }

    /// Whether both sides' trees are bound to the path of all runs.
    const fn mounts(&self) -> bool {
        self.for_runs.namespaces.mount && self.for_set_up.namespaces.mount
    }

    /// The system's folder for temporary files, if the paths of all runs stand in it.
    fn tmp(&self) -> Option<&Path> {
        self.record
            .base
            .parent()
            .filter(|parent| *parent == Path::new("/tmp"))
    }

    fn containment(&self, found: &Found) -> Containment {
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

    fn isolation_by(&self, found: &Found) -> Isolation {
        Isolation::by(found, self.containment(found), self.tmp().is_some())
    }
}

/// The namespaces of set-up and of runs: both have mounts, or neither has.
fn namespaces(
    options: &WorkspaceOptions,
    mounts: &MountPlan,
    cancel: &CancelFlag,
) -> Result<(Found, Found), RunError> {
    let probed = |cut| probe::probe(options.containment, cut, mounts, cancel);
    let mut for_set_up = probed(false)?;
    let mut for_runs = match options.network {
        Network::Off => probed(true)?,
        Network::Host => for_set_up.clone(),
    };
    if !(for_runs.namespaces.mount && for_set_up.namespaces.mount) {
        for_runs.without_mounts();
        for_set_up.without_mounts();
    }
    Ok((for_set_up, for_runs))
}

/// What stands in for namespaces that were refused; set-up writes to toolchains, so landlock is for runs.
fn fall_back(
    record: &Record,
    strongest: Containment,
    landlock: Option<&LandlockPlan>,
    (for_set_up, for_runs): (&mut Found, &mut Found),
    cancel: &CancelFlag,
) -> Result<(), RunError> {
    let cgroup = record.cgroup.as_deref();
    probe::fall_back(for_set_up, strongest, cgroup, None, cancel)?;
    probe::fall_back(for_runs, strongest, cgroup, landlock, cancel)
}

/// What no run may write.
fn protected<'p>(read_only: &'p [PathBuf], options: &'p WorkspaceOptions) -> Vec<&'p Path> {
    let own = [options.state_dir.as_path(), &options.logs_dir];
    let read_only = read_only.iter().map(PathBuf::as_path);
    read_only.chain(own).collect()
}

/// Where this program itself works, and the repository: nothing in there is a socket of the host.
fn own_folders<'p>(
    record: &'p Record,
    options: &'p WorkspaceOptions,
    root: Option<&'p Path>,
) -> Vec<&'p Path> {
    let own = [&record.work, &record.base, &options.state_dir];
    own.map(PathBuf::as_path).into_iter().chain(root).collect()
}

/// The mounts that a probe tries: those of a run, over its temporary folder.
fn probe_mounts(record: &Record, options: &WorkspaceOptions, read_only: &[PathBuf]) -> MountPlan {
    MountPlan {
        read_only: read_only.to_vec(),
        hidden: vec![options.state_dir.clone()],
        volatile: shared_memory(),
        bound: vec![(record.base.join("temp"), record.base.join("tree"))],
        ..MountPlan::default()
    }
}

impl Drop for Workspace<'_> {
    fn drop(&mut self) {
        self.clear().unwrap_or_default();
    }
}

/// Clears a workspace whose making failed half-way.
struct Unfinished<'r> {
    record: &'r Record,
    janitor: Option<Janitor>,
    armed: bool,
}

impl Unfinished<'_> {
    fn disarm(mut self) -> Option<Janitor> {
        self.armed = false;
        self.janitor.take()
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if self.armed {
            self.record.clear().unwrap_or_default();
            if let Some(janitor) = self.janitor.take() {
                janitor.dismiss();
            }
        }
    }
}

/// The folder of POSIX shared memory and semaphores, where there is one.
fn shared_memory() -> Vec<PathBuf> {
    let folder = Path::new("/dev/shm");
    let exists = fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir());
    exists.then(|| folder.to_owned()).into_iter().collect()
}

fn stop_if_set(cancel: &CancelFlag) -> Result<(), RunError> {
    if cancel.is_set() {
        Err(RunError::cancelled())
    } else {
        Ok(())
    }
}

/// Empties the three folders that are fresh for each run.
fn freshen(paths: &RunPaths) -> Result<(), RunError> {
    for folder in [&paths.control, &paths.temp, &paths.home] {
        files::fresh_folder(folder).map_err(|error| RunError::io("cannot empty", folder, error))?;
    }
    Ok(())
}

fn create_parents(path: &Path) -> Result<(), RunError> {
    match path.parent() {
        Some(parent) => {
            fs::create_dir_all(parent).map_err(|error| RunError::io("cannot create", parent, error))
        }
        None => Ok(()),
    }
}
