//! Why a file is no contract.
use std::fmt;

/// What kind of thing is wrong with a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContractErrorKind {
    /// The file is not JSON or not YAML, or uses what is refused there (anchors, merge keys).
    Syntax,
    /// An object has a key twice.
    DuplicateKey,
    /// Both sides would be the same commit.
    SameTree,
    /// A key is absent or holds what it must not hold.
    Key,
}

/// Why a file is no contract: one word for programs, a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractError {
    kind: ContractErrorKind,
    detail: String,
    message: String,
}

impl ContractError {
    pub(super) fn syntax(detail: &str, message: impl Into<String>) -> Self {
        Self {
            kind: ContractErrorKind::Syntax,
            detail: detail.to_owned(),
            message: message.into(),
        }
    }

    pub(super) fn duplicate_key() -> Self {
        Self {
            kind: ContractErrorKind::DuplicateKey,
            detail: "duplicate_key".to_owned(),
            message: "an object in it has a key twice".to_owned(),
        }
    }

    pub(super) fn same_tree() -> Self {
        Self {
            kind: ContractErrorKind::SameTree,
            detail: "same_tree".to_owned(),
            message: "`parent_sha` and `patch_sha` are equal: nothing would be compared".to_owned(),
        }
    }

    pub(super) fn key(key: &str, message: impl fmt::Display) -> Self {
        Self {
            kind: ContractErrorKind::Key,
            detail: key.to_owned(),
            message: format!("`{key}` {message}"),
        }
    }

    /// What kind of thing is wrong.
    pub const fn kind(&self) -> ContractErrorKind {
        self.kind
    }

    /// The word of an issue's `detail`: `same_tree`, `not_json`, `not_yaml`, `duplicate_key` or
    /// the name of the top-level key at fault.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a valid contract: {}", self.message)
    }
}

impl std::error::Error for ContractError {}
