//! What `cargo nextest list` says, as an inventory; what Cargo.lock says, as versions.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml_edit::DocumentMut;

use crate::view::text;
use crate::{FileView, Inventory, InventoryError, InventoryItem};

#[derive(Deserialize)]
struct Wrapped {
    mode: String,
    tree: String,
    seeded: Vec<String>,
    exit: i32,
    list: List,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct List {
    rust_suites: BTreeMap<String, Suite>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Suite {
    binary_id: String,
    cwd: String,
    status: String,
    testcases: BTreeMap<String, Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Case {
    filter_match: FilterMatch,
}

#[derive(Deserialize)]
struct FilterMatch {
    status: String,
}

pub(super) fn read(bytes: &[u8]) -> Result<Inventory, InventoryError> {
    let wrapped: Wrapped = serde_json::from_slice(bytes)
        .map_err(|error| InventoryError::Malformed(error.to_string()))?;
    let tree = wrapped.tree.trim_end_matches('/').to_owned();
    let mut items = Vec::new();
    // A binary that the filter leaves out altogether is not even listed.
    let known = ["listed", "skipped", "skipped-default-filter"];
    let mut complete = matches!(wrapped.exit, 0 | 4 | 100);
    for suite in wrapped.list.rust_suites.values() {
        complete &= known.contains(&suite.status.as_str());
        let folder = suite.cwd.strip_prefix(&tree).unwrap_or_default();
        let manifest = crate::paths::join(folder.trim_start_matches('/'), "Cargo.toml");
        for (name, case) in &suite.testcases {
            if case.filter_match.status == "matches" {
                items.push(item(&suite.binary_id, name, &manifest));
            }
        }
    }
    Ok(Inventory {
        complete,
        mode: wrapped.mode,
        rootdir: tree,
        items,
        uncollectable: Vec::new(),
        collect_skipped: Vec::new(),
        conftests: Vec::new(),
        plugins: Vec::new(),
        loaded: Vec::new(),
        seeded: wrapped.seeded,
        switched_off: vec!["fail-fast".to_owned(), "retries".to_owned()],
        replaced: Vec::new(),
        versions: BTreeMap::new(),
        testpaths: Vec::new(),
        inifile: None,
        exitstatus: Some(wrapped.exit),
    })
}

/// The file of a test is not in the list: its package's manifest stands for it.
fn item(binary: &str, name: &str, manifest: &str) -> InventoryItem {
    let id = format!("{binary} {name}");
    InventoryItem {
        property_id: id.clone(),
        id,
        suite: binary.to_owned(),
        name: name.to_owned(),
        file: manifest.to_owned(),
        qualname: name.replace("::", "."),
        params: None,
        param_index: None,
        definition: None,
        bases: Vec::new(),
        skip_marked: false,
    }
}

/// Packages of the lock file; those of the workspace have no source and are left out. A name that
/// stands there in several versions gets all of them.
pub(super) fn locked(view: &dyn FileView, directory: &str) -> BTreeMap<String, String> {
    let own = crate::paths::join(directory, "Cargo.lock");
    let lock = [own.as_str(), "Cargo.lock"]
        .into_iter()
        .find(|path| view.exists(path))
        .map(|path| text(view, path))
        .unwrap_or_default();
    let Ok(lock) = lock.parse::<DocumentMut>() else {
        return BTreeMap::from([(
            "Cargo.lock".to_owned(),
            "unreadable @ Cargo.lock".to_owned(),
        )]);
    };
    let mut versions: BTreeMap<String, String> = BTreeMap::new();
    let packages = lock
        .get("package")
        .and_then(|item| item.as_array_of_tables());
    for package in packages.into_iter().flatten() {
        let field = |name: &str| package.get(name).and_then(|item| item.as_str());
        let (Some(name), Some(version), Some(source)) =
            (field("name"), field("version"), field("source"))
        else {
            continue;
        };
        let entry = if source.starts_with("registry+https://github.com/rust-lang/crates.io-index") {
            version.to_owned()
        } else {
            format!("{version} @ {source}")
        };
        versions
            .entry(name.to_owned())
            .and_modify(|known| {
                known.push_str(", ");
                known.push_str(&entry);
            })
            .or_insert(entry);
    }
    versions
}
