//! Set-up and runs inside a workspace.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use differential_gate::Side;

use super::{Workspace, create_parents, freshen, protected, stop_if_set};
use crate::channel::{self, Channel};
use crate::confinement::landlock_plan;
use crate::environment::{self, Purpose};
use crate::error::{RunError, RunErrorKind};
use crate::files;
use crate::isolation::Containment;
use crate::launch::{Launched, launch};
use crate::observer::Event;
use crate::options::RunRequest;
use crate::outcome::{Exit, RunOutcome, SetUpOutcome, is_plain_relative};
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

impl Workspace<'_> {
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
        stop_if_set(self.cancel)?;
        self.side_mut(side).snapshot = None;
        let log_path = self
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
            freshen(&self.paths)?;
            writeln!(log, "$ {command}")
                .map_err(|error| RunError::io("cannot write", &outcome.log, error))?;
            self.observer.event(Event::SetUpStarted { side, command });
            let plan = CommandPlan {
                argv: ["/bin/sh", "-e", "-c", command].map(str::to_owned).to_vec(),
                directory: self.paths.tree.clone(),
                environment: self.environment(Purpose::SetUp),
                timeout_ms: milliseconds(timeout.saturating_sub(started.elapsed())),
                ..self.limits()
            };
            let report = self.supervise(side, Phase::SetUp, plan, &outcome.log)?;
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

    /// Makes one run in a tree that is as set-up left it, and brings the tree back afterwards.
    ///
    /// # Errors
    /// Trouble of the surroundings (`DiskFull`, `Cancelled`, `NotRestorable` …); how the command
    /// ended is an outcome.
    pub fn run(&mut self, request: &RunRequest) -> Result<RunOutcome, RunError> {
        stop_if_set(self.cancel)?;
        if self.side(request.side).touched {
            // The last run ended in an error before its changes were undone.
            self.restore_tree(request.side)?;
        }
        self.record_tree(request.side)?;
        freshen(&self.paths)?;
        self.hand_in(request)?;
        self.runs = self.runs.saturating_add(1);
        let log = self.options.logs_dir.join(log_name(request, self.runs));
        File::create(&log).map_err(|error| RunError::io("cannot create", &log, error))?;
        self.observer.event(Event::RunStarted {
            side: request.side,
            seed: request.seed,
            label: &request.label,
            place: request.place,
            expected: request.expected,
        });
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
        self.side_mut(request.side).touched = true;
        let channel = self.channel(request)?;
        let supervised = self.supervise(request.side, Phase::Run, plan, &log);
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
        let control = self.keep_control()?;
        let duration = Duration::from_millis(report.duration_ms);
        self.observer.event(Event::RunEnded {
            side: request.side,
            seed: request.seed,
            exit: &report.exit,
            duration,
        });
        if report.exit == Exit::Cancelled {
            return Err(RunError::cancelled());
        }
        let restored = self.restore_tree(request.side)?;
        Ok(RunOutcome {
            isolation: self.isolation_by(&self.for_runs).after(&report),
            exit: report.exit,
            duration,
            output_held: report.output_held,
            log,
            log_dropped_bytes: report.log_dropped_bytes,
            survivors_killed: report.survivors_killed,
            restored,
            streamed,
            control,
        })
    }

    fn channel(&self, request: &RunRequest) -> Result<Option<Channel>, RunError> {
        let Some(name) = &request.channel else {
            return Ok(None);
        };
        if !is_plain_relative(Path::new(name)) {
            return Err(RunError::new(
                RunErrorKind::InvalidRequest,
                format!("the pipe `{name}` is not inside the control folder"),
            ));
        }
        let path = self.paths.control.join(name);
        let channel = Channel::open(&path);
        channel
            .map(Some)
            .map_err(|error| RunError::io("cannot make the pipe", &path, error))
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

    fn hand_in(&self, request: &RunRequest) -> Result<(), RunError> {
        for (name, bytes) in &request.files {
            if !is_plain_relative(Path::new(name)) {
                return Err(RunError::new(
                    RunErrorKind::InvalidRequest,
                    format!("the file `{name}` is not inside the control folder"),
                ));
            }
            let path = self.paths.control.join(name);
            create_parents(&path)?;
            fs::write(&path, bytes).map_err(|error| RunError::io("cannot write", &path, error))?;
        }
        Ok(())
    }

    fn supervise(
        &self,
        side: Side,
        phase: Phase,
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
                Some(self.mount_plan(side, phase, found.read_only, &command)?)
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
        let launched = launch(&plan, supervised, file, self.cancel)
            .map_err(|error| RunError::io("cannot supervise the run of", log, error));
        if let Some(group) = group {
            cgroup::remove(&group)
                .map_err(|error| RunError::io("cannot remove the control group", &group, error))?;
        }
        if !namespaces.process {
            // What slipped out of weaker holds still carries our paths in its environment.
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

    fn record_tree(&mut self, side: Side) -> Result<(), RunError> {
        let limit = self.options.keep_limit_bytes;
        let state = self.side_mut(side);
        if state.snapshot.is_none() {
            state.snapshot = Some(Snapshot::take(&state.checkout.path, &state.keep, limit)?);
        }
        Ok(())
    }

    fn restore_tree(&mut self, side: Side) -> Result<Vec<PathBuf>, RunError> {
        let state = self.side_mut(side);
        let Some(snapshot) = &mut state.snapshot else {
            return Ok(Vec::new());
        };
        let tree = &state.checkout.path;
        let mut restored = match snapshot.restore(tree) {
            Err(error) if error.is_too_long_a_path() => {
                files::remove_too_deep(tree)
                    .map_err(|error| RunError::io("cannot bring back", tree, error))?;
                snapshot.restore(tree)?
            }
            other => other?,
        };
        state.touched = false;
        restored.truncate(100);
        Ok(restored)
    }

    /// Moves what the run reported out of the way of the next one.
    fn keep_control(&self) -> Result<PathBuf, RunError> {
        let reports = self.paths.control.parent().unwrap_or(&self.record.base);
        let kept = reports.join("earlier").join(self.runs.to_string());
        match fs::rename(&self.paths.control, &kept) {
            // The run removed the whole folder: it reported nothing.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => fs::create_dir(&kept),
            other => other,
        }
        .map_err(|error| RunError::io("cannot move", &self.paths.control, error))?;
        Ok(kept)
    }
}

/// Without mount namespaces: the side's folders, renamed to the shared paths for the time of a command.
struct Moved(Vec<(PathBuf, PathBuf)>);

impl Moved {
    fn there(workspace: &Workspace<'_>, side: Side, phase: Phase) -> Result<Self, RunError> {
        let mut moved = Self(Vec::new());
        if workspace.mounts() {
            return Ok(moved);
        }
        let state = workspace.side(side);
        moved.rename(&state.checkout.path, &workspace.paths.tree)?;
        if phase == Phase::SetUp {
            // `home` may be on another file system, so a link stands in for it.
            let home = &workspace.paths.home;
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
