//! The inventory's JSON, field by field.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Inventory {
    pub(super) schema_version: u64,
    pub(super) complete: bool,
    mode: String,
    rootdir: String,
    pub(super) items: Vec<Item>,
    uncollectable: Vec<Uncollectable>,
    collect_skipped: Vec<Uncollectable>,
    conftests: Vec<String>,
    plugins: Vec<String>,
    loaded: Vec<LoadedModule>,
    seeded: Vec<String>,
    switched_off: Vec<String>,
    replaced: Vec<String>,
    versions: BTreeMap<String, String>,
    testpaths: Vec<String>,
    #[serde(deserialize_with = "present")]
    inifile: Option<String>,
    #[serde(deserialize_with = "present")]
    pub(super) exitstatus: Option<i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Item {
    id: String,
    property_id: String,
    suite: String,
    name: String,
    file: String,
    qualname: String,
    #[serde(deserialize_with = "present")]
    params: Option<String>,
    #[serde(deserialize_with = "present")]
    pub(super) param_index: Option<ParamIndex>,
    #[serde(deserialize_with = "present")]
    definition: Option<BaseClass>,
    bases: Vec<BaseClass>,
    skip_marked: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParamIndex {
    pub(super) argnames: Vec<String>,
    pub(super) indices: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BaseClass {
    file: String,
    qualname: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Uncollectable {
    id: String,
    suite: String,
    name: String,
    file: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoadedModule {
    module: String,
    file: String,
}

/// Null is a value here, absence an error.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    input: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(input)
}

impl From<Inventory> for super::Inventory {
    fn from(wire: Inventory) -> Self {
        Self {
            complete: wire.complete,
            mode: wire.mode,
            rootdir: wire.rootdir,
            items: wire.items.into_iter().map(Into::into).collect(),
            uncollectable: wire.uncollectable.into_iter().map(Into::into).collect(),
            collect_skipped: wire.collect_skipped.into_iter().map(Into::into).collect(),
            conftests: wire.conftests,
            plugins: wire.plugins,
            loaded: wire.loaded.into_iter().map(Into::into).collect(),
            seeded: wire.seeded,
            switched_off: wire.switched_off,
            replaced: wire.replaced,
            versions: wire.versions,
            testpaths: wire.testpaths,
            inifile: wire.inifile,
            exitstatus: wire.exitstatus,
        }
    }
}

impl From<Item> for super::InventoryItem {
    fn from(wire: Item) -> Self {
        Self {
            id: wire.id,
            property_id: wire.property_id,
            suite: wire.suite,
            name: wire.name,
            file: wire.file,
            qualname: wire.qualname,
            params: wire.params,
            param_index: wire.param_index.map(|index| super::ParamIndex {
                argnames: index.argnames,
                indices: index.indices,
            }),
            definition: wire.definition.map(Into::into),
            bases: wire.bases.into_iter().map(Into::into).collect(),
            skip_marked: wire.skip_marked,
        }
    }
}

impl From<BaseClass> for super::BaseClass {
    fn from(wire: BaseClass) -> Self {
        Self {
            file: wire.file,
            qualname: wire.qualname,
        }
    }
}

impl From<Uncollectable> for super::Uncollectable {
    fn from(wire: Uncollectable) -> Self {
        Self {
            id: wire.id,
            suite: wire.suite,
            name: wire.name,
            file: wire.file,
            text: wire.text,
        }
    }
}

impl From<LoadedModule> for super::LoadedModule {
    fn from(wire: LoadedModule) -> Self {
        Self {
            module: wire.module,
            file: wire.file,
        }
    }
}
