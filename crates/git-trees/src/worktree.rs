//! Materialises a commit as a linked, detached worktree, and takes it away again.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use crate::registry::{canonical, registered};
use crate::removal::{remove_admin, remove_folder, remove_leftover};
use crate::{Backend, CommitId, GitError, GitErrorKind, Repository};

static REGISTERING: Mutex<()> = Mutex::new(());

/// A linked worktree. Dropping it removes it as well as it can; [`remove`](Self::remove) says what failed.
#[derive(Debug)]
#[must_use = "dropping a worktree removes it"]
pub struct Worktree {
    path: PathBuf,
    admin_dir: PathBuf,
    backend: Backend,
    kept: bool,
}

impl Worktree {
    /// The folder. Absolute, links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What wrote the files.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The folder of admin files below the common git folder.
    pub fn admin_dir(&self) -> &Path {
        &self.admin_dir
    }

    /// Removes the folder and the admin files, whatever the tests made of them.
    ///
    /// # Errors
    /// `Io`: something could not be removed; the admin files stay until the folder is gone.
    pub fn remove(mut self) -> Result<(), GitError> {
        self.kept = true;
        self.remove_now()
    }

    /// Leaves the worktree in place and returns its folder.
    pub fn keep(mut self) -> PathBuf {
        self.kept = true;
        self.path.clone()
    }

    fn remove_now(&self) -> Result<(), GitError> {
        remove_folder(&self.path)
            .map_err(|error| GitError::io("cannot remove the worktree", &self.path, &error))?;
        let _turn = REGISTERING.lock().unwrap_or_else(PoisonError::into_inner);
        remove_admin(&self.admin_dir).map_err(|error| {
            GitError::io(
                "cannot remove the worktree's admin files",
                &self.admin_dir,
                &error,
            )
        })
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        if !self.kept {
            drop(self.remove_now());
        }
    }
}

impl Repository {
    /// Checks `commit` out at `path` as a linked, detached worktree with the bytes that `git worktree add`
    /// would write, all of it also where the user's checkout is sparse. Submodules whose commits are here are
    /// checked out too, each as a repository of its own. Hooks do not run and the user's index is not touched.
    /// Missing parents of `path` are made.
    ///
    /// # Errors
    /// `Exists` (the path is no empty folder, or is registered), `Shallow`, `NotFetched`, `SubmoduleMissing`,
    /// `FilterFailed`, `ReadOnly`, `NoGit` (git is needed and missing), `NotTrusted`, `GitFailed`, `Io`.
    /// Nothing is left behind.
    pub fn add_worktree(&self, commit: &CommitId, path: &Path) -> Result<Worktree, GitError> {
        // Whoever registers a worktree reads the admin files of all others, half-written ones too.
        let _turn = REGISTERING.lock().unwrap_or_else(PoisonError::into_inner);
        let local = self.local();
        self.commit(&local, commit)?;
        let submodules = self.found_submodules(&local, commit)?;
        Self::have_commits(&submodules)?;
        let path = self.free_place(path)?;
        let by_gix = if self.gix_writes_the_same(&local, commit)? {
            self.add_by_gix(&local, commit, &path)
        } else {
            None
        };
        let worktree = match by_gix {
            Some(worktree) => worktree,
            None => self
                .add_by_git(commit, &path)
                .map_err(|error| self.too_long(&local, commit, &path).unwrap_or(error))?,
        };
        if let Err(error) = self.fill_submodules(&submodules, &path) {
            // The lock is held here: removing by dropping would wait for it.
            drop(worktree.keep());
            self.undo(&path);
            return Err(error);
        }
        Ok(worktree)
    }

    fn free_place(&self, path: &Path) -> Result<PathBuf, GitError> {
        let exists = |message: &str| {
            Err(GitError::new(GitErrorKind::Exists, message)
                .with_path(path)
                .with_hint("name another path, or remove this one"))
        };
        match path.symlink_metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(GitError::io("cannot look at the path", path, &error)),
            Ok(meta) if !meta.is_dir() => return exists("the worktree's path exists:"),
            Ok(_) => {
                let mut entries = std::fs::read_dir(path)
                    .map_err(|error| GitError::io("cannot list the folder", path, &error))?;
                if entries.next().is_some() {
                    return exists("the worktree's path exists and is not empty:");
                }
            }
        }
        if let Some(parent) = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
        {
            std::fs::create_dir_all(parent)
                .map_err(|error| GitError::io("cannot make the folder", parent, &error))?;
        }
        let place = canonical(path);
        let taken = registered(self.common_dir())
            .map_err(|error| {
                GitError::io("cannot list the worktrees of", self.common_dir(), &error)
            })?
            .into_iter()
            .any(|entry| entry.folder == place);
        if taken {
            return Err(
                GitError::new(GitErrorKind::Exists, "a worktree is registered at")
                    .with_path(path)
                    .with_hint("run `git worktree prune`, or name another path"),
            );
        }
        Ok(place)
    }

    /// `None` when gitoxide failed, or wrote less than everything: git decides then.
    fn add_by_gix(
        &self,
        local: &gix::Repository,
        commit: &CommitId,
        path: &Path,
    ) -> Option<Worktree> {
        let head = gix::worktree::add::Head::Detached(commit.to_gix().ok()?);
        let stop = AtomicBool::new(false);
        let added = local.add_worktree(path, head, gix::progress::Discard, &stop);
        let whole = match &added {
            Ok((_, outcome)) => {
                outcome.errors.is_empty()
                    && outcome.collisions.is_empty()
                    && outcome.delayed_paths_unknown.is_empty()
                    && outcome.delayed_paths_unprocessed.is_empty()
            }
            Err(_) => false,
        };
        if let Some(admin_dir) = self.admin_of(path).filter(|_| whole) {
            return Some(Worktree {
                path: path.to_owned(),
                admin_dir,
                backend: Backend::Gix,
                kept: false,
            });
        }
        self.undo(path);
        None
    }

    fn add_by_git(&self, commit: &CommitId, path: &Path) -> Result<Worktree, GitError> {
        let call = self
            .git()
            .args(&[
                "-c",
                "checkout.defaultRemote=",
                // The commit is judged, not what the user looks at of it.
                "-c",
                "core.sparseCheckout=false",
                "worktree",
                "add",
                "--quiet",
                "--detach",
            ])
            .arg("--")
            .arg(path)
            .arg(commit.as_str());
        let outcome = call
            .run("cannot add the worktree")
            .map_err(|error| error.with_path(path));
        if let (Ok(_), Some(admin_dir)) = (&outcome, self.admin_of(path)) {
            let path = path.to_owned();
            return Ok(Worktree {
                path,
                admin_dir,
                backend: Backend::Git,
                kept: false,
            });
        }
        self.undo(path);
        Err(outcome.err().unwrap_or_else(|| {
            GitError::new(GitErrorKind::GitFailed, "git registered no worktree at").with_path(path)
        }))
    }

    /// The reason that git's own message has no room for: a path longer than the system takes.
    fn too_long(&self, local: &gix::Repository, commit: &CommitId, top: &Path) -> Option<GitError> {
        const LONGEST: usize = 4095;
        let entries = self.entries(local, commit).ok()?;
        let longest = entries.iter().map(|(path, _, _)| path.len()).max()?;
        let whole = top.as_os_str().len() + 1 + longest;
        (whole > LONGEST).then(|| {
            let message = format!("a path of the commit is too long ({whole} bytes) below");
            GitError::new(GitErrorKind::Unsupported, message)
                .with_path(top)
                .with_rev(commit.as_str())
        })
    }

    /// Takes away what a failed attempt left. The attempt's own error is the one to report.
    fn undo(&self, path: &Path) {
        drop(remove_leftover(self.common_dir(), path));
        // What was written before anything named it a worktree; the place was free.
        drop(remove_folder(path));
        drop(std::fs::remove_dir(self.common_dir().join("worktrees")));
    }

    fn admin_of(&self, path: &Path) -> Option<PathBuf> {
        let entries = registered(self.common_dir()).ok()?;
        entries
            .into_iter()
            .find(|entry| entry.folder == path)
            .map(|entry| entry.admin_dir)
    }
}
