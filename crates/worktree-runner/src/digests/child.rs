//! The isolated interpreter: script and request on its standard input, the answer on its standard output.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::DigestError;

/// The script, in the order in which its parts need each other.
const SCRIPT: &str = concat!(
    include_str!("form.py"),
    include_str!("layout.py"),
    include_str!("rows.py"),
    include_str!("digest.py"),
    include_str!("packages.py"),
    include_str!("parts.py"),
);

/// Reads the script from standard input, which leaves the rest of it to the script: no argument is too long for this.
const BOOTSTRAP: &str = "import sys; s = sys.stdin.buffer; \
     exec(compile(s.read(int(s.readline())), 'digests', 'exec'), {'__name__': 'digests'})";

/// How one run ended.
pub(super) enum Outcome {
    /// With an answer.
    Answer(Vec<u8>),
    /// Without one; `reading` is the blob that it was reading.
    Broke {
        /// The object id of the blob.
        reading: Option<String>,
        /// What to say if nothing helps.
        error: DigestError,
    },
}

pub(super) fn run(
    python: &Path,
    request: Vec<u8>,
    timeout: Duration,
) -> Result<Outcome, DigestError> {
    let spawn = |source| DigestError::Spawn {
        python: python.display().to_string(),
        source,
    };
    let mut child = start(python).map_err(spawn)?;
    let (Some(mut stdin), Some(mut stdout), Some(mut stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(spawn(std::io::Error::other("a pipe is missing")));
    };
    let writer = thread::spawn(move || {
        // A child that ended early says so by its status.
        let script = format!("{}\n{SCRIPT}", SCRIPT.len());
        stdin
            .write_all(script.as_bytes())
            .and_then(|()| stdin.write_all(&request))
            .is_ok()
    });
    let errors = thread::spawn(move || {
        let mut bytes = Vec::new();
        stderr
            .read_to_end(&mut bytes)
            .map(|_| bytes)
            .unwrap_or_default()
    });
    let (sender, answers) = channel();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        let done = stdout.read_to_end(&mut bytes);
        sender.send(done.map(|_| bytes)).is_ok()
    });
    let outcome = answers.recv_timeout(timeout);
    if outcome.is_err() {
        child.kill().map_err(spawn)?;
    }
    let status = child.wait().map_err(spawn)?;
    let joined = writer.join().is_ok() & reader.join().is_ok();
    let errors = errors.join().unwrap_or_default();
    let errors = String::from_utf8_lossy(&errors);
    let error = match outcome {
        Ok(answer) if status.success() && joined => {
            return answer.map(Outcome::Answer).map_err(spawn);
        }
        Err(RecvTimeoutError::Timeout) => DigestError::Timeout {
            seconds: timeout.as_secs(),
        },
        Ok(_) | Err(RecvTimeoutError::Disconnected) => DigestError::Failed {
            status: status.to_string(),
            last_line: errors
                .lines()
                .last()
                .unwrap_or("it said nothing")
                .to_owned(),
        },
    };
    // A Python error is a fault of the script; only what ends the interpreter itself is laid to the file.
    let reading = if status.code().is_none() {
        errors
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("reading "))
            .map(str::to_owned)
    } else {
        None
    };
    Ok(Outcome::Broke { reading, error })
}

fn start(python: &Path) -> std::io::Result<Child> {
    let mut command = Command::new(python);
    command.args(["-I", "-S", "-c", BOOTSTRAP]).env_clear();
    for name in ["PATH", "LD_LIBRARY_PATH", "SYSTEMROOT"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}
