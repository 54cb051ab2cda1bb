//! Puts a command into a control group and under landlock before it starts: a process in between that
//! confines itself and then becomes the command, so that the supervisor stays outside.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde::{Deserialize, Serialize};

use super::{Driver, cgroup, landlocked};
use crate::isolation::Confinement;
use crate::plan::{ConfinePlan, framed};

/// What the process in between is told; an empty `argv` only tries the confinement out.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Start {
    confine: ConfinePlan,
    program: PathBuf,
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
    directory: PathBuf,
}

/// What it answers, a line each; that it became the command shows itself as the end of the stream.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Confined(Option<Confinement>),
    Refused(String),
    /// The kind of an error by its number, where it has one, and its text.
    NotStarted(Option<i32>, String),
}

/// A command that could not be started.
#[derive(Debug)]
pub(super) enum Failed {
    /// The confinement was refused.
    Refused(String),
    /// The command itself.
    Io(io::Error),
}

/// Starts a command, as `command` describes it, in confinement.
pub(super) fn spawn(
    confine: &ConfinePlan,
    command: &Command,
    outputs: (OwnedFd, OwnedFd),
) -> Result<(Child, Option<Confinement>), Failed> {
    let text = |text: &std::ffi::OsStr| text.to_string_lossy().into_owned();
    let start = Start {
        confine: confine.clone(),
        program: command.get_program().into(),
        arguments: command.get_args().map(text).collect(),
        environment: command
            .get_envs()
            .filter_map(|(name, value)| Some((text(name), text(value?))))
            .collect(),
        directory: command
            .get_current_dir()
            .map_or_else(|| "/".into(), Into::into),
    };
    let (ours, theirs) = UnixStream::pair().map_err(Failed::Io)?;
    let (out, err) = outputs;
    let mut child = super::again(super::CONFINED)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(out))
        .stderr(Stdio::from(err))
        .process_group(0)
        .spawn()
        .map_err(Failed::Io)?;
    match converse(ours, &start) {
        Ok(confined) => Ok((child, confined)),
        Err(failed) => {
            child.kill().unwrap_or_default();
            child.wait().ok();
            Err(failed)
        }
    }
}

/// Whether a command could be confined so, without starting one.
pub(super) fn try_out(confine: &ConfinePlan) -> Result<Option<Confinement>, String> {
    let null = || {
        let null = std::fs::File::options().write(true).open("/dev/null");
        null.map(OwnedFd::from).map_err(|error| error.to_string())
    };
    let nothing = Command::new("");
    let (mut child, confined) =
        spawn(confine, &nothing, (null()?, null()?)).map_err(|failed| match failed {
            Failed::Refused(reason) => reason,
            Failed::Io(error) => error.to_string(),
        })?;
    child.wait().map_err(|error| error.to_string())?;
    Ok(confined)
}

fn converse(mut stream: UnixStream, start: &Start) -> Result<Option<Confinement>, Failed> {
    let order = framed(start).map_err(Failed::Io)?;
    stream.write_all(&order).map_err(Failed::Io)?;
    let mut confined = Err(Failed::Refused(
        "it ended before it was confined".to_owned(),
    ));
    for line in BufReader::new(stream).lines() {
        let line = line.map_err(Failed::Io)?;
        let answer: Answer =
            serde_json::from_str(&line).map_err(|error| Failed::Io(error.into()))?;
        confined = match answer {
            Answer::Confined(confinement) => Ok(confinement),
            Answer::Refused(reason) => Err(Failed::Refused(reason)),
            Answer::NotStarted(Some(number), _) => {
                Err(Failed::Io(io::Error::from_raw_os_error(number)))
            }
            Answer::NotStarted(None, text) => Err(Failed::Io(io::Error::other(text))),
        };
    }
    confined
}

/// The main of the process in between.
pub(super) fn become_command() -> u8 {
    let mut driver = Driver::connect();
    let Ok(line) = driver.receive_order() else {
        return 1;
    };
    let Ok(start) = serde_json::from_slice::<Start>(&line) else {
        return 1;
    };
    // A copy that the command does not inherit: standard input is replaced before the start may fail.
    let Ok(supervisor) = io::stdin().as_fd().try_clone_to_owned() else {
        return 1;
    };
    let tell = |answer: &Answer| tell(&supervisor, answer);
    let confined = confine(&start.confine);
    let refused = confined.is_err();
    let told = match confined {
        Ok(confinement) => tell(&Answer::Confined(confinement)),
        Err(reason) => tell(&Answer::Refused(reason)),
    };
    if told.is_err() || refused {
        return 1;
    }
    if start.program.as_os_str().is_empty() {
        return 0;
    }
    let error = Command::new(&start.program)
        .args(&start.arguments)
        .env_clear()
        .envs(&start.environment)
        .current_dir(&start.directory)
        .stdin(Stdio::null())
        .exec();
    tell(&Answer::NotStarted(error.raw_os_error(), error.to_string())).unwrap_or_default();
    1
}

fn confine(plan: &ConfinePlan) -> Result<Option<Confinement>, String> {
    if let Some(group) = &plan.cgroup {
        cgroup::enter(group).map_err(|error| format!("control group: {error}"))?;
    }
    let landlock = plan.landlock.as_ref();
    landlock.map(landlocked::restrict).transpose()
}

fn tell(supervisor: &OwnedFd, answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    std::fs::File::from(supervisor.try_clone()?).write_all(&line)
}
