//! The inventory that a run writes beside its report: what was collected, from which files.

#[cfg(test)]
mod tests;
mod wire;

use std::collections::BTreeMap;

use thiserror::Error;

/// What one run collected, loaded and seeded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inventory {
    /// Whether the session came to a regular end. If not, the run is no evidence.
    pub complete: bool,
    /// `discover`, `collect`, `scored` or `whole`.
    pub mode: String,
    /// Absolute path that node ids are relative to.
    pub rootdir: String,
    /// Collected tests in the order of the run; equal ids stay separate.
    pub items: Vec<InventoryItem>,
    /// Files and classes that could not be collected.
    pub uncollectable: Vec<Uncollectable>,
    /// Files that asked to be skipped as a whole at import.
    pub collect_skipped: Vec<Uncollectable>,
    /// Conftest files that were loaded, relative to the tree, sorted.
    pub conftests: Vec<String>,
    /// Other files of the tree that are registered as plugins, relative to it, sorted.
    pub plugins: Vec<String>,
    /// Modules with a file, to one level below the top, at the end of the session; sorted.
    pub loaded: Vec<LoadedModule>,
    /// What was really seeded, such as `python.random`; sorted.
    pub seeded: Vec<String>,
    /// Options and plugins of the user that were switched off; sorted.
    pub switched_off: Vec<String>,
    /// Functions of the framework that code of the tree stood in for after a test had ended, with that
    /// code's file, such as `_pytest.runner.call_and_report (by shop.py)`, and what packages above the collected
    /// tests hold for it, such as `setup_module (by shop/__init__.py)`; sorted.
    pub replaced: Vec<String>,
    /// `python`, the framework, and (discovery and collection) each installed distribution.
    /// A distribution from elsewhere than an index reads `VERSION @ URL#COMMIT (editable)`.
    pub versions: BTreeMap<String, String>,
    /// Test folders that the configuration names.
    pub testpaths: Vec<String>,
    /// The configuration file, relative to the tree.
    pub inifile: Option<String>,
    /// Exit status of the session; `None` before its end.
    pub exitstatus: Option<i32>,
}

/// One collected test.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InventoryItem {
    /// Node id in the framework's own spelling.
    pub id: String,
    /// The id as it stands in the report's `pv.nodeid` property, unprintable characters escaped.
    pub property_id: String,
    /// `classname` in the JUnit report.
    pub suite: String,
    /// `name` in the JUnit report.
    pub name: String,
    /// File it was collected from, relative to the tree.
    pub file: String,
    /// Classes and function, dotted, without parameters.
    pub qualname: String,
    /// Text between the outer brackets.
    pub params: Option<String>,
    /// Which parameters it has, where the framework tells.
    pub param_index: Option<ParamIndex>,
    /// File and name of the function's source, where that is in the tree.
    pub definition: Option<BaseClass>,
    /// Classes above its own that are defined in the tree, nearest first.
    pub bases: Vec<BaseClass>,
    /// Whether a mark skips it.
    pub skip_marked: bool,
}

/// A class or function and the file that defines it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BaseClass {
    /// File relative to the tree.
    pub file: String,
    /// Qualified name.
    pub qualname: String,
}

/// Names and positions of a test's parameters; both lists have one length.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParamIndex {
    /// Names of the arguments.
    pub argnames: Vec<String>,
    /// Position of each argument's value, 0-based. Where several `parametrize` marks multiply, newer
    /// versions of pytest count combinations instead.
    pub indices: Vec<u64>,
}

/// Something that gave no tests.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uncollectable {
    /// Node id.
    pub id: String,
    /// `classname` of its case in the JUnit report.
    pub suite: String,
    /// `name` of its case in the JUnit report.
    pub name: String,
    /// File relative to the tree.
    pub file: String,
    /// What the framework says about it.
    pub text: String,
}

/// A module and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadedModule {
    /// Dotted name.
    pub module: String,
    /// Absolute path.
    pub file: String,
}

/// Why a file is no inventory.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InventoryError {
    /// Not the JSON that this version writes.
    #[error("not an inventory: {0}")]
    Malformed(String),
    /// Another version of the format.
    #[error("inventory has schema_version {0}, expected 1")]
    Version(u64),
    /// The parts contradict each other.
    #[error("inventory contradicts itself: {0}")]
    Contradiction(&'static str),
}

impl Inventory {
    /// Reads an inventory strictly: no missing, unknown or repeated field, nothing after its end.
    ///
    /// # Errors
    /// [`InventoryError`] where the bytes are anything else. An inventory of a session that did not
    /// end is no error: look at [`Inventory::complete`].
    ///
    /// ```
    /// use test_frameworks::{Inventory, InventoryError};
    ///
    /// assert!(matches!(Inventory::parse(b"{}"), Err(InventoryError::Malformed(_))));
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Self, InventoryError> {
        let wire: wire::Inventory = serde_json::from_slice(bytes)
            .map_err(|error| InventoryError::Malformed(error.to_string()))?;
        if wire.schema_version != 1 {
            return Err(InventoryError::Version(wire.schema_version));
        }
        if wire.complete && !matches!(wire.exitstatus, Some(0 | 1 | 5)) {
            return Err(InventoryError::Contradiction(
                "complete without a regular exit status",
            ));
        }
        let lengths_agree = |index: &wire::ParamIndex| index.argnames.len() == index.indices.len();
        if !wire
            .items
            .iter()
            .filter_map(|item| item.param_index.as_ref())
            .all(lengths_agree)
        {
            return Err(InventoryError::Contradiction(
                "argument names and indices differ in number",
            ));
        }
        Ok(wire.into())
    }
}
