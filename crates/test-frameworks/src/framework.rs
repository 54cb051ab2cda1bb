//! The trait that every adapter implements, and the small answers it gives.

use std::fmt::Debug;

use crate::{FileView, Plan, PlanError, PlanRequest};

/// What patch-verdict must know about a test framework.
pub trait Framework: Debug + Sync {
    /// The name in configuration files, lower case.
    fn name(&self) -> &'static str;
    /// The signs of this framework in a tree; `None` where there is none.
    fn detect(&self, view: &dyn FileView) -> Option<Detection>;
    /// The command to propose for this tree; empty where none can be guessed.
    fn default_command(&self, view: &dyn FileView) -> Vec<String>;
    /// What to run.
    ///
    /// # Errors
    /// [`PlanError`] where the request cannot be met; nothing is silently left out.
    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, PlanError>;
    /// What an exit code claims. The report must agree with it: the code alone is no result.
    fn exit_meaning(&self, code: i32) -> ExitMeaning;
    /// What the adapter can seed. What a run really seeded stands in its inventory.
    fn seeds(&self) -> &'static [&'static str];
    /// Whether runs write an [`Inventory`](crate::Inventory).
    fn has_inventory(&self) -> bool;
}

/// The signs of a framework in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detection {
    /// Name of the framework.
    pub framework: &'static str,
    /// What was seen, one sentence part each, such as ``section `[tool.pytest]` in pyproject.toml``.
    pub signs: Vec<String>,
    /// 1 (files that look like tests) to 3 (a configuration of its own).
    pub strength: u8,
}

/// What an exit code claims about a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExitMeaning {
    /// Every test that ran passed.
    Passed,
    /// The run ended regularly and at least one test failed.
    TestsFailed,
    /// The run ended regularly and there was no test.
    NothingCollected,
    /// The run was stopped before its end.
    Interrupted,
    /// Wrong usage, an internal error, a signal, or a code the framework does not use.
    Broken,
}
