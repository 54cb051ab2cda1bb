//! The attempts of a case: mostly one that says nothing.
use std::ops::Deref;

use super::Attempt;
use super::collect::plain;
use crate::Outcome;

/// Every attempt of a case in order, at least one: reads like a slice.
#[derive(Debug, Clone)]
pub struct Attempts(Kept);

#[derive(Debug, Clone)]
enum Kept {
    /// One attempt without a text, as most cases have it: takes no memory of its own.
    Plain(Outcome),
    Many(Vec<Attempt>),
}

static PASSED: [Attempt; 1] = [plain(Outcome::Passed)];
static FAILED: [Attempt; 1] = [plain(Outcome::Failed)];
static ERROR: [Attempt; 1] = [plain(Outcome::Error)];
static SKIPPED: [Attempt; 1] = [plain(Outcome::Skipped)];

impl Attempts {
    pub(super) const fn plain(outcome: Outcome) -> Self {
        Self(Kept::Plain(outcome))
    }
}

impl Deref for Attempts {
    type Target = [Attempt];

    fn deref(&self) -> &[Attempt] {
        match &self.0 {
            Kept::Plain(Outcome::Passed) => &PASSED,
            Kept::Plain(Outcome::Failed) => &FAILED,
            Kept::Plain(Outcome::Error) => &ERROR,
            Kept::Plain(Outcome::Skipped) => &SKIPPED,
            Kept::Many(attempts) => attempts,
        }
    }
}

impl From<Vec<Attempt>> for Attempts {
    fn from(attempts: Vec<Attempt>) -> Self {
        Self(Kept::Many(attempts))
    }
}

impl PartialEq for Attempts {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<'a> IntoIterator for &'a Attempts {
    type Item = &'a Attempt;
    type IntoIter = std::slice::Iter<'a, Attempt>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Attempts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Attempts {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}
