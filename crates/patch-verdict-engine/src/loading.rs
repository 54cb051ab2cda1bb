//! Where the parent has its modules from, and what of the patch takes their place.
use std::collections::{BTreeMap, BTreeSet};

use patch_verdict_core::{
    LoadedModule, import_roots, importable_names, loaded_outside, taken_over,
};
use test_frameworks::Inventory;

use crate::explore::{Exploration, loaded_modules};
use crate::view::CommitView;

/// What the parent's discovery run loaded from elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Loading {
    /// The one path where both sides stand.
    tree: String,
    /// Dotted name to file.
    outside: BTreeMap<String, String>,
    /// Folders of the tree that were on the search path of either side.
    roots: BTreeSet<String>,
}

impl Loading {
    pub(crate) fn of(
        exploration: &Exploration,
        tree: String,
        directory: &str,
        parent: &CommitView<'_>,
    ) -> Self {
        let own = importable_names(parent.files.keys().map(String::as_str));
        let (before, after) = (exploration.parent.loaded(), exploration.patch.loaded());
        let mut roots = import_roots(&tree, &before);
        roots.extend(import_roots(&tree, &after));
        // `python -m pytest` puts the folder it starts in first.
        roots.insert(
            directory
                .trim_matches('/')
                .trim_start_matches("./")
                .to_owned(),
        );
        roots.insert(String::new());
        Self {
            outside: loaded_outside(&own, &tree, &before),
            roots,
            tree,
        }
    }

    /// Modules of a run that came from elsewhere on the parent, in words.
    pub(crate) fn taken_over(&self, inventory: &Inventory) -> Vec<String> {
        let modules: Vec<LoadedModule> = loaded_modules(inventory);
        let taken = taken_over(&self.outside, &self.tree, &modules);
        taken
            .iter()
            .map(|(module, path)| format!("module {module} (now {path})"))
            .collect()
    }

    /// Files that the patch adds where such a module would be looked for first: these may say of
    /// themselves what they like.
    pub(crate) fn shadowing_files(
        &self,
        (before, after): (&CommitView<'_>, &CommitView<'_>),
    ) -> Vec<String> {
        let added = after
            .files
            .iter()
            .filter(|(path, _)| !before.files.contains_key(*path));
        added
            .filter(|(path, entry)| {
                let bare = entry.is_symlink() || entry.is_submodule();
                module_at(path, bare).is_some_and(|(folder, name)| {
                    self.roots.contains(folder) && self.outside.contains_key(name)
                })
            })
            .map(|(path, _)| format!("shadow:{path}"))
            .collect()
    }
}

/// Folder and name under which an import finds a file; `bare` for what may stand for a folder.
fn module_at(path: &str, bare: bool) -> Option<(&str, &str)> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let (name, ending) = file.split_once('.').unwrap_or((file, ""));
    let ending = ending.rsplit('.').next().unwrap_or_default();
    match ending {
        "py" | "so" | "pyd" | "pyc" if name == "__init__" => {
            Some(folder.rsplit_once('/').unwrap_or(("", folder)))
        }
        "py" | "so" | "pyd" | "pyc" => Some((folder, name)),
        "" if bare => Some((folder, name)),
        _ => None,
    }
}
