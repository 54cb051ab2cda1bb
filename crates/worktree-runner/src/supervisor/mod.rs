//! The small processes between the driver and a test command: supervisor, first process of a
//! namespace, janitor. Each is this program started again with a private first argument.

pub(crate) mod cgroup;
mod confine;
pub(crate) mod janitor;
mod landlocked;
mod loopback;
pub(crate) mod namespaces;
pub(crate) mod output;
mod overlay;
pub(crate) mod processes;
mod services;
mod spawn;
pub(crate) mod warden;

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{DumpableBehavior, Pid, PidfdFlags, Resource, Rlimit, Signal};
use rustix::thread::CapabilitySet;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use crate::plan::{CANCEL, CommandPlan, Message, Report, SupervisorPlan};
use warden::{Control, Order, Reach};

pub(crate) const SUPERVISOR: &str = "__worktree-runner-supervisor";
pub(crate) const JANITOR: &str = "__worktree-runner-janitor";
const FIRST_PROCESS: &str = "__worktree-runner-init";
const CONFINED: &str = "__worktree-runner-confined";

static ENTERED: AtomicBool = AtomicBool::new(false);

/// Must be the first line of `main` of every program that makes runs.
///
/// When the process was started as a supervisor it does that work and does not return. Without
/// this call runs are held together by process groups alone, and their rows say so.
#[expect(
    clippy::exit,
    reason = "in a supervisor process there is no caller to return to"
)]
pub fn enter() {
    let role = std::env::args_os().nth(1);
    let role = role.as_deref().and_then(std::ffi::OsStr::to_str);
    let code = match role {
        Some(SUPERVISOR) => supervise(),
        Some(FIRST_PROCESS) => first_process(),
        Some(JANITOR) => janitor::keep(),
        Some(CONFINED) => confine::become_command(),
        _ => {
            ENTERED.store(true, Ordering::SeqCst);
            return;
        }
    };
    std::process::exit(i32::from(code));
}

/// Whether this program can start itself as a supervisor.
pub(crate) fn available() -> bool {
    cfg!(target_os = "linux") && ENTERED.load(Ordering::SeqCst)
}

/// The program itself, started again in a role; nothing of the caller's environment goes along.
pub(crate) fn again(role: &str) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command
        .arg0("worktree-runner")
        .arg(role)
        .env_clear()
        .current_dir("/");
    command
}

/// The pipes to the driver: orders come in on standard input, messages go out on standard output.
#[derive(Debug)]
pub(crate) struct Driver {
    orders: io::Stdin,
    gone: bool,
    /// A cancel that came while something else was waited for.
    cancelled: bool,
}

impl Driver {
    fn connect() -> Self {
        Self {
            orders: io::stdin(),
            gone: false,
            cancelled: false,
        }
    }

    fn send(message: &Message) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        out.write_all(&line)
    }

    /// The next byte, `None` at the end of the stream.
    fn receive_byte(&mut self) -> io::Result<Option<u8>> {
        let mut byte = [0_u8; 1];
        loop {
            match rustix::io::read(&self.orders, &mut byte[..]) {
                Ok(0) => return Ok(None),
                Ok(_) => return Ok(byte.first().copied()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// One order, as [`framed`](crate::plan::framed); what follows it belongs to somebody else.
    fn receive_order(&mut self) -> io::Result<Vec<u8>> {
        let mut length = 0_usize;
        loop {
            match self.receive_byte()? {
                Some(b'\n') => break,
                Some(digit @ b'0'..=b'9') => {
                    let digit = usize::from(digit - b'0');
                    length = length.saturating_mul(10).saturating_add(digit);
                }
                Some(_) => return Err(io::ErrorKind::InvalidData.into()),
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
        let mut order = Vec::new();
        while order.len() < length {
            let mut chunk = [0_u8; 16384];
            let wanted = chunk.len().min(length - order.len());
            let part = chunk.get_mut(..wanted).unwrap_or_default();
            match rustix::io::read(&self.orders, part) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => order.extend(chunk.get(..read).unwrap_or_default()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(order)
    }
}

impl Control for Driver {
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        (!self.gone).then(|| self.orders.as_fd())
    }

    fn order(&mut self) -> Order {
        if std::mem::take(&mut self.cancelled) {
            return Order::Cancel;
        }
        if self.gone {
            return Order::GoOn;
        }
        let mut ready = [PollFd::new(&self.orders, PollFlags::IN)];
        let none = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        if !matches!(rustix::event::poll(&mut ready, Some(&none)), Ok(1)) {
            return Order::GoOn;
        }
        match self.receive_byte() {
            Ok(Some(CANCEL)) => Order::Cancel,
            Ok(Some(_)) => Order::GoOn,
            Ok(None) | Err(_) => {
                self.gone = true;
                Order::Abandoned
            }
        }
    }
}

fn supervise() -> u8 {
    // A terminal's Ctrl-C is the driver's business; it tells us.
    rustix::process::setsid().ok();
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).unwrap_or_default();
    take_signals();
    let mut driver = Driver::connect();
    let Ok(line) = driver.receive_order() else {
        return 1;
    };
    let Ok(plan) = serde_json::from_slice::<SupervisorPlan>(&line) else {
        return 1;
    };
    // From here on the pipe tells of the driver's death, and the end is orderly.
    rustix::process::set_parent_process_death_signal(None).unwrap_or_default();
    if let Err(reason) = namespaces::enter(&plan, &mut driver) {
        return u8::from(Driver::send(&Message::NotIsolated(reason)).is_err());
    }
    if plan.namespaces.process {
        hand_over(&plan.command, &mut driver)
    } else {
        rustix::process::set_child_subreaper(Pid::from_raw(1)).unwrap_or_default();
        act(&plan.command, Reach::Subreaper, &mut driver)
    }
}

/// Starts the first process of the new namespace and passes orders on to it.
fn hand_over(plan: &CommandPlan, driver: &mut Driver) -> u8 {
    keep_mount_right_over_exec();
    let spawned = again(FIRST_PROCESS).stdin(Stdio::piped()).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            let message = Message::NotIsolated(format!("first process: {error}"));
            return u8::from(Driver::send(&message).is_err());
        }
    };
    let mut orders = child.stdin.take();
    if let Ok(order) = crate::plan::framed(plan) {
        pass_on(&mut orders, &order);
    }
    let handle = i32::try_from(child.id())
        .ok()
        .and_then(Pid::from_raw)
        .and_then(|pid| rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok());
    if driver.cancelled {
        driver.cancelled = false;
        pass_on(&mut orders, &[CANCEL]);
    }
    loop {
        let mut waits = Vec::with_capacity(2);
        waits.extend(handle.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)));
        waits.extend(
            driver
                .descriptor()
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        );
        let timeout = Timespec {
            tv_sec: 0,
            tv_nsec: 100_000_000,
        };
        let timeout = if handle.is_some() {
            None
        } else {
            Some(&timeout)
        };
        rustix::event::poll(&mut waits, timeout).unwrap_or_default();
        match child.try_wait() {
            Ok(Some(status)) => return u8::from(status.into_raw() != 0),
            Ok(None) => {}
            Err(_) => return 1,
        }
        match driver.order() {
            Order::GoOn => {}
            Order::Cancel => pass_on(&mut orders, &[CANCEL]),
            Order::Abandoned => orders = None,
        }
    }
}

fn pass_on(orders: &mut Option<ChildStdin>, bytes: &[u8]) {
    if let Some(pipe) = orders
        && pipe.write_all(bytes).is_err()
    {
        *orders = None;
    }
}

fn first_process() -> u8 {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).unwrap_or_default();
    rustix::process::setsid().ok();
    take_signals();
    let mut driver = Driver::connect();
    let Ok(line) = driver.receive_order() else {
        return 1;
    };
    let Ok(plan) = serde_json::from_slice::<CommandPlan>(&line) else {
        return 1;
    };
    if plan.fresh_proc
        && let Err(error) = namespaces::mount_proc()
    {
        return u8::from(
            Driver::send(&Message::NotIsolated(format!("fresh /proc: {error}"))).is_err(),
        );
    }
    give_up_mount_right();
    act(&plan, Reach::Namespace, &mut driver)
}

/// A start of another program takes a user's rights in the namespace away; the first process still
/// has to mount `/proc`.
fn keep_mount_right_over_exec() {
    if let Ok(mut sets) = rustix::thread::capabilities(None) {
        sets.inheritable |= CapabilitySet::SYS_ADMIN;
        let raised = rustix::thread::set_capabilities(None, sets).and_then(|()| {
            rustix::thread::configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)
        });
        // Where it cannot be kept the mount is refused, and a weaker level is used and recorded.
        raised.unwrap_or_default();
    }
}

/// The command must not inherit what [`keep_mount_right_over_exec`] kept.
fn give_up_mount_right() {
    rustix::thread::clear_ambient_capability_set().unwrap_or_default();
    if let Ok(mut sets) = rustix::thread::capabilities(None) {
        sets.inheritable = CapabilitySet::empty();
        rustix::thread::set_capabilities(None, sets).unwrap_or_default();
    }
}

fn act(plan: &CommandPlan, reach: Reach, driver: &mut Driver) -> u8 {
    // With it root could write our answer through /proc as well.
    drop_from_bounding_set(CapabilitySet::SYS_PTRACE);
    if plan.drop_capabilities {
        drop_capabilities();
    }
    // A test that crashes must not fill the disk; where it is not allowed it is not needed either.
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    rustix::process::setrlimit(Resource::Core, none).unwrap_or_default();
    // The tests run as the same user: without this they could write our answer through /proc.
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).unwrap_or_default();
    let Ok(log) = io::stderr().as_fd().try_clone_to_owned() else {
        return 1;
    };
    let report = if plan.argv.is_empty() {
        match plan.confine.as_ref().map(confine::try_out).transpose() {
            Ok(confined) => Report {
                confined: confined.flatten(),
                ..Report::new(crate::outcome::Exit::Code(0))
            },
            Err(reason) => {
                return u8::from(Driver::send(&Message::NotIsolated(reason)).is_err());
            }
        }
    } else {
        warden::watch(plan, reach, File::from(log), driver)
    };
    u8::from(Driver::send(&Message::Ended(report)).is_err())
}

/// Catches the signals that ask for an end: orders come over the pipe. A caught signal also starts
/// out as default in the command, even where our caller had it ignored (a shell's background job),
/// so that an interrupt reaches a test runner.
fn take_signals() {
    let seen = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
        signal_hook::flag::register(signal, Arc::clone(&seen)).ok();
    }
}

/// A command that runs as root could otherwise undo the mounts or set the clock.
fn drop_capabilities() {
    for capability in [
        CapabilitySet::SYS_ADMIN,
        CapabilitySet::SYS_TIME,
        CapabilitySet::SYS_MODULE,
        CapabilitySet::SYS_RAWIO,
        CapabilitySet::SYS_BOOT,
        CapabilitySet::NET_ADMIN,
        CapabilitySet::MKNOD,
        // Files that nobody can remove, and files reached by number past the mounts.
        CapabilitySet::LINUX_IMMUTABLE,
        CapabilitySet::DAC_READ_SEARCH,
        // The environment and memory of other processes, past landlock.
        CapabilitySet::PERFMON,
        CapabilitySet::BPF,
        CapabilitySet::SYSLOG,
        CapabilitySet::CHECKPOINT_RESTORE,
    ] {
        drop_from_bounding_set(capability);
    }
}

/// Without the right to do so the process is not root, and its commands have no capability anyway.
fn drop_from_bounding_set(capability: CapabilitySet) {
    rustix::thread::remove_capability_from_bounding_set(capability).unwrap_or_default();
}
