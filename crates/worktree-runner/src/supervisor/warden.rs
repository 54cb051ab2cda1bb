//! Starts one command, watches its time and output, and ends whatever it leaves.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};

use super::output::CappedLog;
use super::processes;
use crate::outcome::Exit;
use crate::plan::{CommandPlan, Report};

/// How descendants are found when the command has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// This process is the first of a process namespace.
    Namespace,
    /// This process inherits orphans.
    Subreaper,
    /// Only the group, and a text in their environment.
    Group,
}

/// What the other end of the control says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    GoOn,
    Cancel,
    /// Nobody waits for an answer any more.
    Abandoned,
}

/// Where orders come from.
pub(crate) trait Control {
    /// Something that becomes readable with an order, if there is such a thing.
    fn descriptor(&self) -> Option<BorrowedFd<'_>>;
    /// Looks without waiting.
    fn order(&mut self) -> Order;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    Interrupted,
    Terminated,
    Killed,
}

struct Watch<'a> {
    plan: &'a CommandPlan,
    reach: Reach,
    child: i32,
    started: Instant,
    stage: Stage,
    next: Instant,
    ended_by: Option<Exit>,
    output: Option<OwnedFd>,
    log: CappedLog,
}

/// Runs the command of the plan to its end.
pub(crate) fn watch(
    plan: &CommandPlan,
    reach: Reach,
    log: File,
    control: &mut dyn Control,
) -> Report {
    let started = Instant::now();
    match spawn(plan) {
        Err(reason) => Report {
            exit: Exit::NotStarted(reason),
            duration_ms: 0,
            survivors_killed: 0,
            log_dropped_bytes: 0,
            log_error: None,
        },
        Ok((child, output)) => {
            let mut watch = Watch {
                plan,
                reach,
                child: i32::try_from(child.id()).unwrap_or(0),
                started,
                stage: Stage::Running,
                next: started + Duration::from_millis(plan.timeout_ms),
                ended_by: None,
                output: Some(output),
                log: CappedLog::new(log, plan.log_limit_bytes),
            };
            let status = watch.until_exit(child, control);
            watch.report(status)
        }
    }
}

fn spawn(plan: &CommandPlan) -> Result<(Child, OwnedFd), String> {
    let Some((program, arguments)) = plan.argv.split_first() else {
        return Err("the command is empty".to_owned());
    };
    let describe = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound if !plan.directory.is_dir() => {
            format!("folder `{}` is not there", plan.directory.display())
        }
        io::ErrorKind::NotFound => format!("command `{program}` not found"),
        _ => format!("command `{program}`: {error}"),
    };
    let pipe = || rustix::pipe::pipe_with(PipeFlags::CLOEXEC).map_err(io::Error::from);
    let (reader, writer) = pipe().map_err(describe)?;
    rustix::io::ioctl_fionbio(&reader, true).map_err(|error| describe(error.into()))?;
    let second = writer.try_clone().map_err(describe)?;
    let path = std::path::Path::new(program);
    let program_path = if path.components().count() > 1 {
        plan.directory.join(path)
    } else {
        path.into()
    };
    let child = Command::new(program_path)
        .args(arguments)
        .env_clear()
        .envs(&plan.environment)
        .current_dir(&plan.directory)
        .stdin(Stdio::null())
        .stdout(Stdio::from(writer))
        .stderr(Stdio::from(second))
        .process_group(0)
        .spawn()
        .map_err(describe)?;
    Ok((child, reader))
}

impl Watch<'_> {
    fn until_exit(&mut self, child: Child, control: &mut dyn Control) -> Option<ExitStatus> {
        let handle = Pid::from_raw(self.child)
            .and_then(|pid| rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok());
        let mut child = child;
        loop {
            match control.order() {
                Order::Cancel if self.stage == Stage::Running => {
                    self.ended_by = Some(Exit::Cancelled);
                    self.next = Instant::now();
                }
                Order::GoOn | Order::Cancel => {}
                Order::Abandoned => {
                    self.ended_by = Some(Exit::Cancelled);
                    self.stage = Stage::Terminated;
                    self.next = Instant::now();
                }
            }
            if Instant::now() >= self.next {
                self.escalate();
            }
            self.wait(handle.as_ref(), control);
            self.read_output();
            match self.reap(&mut child) {
                Ok(Some(status)) => return Some(status),
                Ok(None) => {}
                Err(_) => return None,
            }
        }
    }

    fn wait(&self, handle: Option<&OwnedFd>, control: &dyn Control) {
        // Orphans and a control without descriptor are looked at now and then; the rest wakes us.
        let wakes = handle.is_some() && control.descriptor().is_some();
        let longest = Duration::from_millis(if wakes { 1000 } else { 20 });
        let pause = self
            .next
            .saturating_duration_since(Instant::now())
            .min(longest);
        let mut descriptors = Vec::with_capacity(3);
        descriptors.extend(handle.map(|fd| PollFd::new(fd, PollFlags::IN)));
        descriptors.extend(
            self.output
                .as_ref()
                .map(|fd| PollFd::new(fd, PollFlags::IN)),
        );
        descriptors.extend(
            control
                .descriptor()
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        );
        if let Ok(timeout) = Timespec::try_from(pause) {
            rustix::event::poll(&mut descriptors, Some(&timeout)).unwrap_or_default();
        }
    }

    /// Reads what is there, a bounded amount, and never waits for the end of the stream: a
    /// grandchild may hold it open for ever.
    fn read_output(&mut self) {
        let mut buffer = [0_u8; 16384];
        for _ in 0..256 {
            let Some(output) = &self.output else { return };
            match rustix::io::read(output.as_fd(), &mut buffer[..]) {
                Ok(0) => self.output = None,
                Ok(length) => self.log.push(buffer.get(..length).unwrap_or_default()),
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => return,
                Err(_) => self.output = None,
            }
        }
    }

    /// Takes in ended orphans; returns the status of the command when it ended.
    fn reap(&self, child: &mut Child) -> io::Result<Option<ExitStatus>> {
        if self.reach == Reach::Group {
            return child.try_wait();
        }
        while let Some((pid, status)) = rustix::process::wait(WaitOptions::NOHANG)? {
            if pid.as_raw_nonzero().get() == self.child {
                return Ok(Some(ExitStatus::from_raw(status.as_raw())));
            }
        }
        Ok(None)
    }

    fn escalate(&mut self) {
        let grace = |milliseconds: u64| Instant::now() + Duration::from_millis(milliseconds);
        match self.stage {
            Stage::Running => {
                if self.ended_by.is_none() {
                    self.ended_by = Some(Exit::TimedOut);
                }
                processes::kill_group(self.child, Signal::INT);
                self.stage = Stage::Interrupted;
                self.next = grace(self.plan.interrupt_grace_ms);
            }
            Stage::Interrupted => {
                processes::kill_group(self.child, Signal::TERM);
                self.stage = Stage::Terminated;
                self.next = grace(self.plan.terminate_grace_ms);
            }
            Stage::Terminated | Stage::Killed => {
                processes::kill_group(self.child, Signal::KILL);
                processes::kill(self.child, Signal::KILL);
                self.stage = Stage::Killed;
                self.next = grace(200);
            }
        }
    }

    fn report(mut self, status: Option<ExitStatus>) -> Report {
        let duration = self.started.elapsed();
        let survivors_killed = self.end_survivors();
        self.read_output();
        let exit = self.ended_by.take().unwrap_or_else(|| exit_of(status));
        let (log_dropped_bytes, log_error) = self.log.finish();
        Report {
            exit,
            duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
            survivors_killed,
            log_dropped_bytes,
            log_error,
        }
    }

    fn end_survivors(&self) -> u32 {
        let own = i32::try_from(std::process::id()).unwrap_or(0);
        let child = self.child;
        let reap = || while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {};
        match self.reach {
            // Whoever is left below us is our child or below one: without children nobody is.
            Reach::Namespace | Reach::Subreaper if no_children() => 0,
            Reach::Namespace | Reach::Subreaper => {
                processes::kill_until_none(|| processes::descendants(own), reap)
            }
            Reach::Group => {
                let mark = self
                    .plan
                    .environment
                    .get("TMPDIR")
                    .cloned()
                    .unwrap_or_default();
                processes::kill_until_none(
                    || {
                        let mut found = processes::group(child);
                        found.extend(processes::with_environment(&mark));
                        found
                    },
                    || {},
                )
            }
        }
    }
}

fn no_children() -> bool {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => return false,
            Err(error) => return error == rustix::io::Errno::CHILD,
        }
    }
}

fn exit_of(status: Option<ExitStatus>) -> Exit {
    match status {
        None => Exit::NotStarted("its exit status was lost".to_owned()),
        Some(status) => match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, Some(signal)) => Exit::Signal(signal),
            (None, None) => {
                Exit::NotStarted("its exit status was neither code nor signal".to_owned())
            }
        },
    }
}
