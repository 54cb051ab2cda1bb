//! What a framework collected and loaded, as the injected plugin wrote it.
use std::collections::BTreeMap;

use serde::Deserialize;

/// The inventory of one run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Inventory {
    /// 1.
    pub schema_version: u32,
    /// Whether the session came to its end.
    pub complete: bool,
    /// Every collected test, in the order of collection.
    pub items: Vec<Item>,
    /// Files that could not be collected.
    pub uncollectable: Vec<Uncollectable>,
    /// conftest files that were loaded, relative to the tree.
    pub conftests: Vec<String>,
    /// Files of the tree that are registered as plugins.
    pub plugins: Vec<String>,
    /// Modules that were loaded, with their files.
    pub loaded: Vec<LoadedModule>,
    /// What was really seeded.
    pub seeded: Vec<String>,
    /// Versions of what is installed; ` @ ORIGIN` behind one that came from no index.
    pub versions: BTreeMap<String, String>,
    /// The framework's own test paths, relative to the tree.
    pub testpaths: Vec<String>,
    /// The framework's configuration file, relative to the tree.
    pub inifile: Option<String>,
}

/// One collected test.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Item {
    /// The framework's own id.
    pub id: String,
    /// The suite under which its report has it.
    pub suite: String,
    /// The name under which its report has it.
    pub name: String,
    /// The file that defines it, relative to the tree.
    pub file: String,
    /// `Class.test`, without parameters.
    pub qualname: String,
    /// The text between the brackets.
    pub params: Option<String>,
    /// Which row of each parameter list it is.
    pub param_index: Option<ParamIndex>,
    /// Base classes of its class that the tree defines.
    pub bases: Vec<Base>,
    /// Whether it carries a skip mark.
    pub skip_marked: bool,
}

/// Rows by argument name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ParamIndex {
    /// Argument names.
    pub argnames: Vec<String>,
    /// The row of each, counted from 0.
    pub indices: Vec<usize>,
}

/// A base class.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Base {
    /// The file that defines it, relative to the tree.
    pub file: String,
    /// Its qualified name.
    pub qualname: String,
}

/// A file that could not be collected.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Uncollectable {
    /// The framework's id of the file.
    pub id: String,
    /// The file, relative to the tree.
    pub file: String,
    /// The framework's words.
    pub text: String,
}

/// A loaded module.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct LoadedModule {
    /// Dotted name.
    pub module: String,
    /// Absolute path of its file.
    pub file: String,
}

/// Why an inventory cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InventoryError {
    /// It is no inventory.
    #[error("the inventory cannot be read: {0}")]
    Form(String),
    /// The session did not come to its end.
    #[error("the session ended before its inventory was complete")]
    Incomplete,
}

impl Inventory {
    /// Reads the file of a run.
    ///
    /// # Errors
    /// [`InventoryError::Form`] for bytes of another shape, [`InventoryError::Incomplete`] when the
    /// session was cut short: what is listed then may be a part.
    pub fn parse(bytes: &[u8]) -> Result<Self, InventoryError> {
        let inventory: Self = serde_json::from_slice(bytes)
            .map_err(|error| InventoryError::Form(error.to_string()))?;
        if inventory.schema_version != 1 {
            let version = inventory.schema_version;
            return Err(InventoryError::Form(format!("schema version {version}")));
        }
        if inventory.complete {
            Ok(inventory)
        } else {
            Err(InventoryError::Incomplete)
        }
    }
}
