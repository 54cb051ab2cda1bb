//! A repository that was found: where its parts are and who owns it.

use std::path::{Path, PathBuf};

use crate::git_program::GitProgram;
use crate::{GitError, GitErrorKind};

/// An open repository. Cheap to clone; may be shared between threads.
#[derive(Debug, Clone)]
pub struct Repository {
    pub(crate) inner: gix::ThreadSafeRepository,
    root: Option<PathBuf>,
    git_dir: PathBuf,
    common_dir: PathBuf,
    bare: bool,
    owned: bool,
    git: PathBuf,
}

impl Repository {
    /// Finds the repository that `path` is in and opens it.
    ///
    /// # Errors
    /// `NotARepository`, `NotTrusted` (another owner, and git refuses it or there is no git to
    /// ask), `Corrupt`, `Unsupported` (references in a `reftable`).
    pub fn discover(path: &Path) -> Result<Self, GitError> {
        Self::discover_with_git(path, Path::new("git"))
    }

    /// As [`discover`](Self::discover), with the `git` program to use (a name found on `PATH`, or a path).
    ///
    /// # Errors
    /// As [`discover`](Self::discover).
    pub fn discover_with_git(path: &Path, git: &Path) -> Result<Self, GitError> {
        let (location, trust) = gix::discover::upwards(path).map_err(|error| {
            GitError::new(GitErrorKind::NotARepository, "not inside a git repository")
                .with_path(path)
                .with_detail(format!("{error:?}"))
                .with_hint("run it inside a repository, or name one")
        })?;
        let (git_dir, work_tree) = location.into_repository_and_work_tree_directories();
        let owned = trust == gix::sec::Trust::Full;
        if !owned {
            ask_git_about_owner(git, work_tree.as_deref(), &git_dir)?;
        }
        // Git itself has said that the folder is safe, so its configuration counts like any other.
        let options = open_options();
        let place = work_tree.unwrap_or(git_dir);
        let inner = options.open(place.clone()).map_err(|error| {
            GitError::reading("cannot open the repository", &error).with_path(&place)
        })?;
        Self::from_gix(inner, owned, git)
    }

    fn from_gix(
        inner: gix::ThreadSafeRepository,
        owned: bool,
        git: &Path,
    ) -> Result<Self, GitError> {
        let local = inner.to_thread_local();
        let absolute = |path: &Path| {
            std::fs::canonicalize(path)
                .map_err(|error| GitError::io("cannot find the folder", path, &error))
        };
        let storage = local.config_snapshot().string("extensions.refStorage");
        if storage.is_some_and(|format| !format.eq_ignore_ascii_case(b"files")) {
            return Err(GitError::new(
                GitErrorKind::Unsupported,
                "only references stored as files can be read, not those of",
            )
            .with_path(local.git_dir())
            .with_hint("run `git refs migrate --ref-format=files`"));
        }
        known_format(&local)?;
        let root = local.workdir().map(absolute).transpose()?;
        let git_dir = absolute(local.git_dir())?;
        let common_dir = absolute(local.common_dir())?;
        let grafts = common_dir.join("info/grafts");
        let lines = std::fs::read_to_string(&grafts).unwrap_or_default();
        if lines
            .lines()
            .any(|line| !line.trim().is_empty() && !line.starts_with('#'))
        {
            return Err(GitError::new(
                GitErrorKind::Unsupported,
                "parents are redefined in a way that git itself has given up, by",
            )
            .with_path(&grafts)
            .with_hint("run `git replace --convert-graft-file`"));
        }
        let bare = root.is_none();
        Ok(Self {
            inner,
            root,
            git_dir,
            common_dir,
            bare,
            owned,
            git: git.to_owned(),
        })
    }

    /// The top folder of the work tree; `None` in a bare repository. Absolute.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The git folder of this work tree. Absolute.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The git folder that all work trees share. Absolute.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// Whether there is no work tree.
    pub fn is_bare(&self) -> bool {
        self.bare
    }

    /// Whether history was cut off when cloning.
    ///
    /// An unreadable list of cut-off commits counts as cut off.
    pub fn is_shallow(&self) -> bool {
        self.inner.to_thread_local().is_shallow().unwrap_or(true)
    }

    /// `sha1` or `sha256`.
    pub fn object_format(&self) -> &'static str {
        match self.inner.to_thread_local().object_hash() {
            gix::hash::Kind::Sha256 => "sha256",
            _ => "sha1",
        }
    }

    /// Whether the user of this process owns the repository. If not, git was asked and allowed it.
    pub fn is_owned(&self) -> bool {
        self.owned
    }

    /// Whether objects may be missing here and be fetched on demand (a partial clone).
    pub fn is_partial(&self) -> bool {
        let local = self.inner.to_thread_local();
        let config = local.config_snapshot();
        config.string("extensions.partialClone").is_some()
            || local.remote_names().iter().any(|name| {
                let key = format!("remote.{name}.promisor");
                config.boolean(key.as_str()).unwrap_or(false)
            })
    }

    pub(crate) fn local(&self) -> gix::Repository {
        let mut local = self.inner.to_thread_local();
        // `GIT_NAMESPACE` belongs to servers: a hook there must not turn every reference into an unknown one.
        local.clear_namespace();
        local.object_cache_size_if_unset(16 * 1024 * 1024);
        local
    }

    /// A call of git in another folder, which finds its repository there.
    pub(crate) fn git_in(&self, folder: &Path) -> GitProgram {
        GitProgram::new(&self.git, folder, None)
    }

    /// A call of git at the top of this repository.
    pub(crate) fn git(&self) -> GitProgram {
        match &self.root {
            Some(root) => GitProgram::new(&self.git, root, None),
            None => GitProgram::new(&self.git, &self.git_dir, Some(&self.git_dir)),
        }
    }
}

/// Refuses what git refuses: a later format, or an extension that changes what the files mean.
fn known_format(local: &gix::Repository) -> Result<(), GitError> {
    const KNOWN: [&str; 9] = [
        "compatobjectformat",
        "noop",
        "noop-v1",
        "objectformat",
        "partialclone",
        "preciousobjects",
        "refstorage",
        "relativeworktrees",
        "worktreeconfig",
    ];
    let config = local.config_snapshot();
    let version = config.integer("core.repositoryFormatVersion").unwrap_or(0);
    let unknown = |what: String| {
        Err(GitError::new(GitErrorKind::Unsupported, what)
            .with_path(local.git_dir())
            .with_hint("use the version of git that made the repository to clone it anew"))
    };
    if version > 1 {
        return unknown(format!("repository format {version} is not known:"));
    }
    let sections = config.plumbing().sections_by_name("extensions");
    let names = sections.into_iter().flatten().flat_map(|section| {
        let names = section.value_names();
        names
            .map(|name| name.to_ascii_lowercase())
            .collect::<Vec<_>>()
    });
    match names
        .into_iter()
        .find(|name| !KNOWN.contains(&name.as_str()))
    {
        Some(name) if version == 1 => unknown(format!("the extension `{name}` is not known:")),
        _ => Ok(()),
    }
}

/// A hook's variables name the repository that it runs for, not the one that was asked for.
pub(crate) fn runs_in_a_hook() -> bool {
    [
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_SHALLOW_FILE",
        "GIT_NAMESPACE",
    ]
    .iter()
    .any(|name| std::env::var_os(name).is_some())
}

fn open_options() -> gix::open::Options {
    let mut permissions = gix::open::Permissions::all();
    if runs_in_a_hook() {
        permissions.env.git_prefix = gix::sec::Permission::Deny;
    }
    // The fallbacks serve the log of a new worktree's `HEAD`, where no user is configured.
    gix::open::Options::default()
        .with(gix::sec::Trust::Full)
        .permissions(permissions)
        .config_overrides([
            "gitoxide.committer.nameFallback=git-trees",
            "gitoxide.committer.emailFallback=git-trees@localhost",
        ])
}

fn ask_git_about_owner(git: &Path, root: Option<&Path>, git_dir: &Path) -> Result<(), GitError> {
    let call = match root {
        Some(root) => GitProgram::new(git, root, None),
        // No `--git-dir` here: it would skip the very check that is asked for.
        None => GitProgram::new(git, git_dir, None),
    };
    let asked = call.args(&["rev-parse", "--git-dir"]).run("git refuses it");
    let Err(error) = asked else { return Ok(()) };
    Err(GitError::new(GitErrorKind::NotTrusted, "the repository belongs to another user:")
        .with_path(git_dir)
        .with_detail(error.to_string())
        .with_hint(
            "add the folder to `safe.directory` (`git config --global --add safe.directory PATH`), or run as its owner",
        ))
}
