//! Did both sides test their own code? (RULES §5, `foreign_code`.)
use std::collections::{BTreeMap, BTreeSet};

/// A module that the tests' process loaded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "a name and a file")]
pub struct LoadedModule {
    /// Dotted name.
    pub module: String,
    /// Absolute path of its file.
    pub file: String,
}

/// Top-level names that the tree itself could give to an import: packages and modules at its root
/// and below any `src/`, tests' own folders left out. `files` are paths of the tree.
///
/// A folder below `src/` counts without an `__init__.py` too (a namespace package), one at the root
/// only when a package stands somewhere inside: else `docs/conf.py` would make a package of `docs`.
pub fn importable_names<'a>(files: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    files
        .filter_map(importable_name)
        .map(str::to_owned)
        .collect()
}

fn importable_name(path: &str) -> Option<&str> {
    let below = path.strip_prefix("src/");
    // A member of a monorepo; what tests and documents only hold as data is never imported.
    let member = || {
        path.split_once("/src/")
            .filter(|(above, _)| !is_data(above))
    };
    let below = below.or_else(|| member().map(|(_, inside)| inside));
    let inside = below.unwrap_or(path);
    let name = match inside.split_once('/') {
        Some((package, rest)) => {
            let package_inside = rest == "__init__.py" || rest.ends_with("/__init__.py");
            let namespace = below.is_some() && has_suffix(rest, ".py");
            (package_inside || namespace).then_some(package)?
        }
        None => inside.strip_suffix(".py")?,
    };
    let own = matches!(
        name,
        "tests" | "test" | "testing" | "conftest" | "setup" | "__init__"
    );
    // What no `import` can name (`my-scripts/`) is no package.
    let importable = name
        .chars()
        .all(|character| character == '_' || character.is_alphanumeric());
    (!own && !name.is_empty() && importable).then_some(name)
}

/// Whether a folder holds what tests, documents and examples look at.
fn is_data(folder: &str) -> bool {
    folder.split('/').any(|component| {
        matches!(
            component,
            "tests" | "test" | "testing" | "testdata" | "fixtures" | "docs" | "doc" | "examples"
        )
    })
}

fn has_suffix(path: &str, suffix: &str) -> bool {
    path.strip_suffix(suffix)
        .is_some_and(|stem| !stem.is_empty())
}

/// Names of the tree that both sides loaded from the same files outside their trees.
///
/// `tree` is the one absolute path where both sides stood. A name of which any module came from
/// inside the tree is not foreign.
pub fn foreign_names(
    names: &BTreeSet<String>,
    tree: &str,
    parent: &[LoadedModule],
    patch: &[LoadedModule],
) -> BTreeMap<String, String> {
    let parent = outside(names, tree, parent);
    let patch = outside(names, tree, patch);
    parent
        .into_iter()
        .filter_map(|(name, files)| {
            let same = patch.get(&name)?.intersection(&files).next().cloned()?;
            Some((name, same))
        })
        .collect()
}

/// Modules that a run loaded from outside its tree: dotted name to file. Names of `own`, the
/// project's own packages, are left out: they may be installed and stand in the tree as well.
pub fn loaded_outside(
    own: &BTreeSet<String>,
    tree: &str,
    modules: &[LoadedModule],
) -> BTreeMap<String, String> {
    let foreign = modules.iter().filter(|module| {
        let top = module.module.split('.').next().unwrap_or_default();
        // The script that was started; it can be imported by nobody.
        top != "__main__" && !own.contains(top) && path_inside(tree, &module.file).is_none()
    });
    foreign
        .map(|module| (module.module.clone(), module.file.clone()))
        .collect()
}

/// Modules of a run that stand inside its tree although `before`, of the parent, has them from
/// elsewhere: what the tests are fed is no longer the installed module. Dotted name to the path in
/// the tree.
pub fn taken_over(
    before: &BTreeMap<String, String>,
    tree: &str,
    modules: &[LoadedModule],
) -> BTreeMap<String, String> {
    let known = modules
        .iter()
        .filter(|module| before.contains_key(&module.module));
    known
        .filter_map(|module| {
            let path = path_inside(tree, &module.file)?;
            Some((module.module.clone(), path.to_owned()))
        })
        .collect()
}

/// Folders of the tree (`""` is its root) in which a run found top-level modules: these were on its
/// search path.
pub fn import_roots(tree: &str, modules: &[LoadedModule]) -> BTreeSet<String> {
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .to_owned()
    };
    let top = modules.iter().filter(|module| !module.module.contains('.'));
    top.filter_map(|module| {
        let path = path_inside(tree, &module.file)?;
        let own = folder(path);
        let package = path.ends_with("/__init__.py");
        Some(if package { folder(&own) } else { own })
    })
    .collect()
}

/// The path below the tree, unless something was installed there (an environment in the tree).
fn path_inside<'a>(tree: &str, file: &'a str) -> Option<&'a str> {
    let path = file
        .strip_prefix(tree.trim_end_matches('/'))?
        .strip_prefix('/')?;
    let installed = |part: &str| matches!(part, "site-packages" | "dist-packages");
    (!path.split('/').any(installed)).then_some(path)
}

fn outside(
    names: &BTreeSet<String>,
    tree: &str,
    modules: &[LoadedModule],
) -> BTreeMap<String, BTreeSet<String>> {
    let prefix = format!("{}/", tree.trim_end_matches('/'));
    let mut inside = BTreeSet::new();
    let mut outside: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for module in modules {
        let top = module.module.split('.').next().unwrap_or_default();
        if !names.contains(top) {
            continue;
        }
        if module.file.starts_with(&prefix) {
            inside.insert(top.to_owned());
        } else {
            outside
                .entry(top.to_owned())
                .or_default()
                .insert(module.file.clone());
        }
    }
    outside.retain(|name, _| !inside.contains(name));
    outside
}
