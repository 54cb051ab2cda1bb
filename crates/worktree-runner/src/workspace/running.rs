//! One run, and one command of a set-up.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use differential_gate::Side;

use super::ground::Copies;
use super::ground::Ground;
use super::place::Place;
use super::{create_parents, protected, stop_if_set};
use crate::channel::{self, Channel};
use crate::confinement::landlock_plan;
use crate::environment::{self, Purpose};
use crate::error::{RunError, RunErrorKind};
use crate::files;
use crate::isolation::Containment;
use crate::launch::{Launched, launch};
use crate::options::RunRequest;
use crate::outcome::{Exit, RunOutcome, is_plain_relative};
use crate::plan::{CommandPlan, ConfinePlan, Report, SupervisorPlan};
use crate::probe::Found;
use crate::snapshot::Snapshot;
use crate::supervisor::cgroup;

/// Whether a command is set-up or a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    SetUp,
    Run,
}

impl Ground {
    /// Makes one run in a tree that is as set-up left it.
    pub(super) fn run(&self, request: &RunRequest, number: usize) -> Result<RunOutcome, RunError> {
        stop_if_set(&self.cancel)?;
        if self.overlay {
            return self.run_in_place(request, number);
        }
        let side = self.side(request.side);
        let (tree, mut copies) = (&side.checkout.path, side.copies());
        if copies.touched {
            // The last run ended in an error before its changes were undone.
            copies.restore(tree)?;
        }
        copies.take(tree, self.options.keep_limit_bytes)?;
        copies.touched = true;
        let mut outcome = self.run_in_place(request, number)?;
        if outcome.exit != Exit::Cancelled {
            outcome.restored = copies.restore(tree)?;
        }
        Ok(outcome)
    }

    fn run_in_place(&self, request: &RunRequest, number: usize) -> Result<RunOutcome, RunError> {
        let place = Place::for_run(self, request.side, number)?;
        hand_in(&place, request)?;
        let log = self.options.logs_dir.join(log_name(request, number));
        File::create(&log).map_err(|error| RunError::io("cannot create", &log, error))?;
        let plan = CommandPlan {
            argv: request.argv.clone(),
            directory: self.directory(&request.directory)?,
            environment: self.environment(Purpose::Run {
                seed: request.seed,
                extra: &request.environment,
            }),
            timeout_ms: milliseconds(request.timeout),
            services: self.options.services.clone(),
            service_limit_ms: milliseconds(self.options.service_limit),
            service_directory: self.paths.tree.clone(),
            ..self.limits()
        };
        let channel = open_channel(&place, request)?;
        let supervised = self.supervise((request.side, Phase::Run), &place, plan, &log);
        let streamed = match channel.map(Channel::finish).transpose() {
            Ok(streamed) => streamed,
            Err(error) => return Err(RunError::io("cannot read the results of", &log, error)),
        };
        let report = supervised?;
        if let Some(streamed) = &streamed {
            let path = log.with_extension("events.jsonl");
            channel::keep(streamed, &path)
                .map_err(|error| RunError::io("cannot write", &path, error))?;
        }
        let restored = match &place.layer {
            Some(layer) => layer.changed()?,
            None => Vec::new(),
        };
        Ok(RunOutcome {
            isolation: self.isolation().after(&report),
            exit: report.exit,
            duration: Duration::from_millis(report.duration_ms),
            output_held: report.output_held,
            log,
            log_dropped_bytes: report.log_dropped_bytes,
            survivors_killed: report.survivors_killed,
            restored,
            streamed,
            control: place.leave(self)?,
        })
    }

    /// Runs one shell line of a set-up in the side's tree itself.
    pub(super) fn set_up(
        &self,
        side: Side,
        command: &str,
        timeout: Duration,
        log: &Path,
    ) -> Result<Report, RunError> {
        let place = Place::for_set_up(self, side)?;
        let plan = CommandPlan {
            argv: ["/bin/sh", "-e", "-c", command].map(str::to_owned).to_vec(),
            directory: self.paths.tree.clone(),
            environment: self.environment(Purpose::SetUp),
            timeout_ms: milliseconds(timeout),
            ..self.limits()
        };
        let report = self.supervise((side, Phase::SetUp), &place, plan, log)?;
        place.leave(self)?;
        Ok(report)
    }

    fn limits(&self) -> CommandPlan {
        CommandPlan {
            interrupt_grace_ms: milliseconds(self.options.interrupt_grace),
            terminate_grace_ms: milliseconds(self.options.terminate_grace),
            log_limit_bytes: self.options.log_limit_bytes,
            ..CommandPlan::default()
        }
    }

    fn environment(&self, purpose: Purpose<'_>) -> std::collections::BTreeMap<String, String> {
        environment::pinned(
            &self.caller,
            &self.options.environment,
            &self.paths,
            self.options.source_date_epoch.unwrap_or(0),
            purpose,
        )
    }

    fn directory(&self, relative: &Path) -> Result<PathBuf, RunError> {
        let relative: PathBuf = relative
            .components()
            .filter(|part| !matches!(part, std::path::Component::CurDir))
            .collect();
        if relative.as_os_str().is_empty() {
            return Ok(self.paths.tree.clone());
        }
        if !is_plain_relative(&relative) {
            return Err(RunError::new(
                RunErrorKind::InvalidRequest,
                format!(
                    "the directory `{}` is not inside the tree",
                    relative.display()
                ),
            ));
        }
        Ok(self.paths.tree.join(relative))
    }

    fn supervise(
        &self,
        (side, phase): (Side, Phase),
        place: &Place,
        mut command: CommandPlan,
        log: &Path,
    ) -> Result<Report, RunError> {
        let found = match phase {
            Phase::SetUp => &self.for_set_up,
            Phase::Run => &self.for_runs,
        };
        let namespaces = found.namespaces;
        command.fresh_proc = namespaces.process;
        command.drop_capabilities = namespaces.any() || phase == Phase::Run;
        command.confine = self.confine(found, phase)?;
        let group = command.confine.as_ref().and_then(|one| one.cgroup.clone());
        let plan = SupervisorPlan {
            namespaces,
            driver_maps_ids: found.driver_maps_ids,
            mounts: if namespaces.mount {
                Some(self.mount_plan(side, phase, place, &command)?)
            } else {
                None
            },
            command,
        };
        let file = File::options()
            .append(true)
            .open(log)
            .map_err(|error| RunError::io("cannot open", log, error))?;
        let moved = Moved::there(self, side, phase)?;
        let supervised = self.containment(found) != Containment::ProcessGroup;
        let launched = launch(&plan, supervised, file, &self.cancel)
            .map_err(|error| RunError::io("cannot supervise the run of", log, error));
        if let Some(group) = group {
            cgroup::remove(&group)
                .map_err(|error| RunError::io("cannot remove the control group", &group, error))?;
        }
        // What slipped out of weaker holds still carries our paths in its environment. A subreaper that
        // answered has ended all; one that was killed reads as a signal or a cancelled run.
        let ended_all = matches!(
            &launched,
            Ok(Launched::Ended(report)) if supervised
                && matches!(report.exit, Exit::Code(_) | Exit::TimedOut | Exit::NotStarted(_))
        );
        if !namespaces.process && !ended_all {
            self.record.end_processes();
        }
        moved.back()?;
        match launched? {
            Launched::Ended(report) => match report.log_error {
                Some(code) => Err(RunError::io(
                    "cannot write",
                    log,
                    std::io::Error::from_raw_os_error(code),
                )),
                None => Ok(report),
            },
            Launched::NotIsolated(reason) => Err(RunError::new(
                RunErrorKind::Io,
                format!("the isolation that worked before was refused: {reason}"),
            )),
        }
    }

    /// What stands in for namespaces that were refused; a group is made for this command alone.
    fn confine(&self, found: &Found, phase: Phase) -> Result<Option<ConfinePlan>, RunError> {
        let cgroup = match &found.cgroup {
            Some(workspace) => Some(cgroup::make(workspace).map_err(|error| {
                RunError::io("cannot make a control group below", workspace, error)
            })?),
            None => None,
        };
        let landlock = (phase == Phase::Run && found.landlock.is_some()).then(|| {
            let protected = protected(&self.read_only, &self.options);
            landlock_plan(&self.paths, self.options.network, &protected)
        });
        let plan = ConfinePlan { cgroup, landlock };
        Ok((plan != ConfinePlan::default()).then_some(plan))
    }
}

impl Copies {
    fn take(&mut self, tree: &Path, limit_bytes: u64) -> Result<(), RunError> {
        if self.snapshot.is_none() {
            self.snapshot = Some(Snapshot::take(tree, &self.keep, limit_bytes)?);
        }
        Ok(())
    }

    fn restore(&mut self, tree: &Path) -> Result<Vec<PathBuf>, RunError> {
        let Some(snapshot) = &mut self.snapshot else {
            return Ok(Vec::new());
        };
        let mut restored = match snapshot.restore(tree) {
            Err(error) if error.is_too_long_a_path() => {
                files::remove_too_deep(tree)
                    .map_err(|error| RunError::io("cannot bring back", tree, error))?;
                snapshot.restore(tree)?
            }
            other => other?,
        };
        self.touched = false;
        restored.truncate(100);
        Ok(restored)
    }
}

fn open_channel(place: &Place, request: &RunRequest) -> Result<Option<Channel>, RunError> {
    let Some(name) = &request.channel else {
        return Ok(None);
    };
    if !is_plain_relative(Path::new(name)) {
        return Err(RunError::new(
            RunErrorKind::InvalidRequest,
            format!("the pipe `{name}` is not inside the control folder"),
        ));
    }
    let path = place.control.join(name);
    let channel = Channel::open(&path);
    channel
        .map(Some)
        .map_err(|error| RunError::io("cannot make the pipe", &path, error))
}

fn hand_in(place: &Place, request: &RunRequest) -> Result<(), RunError> {
    for (name, bytes) in &request.files {
        if !is_plain_relative(Path::new(name)) {
            return Err(RunError::new(
                RunErrorKind::InvalidRequest,
                format!("the file `{name}` is not inside the control folder"),
            ));
        }
        let path = place.control.join(name);
        create_parents(&path)?;
        fs::write(&path, bytes).map_err(|error| RunError::io("cannot write", &path, error))?;
    }
    Ok(())
}

/// Without mount namespaces: the side's folders, renamed to the shared paths for the time of a command.
struct Moved(Vec<(PathBuf, PathBuf)>);

impl Moved {
    fn there(ground: &Ground, side: Side, phase: Phase) -> Result<Self, RunError> {
        let mut moved = Self(Vec::new());
        if ground.mounts() {
            return Ok(moved);
        }
        let state = ground.side(side);
        moved.rename(&state.checkout.path, &ground.paths.tree)?;
        if phase == Phase::SetUp {
            // `home` may be on another file system, so a link stands in for it.
            let home = &ground.paths.home;
            files::remove_all(home)
                .and_then(|()| std::os::unix::fs::symlink(&state.home, home))
                .map_err(|error| RunError::io("cannot link", home, error))?;
        }
        Ok(moved)
    }

    fn rename(&mut self, from: &Path, to: &Path) -> Result<(), RunError> {
        fs::rename(from, to).map_err(|error| RunError::io("cannot move", from, error))?;
        self.0.push((from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn back(self) -> Result<(), RunError> {
        for (from, to) in self.0.into_iter().rev() {
            fs::rename(&to, &from).map_err(|error| RunError::io("cannot move back", &to, error))?;
        }
        Ok(())
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// A file name out of whatever the caller called the run.
fn log_name(request: &RunRequest, number: usize) -> String {
    let label: String = request
        .label
        .chars()
        .take(80)
        .map(|character| {
            if character.is_ascii_alphanumeric() || "-_.".contains(character) {
                character
            } else {
                '_'
            }
        })
        .collect();
    format!("{number:04}-{}-{label}.log", request.side.name())
}
