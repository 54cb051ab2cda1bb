//! Test identity: one text for each test, and every conversion from another spelling.
use std::borrow::Borrow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The identity of a test: `SUITE::NAME`, as its JUnit report has it.
///
/// It is compared whole and never split again: nextest's suites hold `::` themselves.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TestId(String);

impl TestId {
    /// The identity of a JUnit case. `suite` is its `classname`, else the enclosing suite's name
    /// (RULES §7); either part may be empty, and neither is trimmed or folded.
    pub fn from_junit(suite: &str, name: &str) -> Self {
        Self(format!("{suite}::{name}"))
    }

    /// An identity read back from a contract, a row or a list.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for TestId {
    fn borrow(&self) -> &str {
        &self.0
    }
}
