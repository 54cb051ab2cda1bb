//! The trait that every adapter implements, and the list of adapters.
use std::fmt::Debug;

use crate::plain::Plain;
use crate::pytest::Pytest;
use crate::{FileView, Plan, PlanError, PlanRequest};

/// Why a framework is thought to be in use.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detection {
    /// What was found, for a person: `pytest.ini`, `[tool.pytest.ini_options] in pyproject.toml`.
    pub because: String,
}

impl Detection {
    pub(crate) fn new(because: impl Into<String>) -> Self {
        Self {
            because: because.into(),
        }
    }
}

/// What an exit code of a framework says about its tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a caller decides for each of them")]
pub enum ExitMeaning {
    /// All tests passed.
    Passed,
    /// At least one test failed.
    TestsFailed,
    /// No test was collected.
    NothingCollected,
    /// The run was stopped.
    Interrupted,
    /// The framework itself failed; nothing is known about tests.
    Broken,
}

/// A test framework.
pub trait Framework: Debug + Sync {
    /// Its name in configuration.
    fn name(&self) -> &'static str;

    /// Whether the tree uses it.
    fn detect(&self, view: &dyn FileView) -> Option<Detection>;

    /// The command it is started with when nobody gave one; empty when there is none.
    fn default_command(&self, view: &dyn FileView) -> Vec<String>;

    /// How one run is started.
    ///
    /// # Errors
    /// [`PlanError`] when the command cannot do what the mode asks for.
    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, PlanError>;

    /// What an exit code means.
    fn exit_meaning(&self, code: i32) -> ExitMeaning;

    /// What the adapter can seed; a run's inventory says what was really seeded.
    fn seeds(&self) -> &'static [&'static str];

    /// Whether runs leave an [`crate::Inventory`].
    fn has_inventory(&self) -> bool;

    /// Whether a run can be kept to given ids.
    fn can_select(&self, command: &[String]) -> bool;
}

/// All adapters, the most specific first.
pub fn frameworks() -> &'static [&'static dyn Framework] {
    &[&Pytest, &Plain]
}

/// The adapter of that name.
pub fn framework(name: &str) -> Option<&'static dyn Framework> {
    frameworks()
        .iter()
        .copied()
        .find(|framework| framework.name() == name)
}
