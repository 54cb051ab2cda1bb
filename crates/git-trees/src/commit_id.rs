//! The id of a commit as text.

use std::fmt;

/// The id of a commit: lower-case hexadecimal text, 40 digits (SHA-1) or 64 (SHA-256).
///
/// Values come from [`Repository`](crate::Repository); the order is that of the text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(String);

impl CommitId {
    /// The hexadecimal text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first 10 digits, for people.
    pub fn short(&self) -> &str {
        self.0.get(..10).unwrap_or(&self.0)
    }

    pub(crate) fn from_gix(id: &gix::oid) -> Self {
        Self(id.to_hex().to_string())
    }

    pub(crate) fn from_git_output(text: &str) -> Option<Self> {
        gix::ObjectId::from_hex(text.as_bytes())
            .ok()
            .map(|id| Self::from_gix(&id))
    }

    pub(crate) fn to_gix(&self) -> Result<gix::ObjectId, crate::GitError> {
        gix::ObjectId::from_hex(self.0.as_bytes()).map_err(|error| {
            crate::GitError::new(crate::GitErrorKind::UnknownRevision, "not a commit id")
                .with_rev(&self.0)
                .with_detail(format!("{error:?}"))
        })
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for CommitId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
