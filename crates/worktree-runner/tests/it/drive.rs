//! A small repository with two commits, and the example program that makes runs in it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(place.repo()).unwrap();
        place.git(&["init", "-q", "-b", "main"]);
        fs::write(place.repo().join("value"), "parent\n").unwrap();
        fs::write(place.repo().join(".gitignore"), "*.o\n").unwrap();
        fs::create_dir(place.repo().join("sub")).unwrap();
        fs::write(place.repo().join("sub/inner"), "inner\n").unwrap();
        place.git(&["add", "."]);
        place.git(&["commit", "-q", "-m", "parent"]);
        fs::write(place.repo().join("value"), "patch\n").unwrap();
        place.git(&["commit", "-q", "-a", "-m", "patch"]);
        place
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.repo().join(".pv/work")
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .arg("-C")
            .arg(self.repo())
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_AUTHOR_NAME", "a")
            .env("GIT_AUTHOR_EMAIL", "a@example.org")
            .env("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z")
            .env("GIT_COMMITTER_NAME", "a")
            .env("GIT_COMMITTER_EMAIL", "a@example.org")
            .env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "git {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// An order for the example program; `more` outranks the defaults.
    pub(crate) fn order(&self, more: &Value) -> Value {
        let mut order = json!({
            "repo": self.repo(), "parent": "HEAD~1", "patch": "HEAD",
            "state": self.state(), "logs": self.folder.path().join("logs"),
        });
        for (key, value) in more.as_object().unwrap() {
            order[key] = value.clone();
        }
        order
    }

    pub(crate) fn command(&self, more: &Value) -> Command {
        let file = self.folder.path().join("order.json");
        fs::write(&file, self.order(more).to_string()).unwrap();
        let mut command = Command::new(program());
        command.arg(file).stdin(Stdio::null());
        command
    }

    /// Runs the example to its end; every line it printed.
    pub(crate) fn drive(&self, more: &Value) -> Vec<Value> {
        let output = self.command(more).output().unwrap();
        assert!(
            output.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Makes the runs, requires an orderly end, and returns the outcomes of the runs.
    pub(crate) fn runs(&self, more: &Value) -> Vec<Value> {
        let lines = self.drive(more);
        assert_eq!(lines.last().unwrap()["finished"], true, "{lines:?}");
        self.assert_clean();
        lines
            .into_iter()
            .filter(|line| line["run"].is_string())
            .collect()
    }

    /// No worktree, no admin file, no work folder.
    #[track_caller]
    pub(crate) fn assert_clean(&self) {
        let left: Vec<_> = fs::read_dir(self.state())
            .map(|entries| entries.map(|entry| entry.unwrap().file_name()).collect())
            .unwrap_or_default();
        assert!(left.iter().all(|name| name == ".gitignore"), "{left:?}");
        let admin = Command::new("find")
            .arg(self.repo().join(".git/worktrees"))
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&admin.stdout), "");
        assert_eq!(
            self.git(&["worktree", "list", "--porcelain"])
                .matches("worktree ")
                .count(),
            1
        );
        assert_eq!(self.git(&["status", "--short"]), "");
    }

    /// The short folder of the one workspace that is alive.
    pub(crate) fn base(&self) -> PathBuf {
        let work = fs::read_dir(self.state())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.is_dir())
            .unwrap();
        let record: Value =
            serde_json::from_slice(&fs::read(work.join("record.json")).unwrap()).unwrap();
        PathBuf::from(record["base"].as_str().unwrap())
    }
}

/// The example, built beside this test.
fn program() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let program = own
        .parent()
        .unwrap()
        .parent()
        .unwrap()
        .join("examples/drive");
    assert!(
        program.is_file(),
        "`{}` is not built: cargo test -p worktree-runner builds it",
        program.display()
    );
    program
}

/// A run of a shell line.
pub(crate) fn sh(side: &str, line: &str) -> Value {
    json!({ "side": side, "argv": ["/bin/sh", "-c", line] })
}

/// An example program that is still running.
pub(crate) struct Driving {
    pub(crate) child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Driving {
    pub(crate) fn start(place: &Place, more: &Value) -> Self {
        let mut child = place.command(more).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    /// Reads lines up to the one with this event; `None` when the program ended before.
    pub(crate) fn until(&mut self, event: &str) -> Option<Value> {
        loop {
            let line = self.line()?;
            if line["event"] == event {
                return Some(line);
            }
        }
    }

    pub(crate) fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        let length = self.lines.read_line(&mut line).unwrap();
        (length > 0).then(|| serde_json::from_str(&line).unwrap())
    }
}

/// Ids of living processes whose command line holds this text.
pub(crate) fn processes_with(text: &str) -> Vec<u32> {
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.parse::<u32>().ok())
        .filter(|process| {
            fs::read(format!("/proc/{process}/cmdline"))
                .is_ok_and(|line| String::from_utf8_lossy(&line).contains(text))
        })
        .collect()
}

/// A number of seconds to sleep that no other test uses, to find the sleeper by.
pub(crate) fn marker(place: &Place) -> String {
    let name = place.folder.path().display().to_string();
    let sum = name.bytes().fold(7_u64, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    format!("86400.{:09}", sum % 1_000_000_000)
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
