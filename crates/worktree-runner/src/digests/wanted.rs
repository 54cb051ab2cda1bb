//! Which files of a commit have to be read; all others are known by their object id alone.

use std::collections::BTreeSet;

use super::{EntryKind, SideView};

const CONFIGURATION: [&str; 7] = [
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
];

/// The paths whose contents [`digest`](super::digest) needs, on whichever side they are; sorted.
///
/// The views need no contents yet. Python files of the tests' side, the `__init__.py` files above them and configuration
/// files are always wanted. All other
/// Python files are wanted too (for the names they import) when tests stand among the code, when `testpaths` names a
/// folder that is not called like one of tests, or when one side has a Python file under a test folder that the other
/// lacks. Data files never are.
pub fn wanted_files(parent: &SideView<'_>, patch: &SideView<'_>) -> BTreeSet<String> {
    let sides = [parent, patch];
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let mut folders: BTreeSet<&str> = BTreeSet::from([""]);
    let mut everything = false;
    let mut above: BTreeSet<&str> = BTreeSet::new();
    for side in sides {
        named.extend(side.plugins.iter().map(String::as_str));
        named.extend(side.conftests.iter().map(String::as_str));
        named.extend(side.inifile.as_deref());
        folders.extend(side.inifile.as_deref().map(folder_of));
        for test in &side.tests {
            named.insert(&test.file);
            above.extend(folders_above(&test.file));
            named.extend(test.bases.iter().map(|(file, _)| file.as_str()));
            everything |= !in_named_folder(&test.file);
        }
        everything |= side
            .testpaths
            .iter()
            .any(|path| !in_named_folder(&format!("{path}/_")));
    }
    everything |= parent
        .files
        .keys()
        .any(|path| added_test_python(path, patch))
        || patch
            .files
            .keys()
            .any(|path| added_test_python(path, parent));
    let mut wanted = BTreeSet::new();
    for (path, entry) in sides.into_iter().flat_map(|side| &side.files) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let python = is_python(path)
            && (everything
                || in_named_folder(path)
                || name == "conftest.py"
                || test_named(name)
                || (name == "__init__.py" && above.contains(folder_of(path))));
        let configuration = CONFIGURATION.contains(&name) && folders.contains(folder_of(path));
        let link = entry.kind == EntryKind::Link;
        let attributes = name == ".gitattributes";
        let asked =
            named.contains(path.as_str()) && (is_python(path) || CONFIGURATION.contains(&name));
        if entry.kind != EntryKind::Submodule
            && (python || configuration || link || attributes || asked)
        {
            wanted.insert(path.clone());
        }
    }
    wanted
}

fn added_test_python(path: &str, other: &SideView<'_>) -> bool {
    is_python(path) && in_named_folder(path) && !other.files.contains_key(path)
}

fn is_python(path: &str) -> bool {
    path.strip_suffix(".py").is_some()
}

fn test_named(name: &str) -> bool {
    name.starts_with("test_")
        || name.ends_with("_test.py")
        || name == "test.py"
        || name == "tests.py"
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folders that hold a file, the root (`""`) among them.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder_of(path)), |folder| {
        (!folder.is_empty()).then(|| folder_of(folder))
    })
}

fn in_named_folder(path: &str) -> bool {
    folder_of(path)
        .split('/')
        .any(|name| matches!(name, "test" | "tests" | "testing"))
}
