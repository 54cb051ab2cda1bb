//! Why no verdict could be given.
use std::error::Error;
use std::fmt;

/// What kind of trouble it is: decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckErrorKind {
    /// The request is wrong: an unknown revision, base equal to head, a bad list or configuration.
    Request,
    /// The surroundings failed: git, a child process, the disk.
    Surroundings,
    /// It was interrupted.
    Interrupted,
    /// A bug.
    Bug,
}

/// No verdict could be given: what happened, why, and the next step.
#[derive(Debug)]
pub struct CheckError {
    kind: CheckErrorKind,
    message: String,
    hint: Option<String>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl CheckError {
    pub(crate) fn request(message: impl Into<String>) -> Self {
        Self {
            kind: CheckErrorKind::Request,
            message: message.into(),
            hint: None,
            source: None,
        }
    }

    pub(crate) fn surroundings(
        message: impl Into<String>,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        let source = Some(source.into());
        Self {
            kind: CheckErrorKind::Surroundings,
            message: message.into(),
            hint: None,
            source,
        }
    }

    pub(crate) fn of_kind(kind: CheckErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            source: None,
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind.
    pub const fn kind(&self) -> CheckErrorKind {
        self.kind
    }

    /// The next step, where there is one.
    pub fn next_step(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for CheckError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.source {
            Some(source) => Some(source.as_ref()),
            None => None,
        }
    }
}

impl From<worktree_runner::RunError> for CheckError {
    fn from(error: worktree_runner::RunError) -> Self {
        let kind = match error.kind() {
            worktree_runner::RunErrorKind::Cancelled => CheckErrorKind::Interrupted,
            worktree_runner::RunErrorKind::InvalidRequest => CheckErrorKind::Request,
            _ => CheckErrorKind::Surroundings,
        };
        let hint = error.hint();
        let message = match error.path() {
            _ if kind == CheckErrorKind::Interrupted => "interrupted".to_owned(),
            _ => error.to_string(),
        };
        let wrapped = Self {
            kind,
            message,
            hint: None,
            source: Some(Box::new(error)),
        };
        wrapped.hint(hint)
    }
}
