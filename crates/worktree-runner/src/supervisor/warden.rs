//! Starts one command, watches its time and output, and ends whatever it leaves.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};

use super::output::CappedLog;
use super::{cgroup, processes, spawn};
use crate::isolation::Confinement;
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

pub(super) struct Watch<'a> {
    pub(super) plan: &'a CommandPlan,
    reach: Reach,
    child: i32,
    started: Instant,
    stage: Stage,
    /// When the next step is due.
    pub(super) next: Instant,
    ended_by: Option<Exit>,
    /// What the command says, and what its services say.
    outputs: [Option<OwnedFd>; 2],
    log: CappedLog,
    confined: Option<Confinement>,
    /// Processes of the services.
    services: BTreeSet<i32>,
}

/// Runs the command of the plan to its end.
pub(crate) fn watch(
    plan: &CommandPlan,
    reach: Reach,
    log: File,
    control: &mut dyn Control,
) -> Report {
    let mut watch = Watch {
        plan,
        reach,
        child: 0,
        started: Instant::now(),
        stage: Stage::Running,
        next: Instant::now(),
        ended_by: None,
        outputs: [None, None],
        log: CappedLog::new(log, plan.log_limit_bytes),
        confined: None,
        services: BTreeSet::new(),
    };
    match watch.start(control) {
        Ok(child) => {
            let status = watch.until_exit(child, control);
            watch.report(status)
        }
        Err(exit) => {
            watch.ended_by = Some(exit);
            watch.report(None)
        }
    }
}

impl Watch<'_> {
    /// Starts the services, then the command.
    fn start(&mut self, control: &mut dyn Control) -> Result<Child, Exit> {
        let not_started = |error: io::Error| Exit::NotStarted(error.to_string());
        if !self.plan.services.is_empty() {
            let (reader, writer) = spawn::output_pipe().map_err(not_started)?;
            self.outputs = [None, Some(reader)];
            self.start_services(&writer, control)?;
            self.services = self.held().into_iter().collect();
        }
        let (reader, writer) = spawn::output_pipe().map_err(not_started)?;
        let started = spawn::command(self.plan, &writer).map_err(Exit::NotStarted)?;
        let [output, _] = &mut self.outputs;
        *output = Some(reader);
        self.confined = started.confined;
        self.child = i32::try_from(started.child.id()).unwrap_or(0);
        self.started = Instant::now();
        self.next = self.started + Duration::from_millis(self.plan.timeout_ms);
        Ok(started.child)
    }

    fn until_exit(&mut self, child: Child, control: &mut dyn Control) -> Option<ExitStatus> {
        let handle = Pid::from_raw(self.child)
            .and_then(|pid| rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok());
        let mut child = child;
        // Without a handle nothing tells of the end.
        let longest = Duration::from_millis(if handle.is_some() { 1000 } else { 20 });
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
            self.pause(handle.as_ref(), control, longest);
            self.read_output();
            match self.reap(&mut child) {
                Ok(Some(status)) => return Some(status),
                Ok(None) => {}
                Err(_) => return None,
            }
        }
    }

    /// Waits for whatever comes first: the process behind the handle, output, an order, or the next step.
    pub(super) fn pause(&self, handle: Option<&OwnedFd>, control: &dyn Control, longest: Duration) {
        // Orphans and a control without descriptor are looked at now and then; the rest wakes us.
        let longest = match control.descriptor() {
            Some(_) => longest,
            None => longest.min(Duration::from_millis(20)),
        };
        let pause = self
            .next
            .saturating_duration_since(Instant::now())
            .min(longest);
        let mut descriptors = Vec::with_capacity(4);
        let outputs = self.outputs.iter().filter_map(Option::as_ref);
        for descriptor in handle.into_iter().chain(outputs) {
            descriptors.push(PollFd::new(descriptor, PollFlags::IN));
        }
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
    pub(super) fn read_output(&mut self) {
        let mut buffer = [0_u8; 16384];
        for output in &mut self.outputs {
            for _ in 0..256 {
                let Some(open) = output else { break };
                match rustix::io::read(open.as_fd(), &mut buffer[..]) {
                    Ok(0) => *output = None,
                    Ok(length) => self.log.push(buffer.get(..length).unwrap_or_default()),
                    Err(rustix::io::Errno::INTR) => {}
                    Err(rustix::io::Errno::AGAIN) => break,
                    Err(_) => *output = None,
                }
            }
        }
    }

    /// Whether anybody could still write to the output of the command.
    fn output_held(&self) -> bool {
        let [Some(output), _] = &self.outputs else {
            return false;
        };
        let mut waits = [PollFd::new(output, PollFlags::empty())];
        let none = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        rustix::event::poll(&mut waits, Some(&none)).is_ok()
            && waits
                .iter()
                .all(|wait| !wait.revents().contains(PollFlags::HUP))
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
        let output_held = self.output_held();
        let survivors_killed = self.end_survivors();
        self.read_output();
        let exit = self.ended_by.take().unwrap_or_else(|| exit_of(status));
        let (log_dropped_bytes, log_error) = self.log.finish();
        Report {
            duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
            survivors_killed,
            log_dropped_bytes,
            log_error,
            output_held,
            confined: self.confined,
            ..Report::new(exit)
        }
    }

    /// Ends what the command left, then its services; returns how many processes it left.
    fn end_survivors(&self) -> u32 {
        let reap = || {
            if self.reach != Reach::Group {
                while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
            }
        };
        let left = || {
            let mut left = self.held();
            if !self.services.is_empty() {
                let theirs = processes::with_descendants(&self.services);
                left.retain(|process| !theirs.contains(process));
            }
            left
        };
        // Its own services do not count as left behind.
        let count = processes::kill_until_none(left, reap);
        processes::kill_until_none(
            || {
                if let Some(group) = self.cgroup() {
                    // All at once, and again while any is there: none escapes by being fast.
                    cgroup::kill(group).unwrap_or_default();
                }
                self.held()
            },
            reap,
        );
        count
    }

    /// Living processes of the run, whatever they belong to.
    fn held(&self) -> Vec<i32> {
        let own = i32::try_from(std::process::id()).unwrap_or(0);
        let mut found = match self.reach {
            // Whoever is left below us is our child or below one: without children nobody is.
            Reach::Namespace | Reach::Subreaper if no_children() => Vec::new(),
            Reach::Namespace | Reach::Subreaper => processes::descendants(own),
            Reach::Group => {
                let mark = self.plan.environment.get("TMPDIR");
                let mut found = processes::with_environment(mark.map_or("", String::as_str));
                if self.child > 0 {
                    found.extend(processes::group(self.child));
                }
                found
            }
        };
        found.extend(self.cgroup().map(cgroup::members).unwrap_or_default());
        found.sort_unstable();
        found.dedup();
        found
    }

    fn cgroup(&self) -> Option<&std::path::Path> {
        self.plan.confine.as_ref()?.cgroup.as_deref()
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
