//! The trait that every adapter implements, and the small answers it gives.

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::{Change, FileView, Inventory, InventoryError, Plan, PlanError, PlanRequest, Touched};

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
    /// Whether these words start this framework.
    fn runs(&self, _command: &[String]) -> bool {
        false
    }
    /// Whether a command that does not name this framework may still end in it, and what the adapter
    /// adds reaches it there (`make`, `tox`, `npm test`).
    fn runs_behind(&self, _command: &[String]) -> bool {
        false
    }
    /// Shell lines that make a fresh tree ready for runs without a network, to be run once a tree, at
    /// its root and with the network on. Empty where nothing can be said.
    fn set_up(&self, _view: &dyn FileView, _directory: &str, _command: &[String]) -> Vec<String> {
        Vec::new()
    }
    /// Reads what a run wrote to [`Plan::inventory`].
    ///
    /// # Errors
    /// [`InventoryError`] where the bytes are none of this framework's.
    fn read_inventory(&self, bytes: &[u8]) -> Result<Inventory, InventoryError> {
        Inventory::parse(bytes)
    }
    /// Which tests of the parent the changed files may have changed; `None` where this framework's
    /// tests are compared in another way. What cannot be mapped counts as a change of all tests.
    fn touched(&self, _change: &Change<'_>) -> Option<Touched> {
        None
    }
    /// Packages that lock files and manifests below `directory` name, with versions; what comes from
    /// elsewhere than a registry reads `VERSION @ ORIGIN`.
    fn locked(&self, _view: &dyn FileView, _directory: &str) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
    /// The id to ask for where `id` holds what changes from run to run.
    fn loose_id(&self, id: &str) -> String {
        id.to_owned()
    }
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
