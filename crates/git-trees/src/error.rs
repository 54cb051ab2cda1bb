//! What went wrong with a repository, at which path or revision, and what to do next.

use std::fmt;
use std::path::{Path, PathBuf};

/// The kind of a [`GitError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GitErrorKind {
    /// No repository at the path or above it.
    NotARepository,
    /// The repository belongs to another user and git refuses it.
    NotTrusted,
    /// A file of the repository is damaged or an object is missing.
    Corrupt,
    /// The revision names nothing.
    UnknownRevision,
    /// The revision names more than one thing.
    AmbiguousRevision,
    /// The commit is beyond the boundary of a shallow clone, or not there in one.
    Shallow,
    /// The branch has no commit yet.
    NoCommits,
    /// The repository is bare: there is no work tree.
    NoWorkTree,
    /// The work tree has unmerged files.
    Conflict,
    /// The patch file holds no change.
    EmptyPatch,
    /// The patch file does not apply.
    PatchFailed,
    /// The path exists and is not an empty folder, or is registered already.
    Exists,
    /// A `git` program is needed and none was found.
    NoGit,
    /// A partial clone lacks an object, and its remote did not give it.
    NotFetched,
    /// A submodule is initialised, but the commit it stands on was not fetched.
    SubmoduleMissing,
    /// A filter that the attributes require is missing or failed.
    FilterFailed,
    /// The repository cannot be written.
    ReadOnly,
    /// The `git` program failed.
    GitFailed,
    /// A file could not be read or written.
    Io,
    /// Something this crate does not support, the text says what.
    Unsupported,
}

/// Why a repository gave no answer.
#[derive(Debug, Clone)]
pub struct GitError(Box<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    kind: GitErrorKind,
    message: String,
    path: Option<PathBuf>,
    rev: Option<String>,
    hint: Option<String>,
    detail: Option<String>,
}

impl GitError {
    pub(crate) fn new(kind: GitErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Parts {
            kind,
            message,
            path: None,
            rev: None,
            hint: None,
            detail: None,
        }))
    }

    pub(crate) fn io(message: impl Into<String>, path: &Path, error: &std::io::Error) -> Self {
        Self::new(GitErrorKind::Io, message)
            .with_path(path)
            .with_detail(error.to_string())
    }

    /// A failure inside the library that reads git's files.
    pub(crate) fn reading(message: impl Into<String>, error: &impl fmt::Debug) -> Self {
        Self::new(GitErrorKind::Corrupt, message).with_detail(format!("{error:?}"))
    }

    pub(crate) fn with_path(mut self, path: &Path) -> Self {
        self.0.path = Some(path.to_owned());
        self
    }

    pub(crate) fn with_rev(mut self, rev: &str) -> Self {
        self.0.rev = Some(rev.to_owned());
        self
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The lower layer's own words, folded into one line.
    pub(crate) fn with_detail(mut self, detail: impl AsRef<str>) -> Self {
        let words: Vec<&str> = detail.as_ref().split_whitespace().collect();
        self.0.detail = (!words.is_empty()).then(|| words.join(" "));
        self
    }

    pub(crate) fn with_kind(mut self, kind: GitErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> GitErrorKind {
        self.0.kind
    }

    /// The path concerned.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The revision concerned, as it was given.
    pub fn rev(&self) -> Option<&str> {
        self.0.rev.as_deref()
    }

    /// The next step, where there is one.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if let Some(rev) = &self.0.rev {
            write!(f, " `{rev}`")?;
        }
        if let Some(path) = &self.0.path {
            write!(f, " `{}`", path.display())?;
        }
        if let Some(detail) = &self.0.detail {
            write!(f, ": {detail}")?;
        }
        Ok(())
    }
}

impl std::error::Error for GitError {}
