//! Starts the processes of a run: its command, its services, and what asks whether they are ready.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::pipe::PipeFlags;

use super::confine::{self, Failed};
use crate::isolation::Confinement;
use crate::plan::CommandPlan;

/// A process of a run, and what landlock refuses it.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) confined: Option<Confinement>,
}

/// A pipe whose reading end does not block; neither end is inherited.
pub(super) fn output_pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&reader, true)?;
    Ok((reader, writer))
}

/// The command of the plan itself; the text says why it could not be started.
pub(super) fn command(plan: &CommandPlan, output: &OwnedFd) -> Result<Started, String> {
    let Some((program, arguments)) = plan.argv.split_first() else {
        return Err("the command is empty".to_owned());
    };
    let path = Path::new(program);
    let path: PathBuf = if path.components().count() > 1 {
        plan.directory.join(path)
    } else {
        path.into()
    };
    let mut command = Command::new(path);
    command.args(arguments).current_dir(&plan.directory);
    start(plan, &mut command, output).map_err(|failed| match failed {
        Failed::Refused(reason) => format!("its confinement was refused: {reason}"),
        Failed::Io(error) => match error.kind() {
            io::ErrorKind::NotFound if !plan.directory.is_dir() => {
                format!("folder `{}` is not there", plan.directory.display())
            }
            io::ErrorKind::NotFound => format!("command `{program}` not found"),
            _ => format!("command `{program}`: {error}"),
        },
    })
}

/// A shell line of a service, in the environment of the command; without `output` it speaks to nobody.
pub(super) fn shell(
    plan: &CommandPlan,
    line: &str,
    output: Option<&OwnedFd>,
) -> Result<Child, String> {
    let describe = |failed| match failed {
        Failed::Refused(reason) => format!("its confinement was refused: {reason}"),
        Failed::Io(error) => error.to_string(),
    };
    let null = File::options()
        .write(true)
        .open("/dev/null")
        .map(OwnedFd::from)
        .map_err(|error| error.to_string())?;
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", line])
        .current_dir(&plan.service_directory);
    start(plan, &mut command, output.unwrap_or(&null))
        .map(|started| started.child)
        .map_err(describe)
}

fn start(plan: &CommandPlan, command: &mut Command, output: &OwnedFd) -> Result<Started, Failed> {
    let output = || output.try_clone().map_err(Failed::Io);
    command.env_clear().envs(&plan.environment);
    if let Some(plan) = &plan.confine {
        let (child, confined) = confine::spawn(plan, command, (output()?, output()?))?;
        return Ok(Started { child, confined });
    }
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::from(output()?))
        .stderr(Stdio::from(output()?))
        .process_group(0)
        .spawn()
        .map_err(Failed::Io)?;
    Ok(Started {
        child,
        confined: None,
    })
}
