//! Temporary git repositories with fixed dates and authors, built by running `git` in a clean environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A call of git that no configuration of the machine or user, and no variable of a surrounding hook, changes.
///
/// Authors and dates are fixed, so that ids of commits are the same everywhere.
pub fn git_command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env_clear();
    for name in ["PATH", "SYSTEMROOT", "TMPDIR"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
        .env("HOME", folder)
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_AUTHOR_NAME", "A U Thor")
        .env("GIT_AUTHOR_EMAIL", "author@example.com")
        .env("GIT_AUTHOR_DATE", "1767225600 +0000")
        .env("GIT_COMMITTER_NAME", "C O Mitter")
        .env("GIT_COMMITTER_EMAIL", "committer@example.com")
        .env("GIT_COMMITTER_DATE", "1767225600 +0000");
    command
}

/// A git repository in a temporary folder, gone when dropped. Its branch is `main`.
#[derive(Debug)]
pub struct TestRepository {
    // Keeps the folder; `None` for a second view on another repository's folder.
    _folder: Option<TempDir>,
    path: PathBuf,
    program: PathBuf,
}

impl Default for TestRepository {
    fn default() -> Self {
        Self::new()
    }
}

impl TestRepository {
    /// An empty repository.
    ///
    /// # Panics
    /// When git fails, as everything here.
    #[track_caller]
    pub fn new() -> Self {
        Self::with(Path::new("git"), &[])
    }

    /// An empty repository made by a given git program, with further arguments for `git init`.
    ///
    /// # Panics
    /// When git fails.
    #[track_caller]
    pub fn with(program: &Path, init: &[&str]) -> Self {
        let folder = temporary_folder();
        let path = folder.path().join("repository");
        make_folder(&path);
        let made = Self {
            _folder: Some(folder),
            path,
            program: program.to_owned(),
        };
        let mut arguments = vec!["init", "--quiet", "--initial-branch=main"];
        arguments.extend_from_slice(init);
        made.git(&arguments);
        made
    }

    /// A clone of this repository, made through a `file://` address so that `--depth` and `--filter` count.
    ///
    /// # Panics
    /// When git fails.
    #[must_use]
    #[track_caller]
    pub fn clone_with(&self, arguments: &[&str]) -> Self {
        let folder = temporary_folder();
        let path = folder.path().join("clone");
        let address = format!("file://{}", self.path.display());
        let place = path.display().to_string();
        let mut all = vec!["clone", "--quiet"];
        all.extend_from_slice(arguments);
        all.extend_from_slice(&[&address, &place]);
        run(git_command(&self.program, folder.path()).args(&all));
        Self {
            _folder: Some(folder),
            path,
            program: self.program.clone(),
        }
    }

    /// The same helper for another folder, such as a linked worktree.
    #[must_use]
    pub fn view(&self, path: &Path) -> Self {
        Self {
            _folder: None,
            path: path.to_owned(),
            program: self.program.clone(),
        }
    }

    /// The top folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path below the top folder.
    pub fn join(&self, path: &str) -> PathBuf {
        self.path.join(path)
    }

    /// Runs git and returns what it printed, without the last line's end.
    ///
    /// # Panics
    /// When git fails.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        run(git_command(&self.program, &self.path).args(arguments))
    }

    /// Writes a file, with its folders.
    ///
    /// # Panics
    /// When that fails.
    #[track_caller]
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let place = self.join(path);
        if let Some(parent) = place.parent() {
            make_folder(parent);
        }
        if let Err(error) = std::fs::write(&place, content) {
            panic!("cannot write `{}`: {error}", place.display());
        }
    }

    /// Removes a file.
    ///
    /// # Panics
    /// When that fails.
    #[track_caller]
    pub fn remove(&self, path: &str) {
        if let Err(error) = std::fs::remove_file(self.join(path)) {
            panic!("cannot remove `{path}`: {error}");
        }
    }

    /// Makes a symbolic link.
    ///
    /// # Panics
    /// When that fails.
    #[cfg(unix)]
    #[track_caller]
    pub fn symlink(&self, path: &str, target: &str) {
        if let Err(error) = std::os::unix::fs::symlink(target, self.join(path)) {
            panic!("cannot link `{path}`: {error}");
        }
    }

    /// Sets a file's permissions.
    ///
    /// # Panics
    /// When that fails.
    #[cfg(unix)]
    #[track_caller]
    pub fn chmod(&self, path: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt as _;
        let permissions = std::fs::Permissions::from_mode(mode);
        if let Err(error) = std::fs::set_permissions(self.join(path), permissions) {
            panic!("cannot chmod `{path}`: {error}");
        }
    }

    /// Commits everything there is, also nothing, and returns the id.
    ///
    /// # Panics
    /// When git fails.
    #[track_caller]
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&[
            "commit",
            "--quiet",
            "--allow-empty",
            "--no-verify",
            "-m",
            message,
        ]);
        self.git(&["rev-parse", "HEAD"])
    }
}

#[track_caller]
fn temporary_folder() -> TempDir {
    match tempfile::Builder::new().prefix("test-").tempdir() {
        Ok(folder) => folder,
        Err(error) => panic!("cannot make a temporary folder: {error}"),
    }
}

#[track_caller]
fn make_folder(path: &Path) {
    if let Err(error) = std::fs::create_dir_all(path) {
        panic!("cannot make `{}`: {error}", path.display());
    }
}

#[track_caller]
fn run(command: &mut Command) -> String {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => panic!("cannot run {command:?}: {error}"),
    };
    assert!(
        output.status.success(),
        "{command:?} ended with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim_end_matches('\n').to_owned()
}
