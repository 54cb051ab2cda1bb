//! Runs the `git` program with a pinned environment, never through a shell.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::{GitError, GitErrorKind};

/// Variables that would point git at another repository, index or behaviour than the one asked for.
/// Configuration given by the environment (`GIT_CONFIG_*`) stays: runners set `safe.directory` so.
const REMOVED: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DEFAULT_HASH",
    "GIT_DEFAULT_REF_FORMAT",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INDEX_VERSION",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_NO_LAZY_FETCH",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REDIRECT_STDERR",
    "GIT_REDIRECT_STDIN",
    "GIT_REDIRECT_STDOUT",
    "GIT_REFLOG_ACTION",
    "GIT_REF_PARANOIA",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SHALLOW_FILE",
    "GIT_TEMPLATE_DIR",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF",
    "GIT_TRACE_PACKET",
    "GIT_TRACE_PERFORMANCE",
    "GIT_TRACE_SETUP",
    "GIT_WORK_TREE",
    "LANGUAGE",
    "SSH_ASKPASS",
];

/// One call of git in one repository.
pub(crate) struct GitProgram {
    command: Command,
    program: PathBuf,
    input: Option<Vec<u8>>,
}

impl GitProgram {
    /// A call in `folder`; `bare` names the git folder where there is no work tree to find it from.
    pub(crate) fn new(program: &Path, folder: &Path, bare: Option<&Path>) -> Self {
        let mut command = Command::new(program);
        for name in REMOVED {
            command.env_remove(name);
        }
        command
            .env("LC_ALL", "C")
            .env("LANG", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "true")
            .env("SSH_ASKPASS_REQUIRE", "never")
            .env("GCM_INTERACTIVE", "never")
            .env("GIT_PAGER", "cat")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_ADVICE", "0")
            .current_dir(folder);
        // The user's hooks, watchers and conversions of warnings into errors are not part of a verdict.
        for setting in [
            "core.hooksPath=/dev/null",
            "core.fsmonitor=false",
            "core.safecrlf=false",
            "core.splitIndex=false",
            "advice.addEmbeddedRepo=false",
            "gc.auto=0",
            "maintenance.auto=false",
        ] {
            command.arg("-c").arg(setting);
        }
        if let Some(git_dir) = bare {
            let mut option = OsString::from("--git-dir=");
            option.push(git_dir);
            command.arg(option);
        }
        Self {
            command,
            program: program.to_owned(),
            input: None,
        }
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub(crate) fn args(mut self, args: &[&str]) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn input(mut self, bytes: &[u8]) -> Self {
        self.input = Some(bytes.to_vec());
        self
    }

    /// The output whatever the exit code.
    pub(crate) fn output(mut self) -> Result<Output, GitError> {
        let stdin = if self.input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        };
        let failed = |error: &std::io::Error| start_error(&self.program, error);
        let mut child = self
            .command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error))?;
        let writer = child.stdin.take().zip(self.input).map(|(mut pipe, bytes)| {
            // A thread, so that neither side waits for the other with a full pipe; git may also
            // stop reading early, which its own exit code tells.
            std::thread::spawn(move || drop(pipe.write_all(&bytes)))
        });
        let output = child
            .wait_with_output()
            .map_err(|error| start_error(&self.program, &error));
        if let Some(writer) = writer {
            drop(writer.join());
        }
        output
    }

    /// Standard output of a call that must succeed; `what` begins the error's text.
    pub(crate) fn run(self, what: &str) -> Result<Vec<u8>, GitError> {
        let output = self.output()?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(failure(what, &output))
    }

    /// As `run`, for output that is one line of text.
    pub(crate) fn line(self, what: &str) -> Result<String, GitError> {
        let bytes = self.run(what)?;
        Ok(String::from_utf8_lossy(&bytes)
            .trim_end_matches(['\r', '\n'])
            .to_owned())
    }
}

/// The error for a call that ended badly, with git's own words.
pub(crate) fn failure(what: &str, output: &Output) -> GitError {
    let words = String::from_utf8_lossy(&output.stderr);
    let detail = if words.trim().is_empty() {
        format!("git ended with {}", output.status)
    } else {
        words.into_owned()
    };
    let error = GitError::new(GitErrorKind::GitFailed, what).with_detail(&detail);
    for (marks, kind, hint) in KNOWN {
        if marks
            .iter()
            .all(|mark| mark.split('|').any(|word| detail.contains(word)))
        {
            return error.with_kind(*kind).with_hint(*hint);
        }
    }
    error
}

/// What git says of troubles with a remedy: all of the marks, of each one of its words (parted by `|`).
const KNOWN: &[(&[&str], GitErrorKind, &str)] = &[
    (
        &["dubious ownership"],
        GitErrorKind::NotTrusted,
        "add the folder to `safe.directory` (`git config --global --add safe.directory PATH`), or run as its owner",
    ),
    (
        &["promisor remote|promised object|from partial clone"],
        GitErrorKind::NotFetched,
        "this is a partial clone: its remote must be reachable, or fetch everything first (`git fetch --refetch --no-filter`)",
    ),
    (
        &[
            "external filter|smudge filter|clean filter|the remote end hung up",
            "failed|not found|unexpectedly",
        ],
        GitErrorKind::FilterFailed,
        "the filter's program must be on `PATH` and work: for `filter=lfs` install git-lfs, or judge the pointer files as they are (`git lfs uninstall`)",
    ),
    (
        &[
            "Read-only file system|Permission denied|insufficient permission",
            ".git/|worktrees|object|repository",
        ],
        GitErrorKind::ReadOnly,
        "a check registers worktrees in the repository and writes objects there: make it writable, or check a copy (`git clone PATH COPY`)",
    ),
];

fn start_error(program: &Path, error: &std::io::Error) -> GitError {
    // An unreadable folder on `PATH` hides the plain "not found".
    let bare_name = program.components().count() == 1;
    let hidden = bare_name && error.kind() == std::io::ErrorKind::PermissionDenied;
    if hidden || error.kind() == std::io::ErrorKind::NotFound {
        return GitError::new(GitErrorKind::NoGit, "no git program found: cannot start")
            .with_path(program)
            .with_hint("install git and put it on `PATH`");
    }
    GitError::io("cannot run", program, error)
}
