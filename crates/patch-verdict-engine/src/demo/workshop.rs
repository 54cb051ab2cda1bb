//! The sample repository on disk, with a Python environment of its own.
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Scenario;

/// What the sample's tests need, pinned so that every demo shows the same.
const PACKAGES: [&str; 2] = ["pytest==8.4.2", "hypothesis==6.140.3"];

/// Why the sample could not be made: what was tried, and the last words of the program.
#[derive(Debug, thiserror::Error)]
#[error("{doing}: {cause}")]
pub struct WorkshopError {
    doing: String,
    cause: String,
}

impl WorkshopError {
    fn new(doing: impl Into<String>, cause: &dyn std::fmt::Display) -> Self {
        Self {
            doing: doing.into(),
            cause: cause.to_string(),
        }
    }
}

/// A folder with the sample repository and its Python environment.
#[derive(Debug)]
pub struct Workshop {
    folder: PathBuf,
}

impl Workshop {
    /// A workshop in `folder`; an old sample repository there is replaced, the Python environment
    /// is kept when it still fits.
    ///
    /// # Errors
    /// When git or Python 3 is missing, a package cannot be installed, or the disk refuses.
    pub fn open(
        folder: &Path,
        scenarios: &[Scenario],
        say: &dyn Fn(&str),
    ) -> Result<Self, WorkshopError> {
        let create = |error: io::Error| {
            WorkshopError::new(format!("cannot make `{}`", folder.display()), &error)
        };
        fs::create_dir_all(folder).map_err(create)?;
        let folder = folder.canonicalize().map_err(create)?;
        let workshop = Self { folder };
        workshop.make_repository(scenarios)?;
        workshop.make_python(say)?;
        Ok(workshop)
    }

    /// The sample repository.
    pub fn repository(&self) -> PathBuf {
        self.folder.join("sample")
    }

    /// The folder of the sample's Python programs.
    pub fn programs(&self) -> PathBuf {
        self.folder.join("python/bin")
    }

    /// The environment in which checks of the sample run: `environment` with the sample's Python
    /// first in `PATH` and the tool's state in the folder.
    pub fn environment(&self, environment: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let mut environment = environment.clone();
        let programs = self.programs();
        let path = environment.get("PATH").cloned().unwrap_or_default();
        environment.insert("PATH".to_owned(), format!("{}:{path}", programs.display()));
        let state = self.folder.join("state");
        environment.insert("XDG_STATE_HOME".to_owned(), state.display().to_string());
        environment
    }

    fn make_repository(&self, scenarios: &[Scenario]) -> Result<(), WorkshopError> {
        let repository = self.repository();
        for old in [&repository, &self.folder.join("state")] {
            match fs::remove_dir_all(old) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    let doing = format!("cannot replace `{}`", old.display());
                    return Err(WorkshopError::new(doing, &error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        fs::create_dir_all(&repository)
            .map_err(|error| WorkshopError::new("cannot make the sample repository", &error))?;
        self.git(&["init", "--quiet", "--initial-branch=main"])?;
        let mut bases: Vec<&str> = Vec::new();
        for scenario in scenarios {
            if !bases.contains(&scenario.base) {
                if bases.is_empty() {
                    self.commit(&scenario.before, "ledger: amounts, shares, accounts")?;
                } else {
                    self.git(&["checkout", "--quiet", "-b", scenario.base, "main"])?;
                    self.commit(
                        &scenario.before,
                        &format!("ledger: as on {}", scenario.base),
                    )?;
                }
                bases.push(scenario.base);
            }
            self.git(&["checkout", "--quiet", "-b", scenario.branch, scenario.base])?;
            self.commit(&scenario.after, scenario.subject)?;
        }
        self.git(&["checkout", "--quiet", "main"])
    }

    fn commit(&self, files: &[(&str, String)], subject: &str) -> Result<(), WorkshopError> {
        for (path, text) in files {
            let path = self.repository().join(path);
            let parent = path.parent().unwrap_or(&self.folder);
            fs::create_dir_all(parent)
                .and_then(|()| fs::write(&path, text))
                .map_err(|error| {
                    WorkshopError::new(format!("cannot write `{}`", path.display()), &error)
                })?;
        }
        self.git(&["add", "--all"])?;
        self.git(&["commit", "--quiet", "--message", subject])
    }

    /// git with an environment of its own: the caller's configuration, hooks and signing keys
    /// have no say in a sample.
    fn git(&self, arguments: &[&str]) -> Result<(), WorkshopError> {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.repository());
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
            command.env_remove(name);
        }
        for (name, value) in [
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_AUTHOR_NAME", "Demo"),
            ("GIT_AUTHOR_EMAIL", "demo@example.org"),
            ("GIT_COMMITTER_NAME", "Demo"),
            ("GIT_COMMITTER_EMAIL", "demo@example.org"),
            ("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z"),
            ("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z"),
        ] {
            command.env(name, value);
        }
        must(
            &mut command,
            &format!("cannot run `git {}`", arguments.join(" ")),
        )
    }

    fn make_python(&self, say: &dyn Fn(&str)) -> Result<(), WorkshopError> {
        let folder = self.folder.join("python");
        let stamp = folder.join("packages.txt");
        let wanted = PACKAGES.join("\n");
        if fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) {
            return Ok(());
        }
        say("making a Python environment with pytest and hypothesis (once) …");
        fs::remove_dir_all(&folder).ok();
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(&folder);
        must(
            &mut venv,
            "cannot make a Python environment (Python 3 with `venv` is needed)",
        )?;
        let mut pip = Command::new(folder.join("bin/python"));
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ])
        .args(PACKAGES);
        must(&mut pip, "cannot install pytest and hypothesis")?;
        fs::write(&stamp, wanted).map_err(|error| {
            WorkshopError::new(format!("cannot write `{}`", stamp.display()), &error)
        })
    }
}

fn must(command: &mut Command, doing: &str) -> Result<(), WorkshopError> {
    let output = command
        .output()
        .map_err(|error| WorkshopError::new(doing, &error))?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    Err(WorkshopError::new(doing, &words.trim()))
}
