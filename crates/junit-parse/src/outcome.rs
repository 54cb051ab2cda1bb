//! The four outcomes of a test case.

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_enums,
    reason = "JUnit XML knows these four and no other"
)]
pub enum Outcome {
    /// No outcome element, and no status that says it did not run.
    Passed,
    /// A `<failure>`.
    Failed,
    /// An `<error>`.
    Error,
    /// A `<skipped>`, or a `status` that says it did not run.
    Skipped,
}

impl Outcome {
    /// `passed`, `failed`, `error` or `skipped`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Error => "error",
            Self::Skipped => "skipped",
        }
    }

    /// Whether this is [`Outcome::Failed`] or [`Outcome::Error`].
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Error)
    }

    /// The stronger of two: failure outranks error outranks skipped outranks passed.
    #[must_use]
    pub const fn or_worse(self, other: Self) -> Self {
        if other.rank() > self.rank() {
            other
        } else {
            self
        }
    }

    const fn rank(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Skipped => 1,
            Self::Error => 2,
            Self::Failed => 3,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
