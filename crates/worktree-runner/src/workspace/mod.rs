//! Two worktrees of one repository and the runs made in them.

mod batch;
mod ground;
pub(crate) mod layers;
mod leftovers;
mod mounts;
mod place;
mod prepare;
pub(crate) mod record;
mod running;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use differential_gate::Side;
use git_trees::{CommitId, Repository};

use crate::cancel::CancelFlag;
use crate::confinement::landlock_plan;
use crate::environment;
use crate::error::RunError;
use crate::isolation::{Containment, Isolation};
use crate::observer::{Event, Observer};
use crate::options::{Network, Pristine, RunPaths, RunRequest, WorkspaceOptions};
use crate::outcome::{Exit, RunOutcome, SetUpOutcome};
use crate::plan::{LandlockPlan, MountPlan};
use crate::probe::{self, Found};
use crate::sockets;
use crate::supervisor::janitor::Janitor;
use crate::trees;
use ground::{Ground, SideState, shared_memory};
use record::{Lock, Record};

/// Two linked worktrees of one repository, in which set-up and runs happen at one path.
///
/// Dropping it ends and removes everything, as [`finish`](Self::finish) does; only `finish` says
/// what went wrong.
pub struct Workspace<'a> {
    ground: Ground,
    observer: &'a dyn Observer,
    runs: usize,
    janitor: Option<Janitor>,
    lock: Option<Lock>,
    cleared: bool,
}

impl std::fmt::Debug for Workspace<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Workspace")
            .field("ground", &self.ground)
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
        cancel: &CancelFlag,
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
        let (parent, patch) = check_out(repository, commits, &record, observer, cancel)?;
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
        let overlay_refused = match (options.pristine, shared) {
            (Pristine::Copies, _) => None,
            (Pristine::Overlay, false) => Some("runs have no mount namespace".to_owned()),
            (Pristine::Overlay, true) => layers::refusal(&record.work, &for_runs, cancel)?,
        };
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
        let ground = Ground {
            overlay: options.pristine == Pristine::Overlay && overlay_refused.is_none(),
            overlay_refused,
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
            cancel: cancel.clone(),
        };
        Ok(Self {
            ground,
            observer,
            runs: 0,
            janitor,
            lock: Some(lock),
            cleared: false,
        })
    }

    /// The absolute paths that set-up and every run of both sides see.
    pub const fn paths(&self) -> &RunPaths {
        &self.ground.paths
    }

    /// Where that side's files really are.
    pub fn worktree(&self, side: Side) -> &Path {
        &self.ground.side(side).checkout.path
    }

    /// What scored runs will be isolated from, before the first of them.
    pub fn isolation(&self) -> Isolation {
        self.ground.isolation()
    }

    /// Runs the shell lines one after another in the side's tree, with the network of the host and
    /// a `HOME` that is kept over the lines but apart from the other side's. The first that fails
    /// stops the rest. What they make in the tree stays for every run; what they make in `HOME` does not.
    ///
    /// # Errors
    /// Trouble of the surroundings; a command that fails is an outcome.
    pub fn set_up(
        &mut self,
        side: Side,
        commands: &[String],
        timeout: Duration,
    ) -> Result<SetUpOutcome, RunError> {
        stop_if_set(&self.ground.cancel)?;
        self.ground.side(side).copies().snapshot = None;
        let log_path = self
            .ground
            .options
            .logs_dir
            .join(format!("setup-{}.log", side.name()));
        // Appending, as the supervisors of the commands do on handles of their own.
        let mut log = File::create(&log_path)
            .and_then(|_| File::options().append(true).open(&log_path))
            .map_err(|error| RunError::io("cannot create", &log_path, error))?;
        let mut outcome = SetUpOutcome {
            exit: Exit::Code(0),
            failed_command: None,
            log: log_path,
            duration: Duration::ZERO,
        };
        let started = Instant::now();
        for command in commands {
            writeln!(log, "$ {command}")
                .map_err(|error| RunError::io("cannot write", &outcome.log, error))?;
            self.observer.event(Event::SetUpStarted { side, command });
            let left = timeout.saturating_sub(started.elapsed());
            let report = self.ground.set_up(side, command, left, &outcome.log)?;
            self.observer.event(Event::SetUpEnded {
                side,
                exit: &report.exit,
                duration: Duration::from_millis(report.duration_ms),
            });
            outcome.exit = report.exit;
            if outcome.exit == Exit::Cancelled {
                return Err(RunError::cancelled());
            }
            if !outcome.exit.success() {
                outcome.failed_command = Some(command.clone());
                break;
            }
        }
        outcome.duration = started.elapsed();
        Ok(outcome)
    }

    /// Makes one run in a tree that is as set-up left it; what it changes there no other run sees.
    ///
    /// # Errors
    /// Trouble of the surroundings (`DiskFull`, `Cancelled`, `NotRestorable` …); how the command
    /// ended is an outcome.
    pub fn run(&mut self, request: &RunRequest) -> Result<RunOutcome, RunError> {
        stop_if_set(&self.ground.cancel)?;
        self.runs = self.runs.saturating_add(1);
        self.tell_start(request);
        let outcome = self.ground.run(request, self.runs)?;
        self.ended(request, outcome)
    }

    fn tell_start(&self, request: &RunRequest) {
        self.observer.event(Event::RunStarted {
            side: request.side,
            seed: request.seed,
            label: &request.label,
            place: request.place,
            expected: request.expected,
        });
    }

    fn ended(&self, request: &RunRequest, outcome: RunOutcome) -> Result<RunOutcome, RunError> {
        self.observer.event(Event::RunEnded {
            side: request.side,
            seed: request.seed,
            exit: &outcome.exit,
            duration: outcome.duration,
        });
        if outcome.exit == Exit::Cancelled {
            return Err(RunError::cancelled());
        }
        Ok(outcome)
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
        let result = self.ground.record.clear();
        if let Some(janitor) = self.janitor.take() {
            janitor.dismiss();
        }
        drop(self.lock.take());
        result
    }
}

fn check_out(
    repository: &Repository,
    commits: (&CommitId, &CommitId),
    record: &Record,
    observer: &dyn Observer,
    cancel: &CancelFlag,
) -> Result<(SideState, SideState), RunError> {
    let [first, second] = [0, 1].map(|index| record.worktrees.get(index));
    let (Some(first), Some(second)) = (first, second) else {
        return Err(RunError::cancelled());
    };
    let one = |side, commit, place: &Path, index| {
        stop_if_set(cancel)?;
        let checkout = trees::add(repository, commit, place)?;
        let state = prepare::side(record, checkout, index)?;
        observer.event(Event::WorktreeReady { side });
        Ok::<_, RunError>(state)
    };
    let parent = one(Side::Parent, commits.0, first, 0)?;
    Ok((parent, one(Side::Patch, commits.1, second, 1)?))
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

fn stop_if_set(cancel: &CancelFlag) -> Result<(), RunError> {
    if cancel.is_set() {
        Err(RunError::cancelled())
    } else {
        Ok(())
    }
}

fn create_parents(path: &Path) -> Result<(), RunError> {
    match path.parent() {
        Some(parent) => {
            fs::create_dir_all(parent).map_err(|error| RunError::io("cannot create", parent, error))
        }
        None => Ok(()),
    }
}
