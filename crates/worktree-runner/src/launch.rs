//! The driver's side of one supervised command.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};

use crate::cancel::CancelFlag;
use crate::outcome::Exit;
use crate::plan::{CANCEL, IDS_MAPPED, Message, Report, SupervisorPlan, framed};
use crate::supervisor::warden::{self, Control, Order, Reach};
use crate::supervisor::{self, namespaces};

/// What came of it.
#[derive(Debug)]
pub(crate) enum Launched {
    Ended(Report),
    NotIsolated(String),
}

/// How much longer than its own deadlines a supervisor may take.
const SLACK: Duration = Duration::from_secs(30);

/// Runs the plan to its end, in a supervisor where this program can start one.
pub(crate) fn launch(
    plan: &SupervisorPlan,
    use_supervisor: bool,
    log: File,
    cancel: &CancelFlag,
) -> io::Result<Launched> {
    if !use_supervisor {
        let mut control = Flag(cancel);
        return Ok(Launched::Ended(warden::watch(
            &plan.command,
            Reach::Group,
            log,
            &mut control,
        )));
    }
    let mut child = supervisor::again(supervisor::SUPERVISOR)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::from(log))
        .spawn()?;
    let outcome = converse(&mut child, plan, cancel);
    // Closing the pipe tells a supervisor that is still there to end everything.
    drop(child.stdin.take());
    if outcome.is_err() {
        child.kill().unwrap_or_default();
    }
    child.wait()?;
    outcome
}

fn converse(child: &mut Child, plan: &SupervisorPlan, cancel: &CancelFlag) -> io::Result<Launched> {
    let started = Instant::now();
    order(child, &framed(plan)?);
    let command = &plan.command;
    let services = u64::try_from(command.services.len()).unwrap_or(u64::MAX);
    let services_ms = command.service_limit_ms.saturating_mul(services);
    let longest = Duration::from_millis(
        command
            .timeout_ms
            .saturating_add(command.interrupt_grace_ms)
            .saturating_add(command.terminate_grace_ms)
            .saturating_add(services_ms),
    )
    .saturating_add(SLACK);
    let Some(mut stdout) = child.stdout.take() else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let mut received = Vec::new();
    let mut cancelled = false;
    loop {
        if cancel.is_set() && !cancelled {
            cancelled = true;
            order(child, &[CANCEL]);
        }
        if started.elapsed() > longest {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the supervisor does not answer",
            ));
        }
        if !readable(&stdout) {
            continue;
        }
        let mut buffer = [0_u8; 4096];
        let length = stdout.read(&mut buffer)?;
        if length == 0 {
            return Ok(lost(cancelled, started));
        }
        received.extend(buffer.get(..length).unwrap_or_default());
        while let Some(end) = received.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = received.drain(..=end).collect();
            match serde_json::from_slice::<Message>(&line)? {
                Message::MapIds(process) => {
                    let mapped = namespaces::map_all_ids(process).is_ok();
                    order(child, &[if mapped { IDS_MAPPED } else { b'-' }]);
                }
                Message::NotIsolated(reason) => return Ok(Launched::NotIsolated(reason)),
                Message::Ended(report) => return Ok(Launched::Ended(report)),
            }
        }
    }
}

/// The supervisor is gone without an answer: a test killed it. The run ended by a signal.
fn lost(cancelled: bool, started: Instant) -> Launched {
    let exit = if cancelled {
        Exit::Cancelled
    } else {
        Exit::Signal(9)
    };
    Launched::Ended(Report {
        duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        ..Report::new(exit)
    })
}

/// That nobody reads any more shows itself as the end of the other pipe.
fn order(child: &mut Child, bytes: &[u8]) {
    if let Some(pipe) = child.stdin.as_mut() {
        pipe.write_all(bytes).unwrap_or_default();
    }
}

fn readable(stream: &impl AsFd) -> bool {
    let mut waits = [PollFd::new(stream, PollFlags::IN)];
    let pause = Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };
    matches!(rustix::event::poll(&mut waits, Some(&pause)), Ok(count) if count > 0)
}

struct Flag<'a>(&'a CancelFlag);

impl Control for Flag<'_> {
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    fn order(&mut self) -> Order {
        if self.0.is_set() {
            Order::Cancel
        } else {
            Order::GoOn
        }
    }
}
