//! The signs of pytest in a tree, and the command that fits its package manager.

use toml_edit::{DocumentMut, Item};

use crate::{Detection, FileView};

/// Folders that are looked into beside the root.
const TEST_FOLDERS: [&str; 4] = ["", "tests", "test", "testing"];

pub(super) fn detect(view: &dyn FileView) -> Option<Detection> {
    let mut signs: Vec<(u8, String)> = Vec::new();
    for name in ["pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"] {
        if view.exists(name) {
            signs.push((3, format!("file {name}")));
        }
    }
    if let Some(project) = toml(view, "pyproject.toml") {
        if project
            .get("tool")
            .and_then(|tool| tool.get("pytest"))
            .is_some()
        {
            signs.push((3, "section `[tool.pytest]` in pyproject.toml".to_owned()));
        }
        if mentions_pytest(project.as_item()) {
            signs.push((
                2,
                "pytest among the dependencies in pyproject.toml".to_owned(),
            ));
        }
    }
    for (name, section) in [("tox.ini", "[pytest]"), ("setup.cfg", "[tool:pytest]")] {
        let text = text(view, name).unwrap_or_default();
        if text.lines().any(|line| line.trim() == section) {
            signs.push((3, format!("section `{section}` in {name}")));
        } else if text.lines().any(is_pytest_requirement) {
            signs.push((2, format!("pytest in {name}")));
        }
    }
    signs.extend(signs_in_folders(view));
    let strength = signs.iter().map(|(strength, _)| *strength).max()?;
    let signs = signs.into_iter().map(|(_, sign)| sign).collect();
    Some(Detection {
        framework: "pytest",
        signs,
        strength,
    })
}

pub(super) fn default_command(view: &dyn FileView) -> Vec<String> {
    const RUNNERS: [(&str, &[&str]); 3] = [
        ("uv.lock", &["uv", "run"]),
        ("poetry.lock", &["poetry", "run"]),
        ("pdm.lock", &["pdm", "run"]),
    ];
    let locked = RUNNERS.iter().find(|(lock, _)| view.exists(lock));
    let runner = locked.map(|(_, runner)| *runner).unwrap_or_default();
    runner
        .iter()
        .chain(&["python3", "-m", "pytest"])
        .map(|part| (*part).to_owned())
        .collect()
}

fn signs_in_folders(view: &dyn FileView) -> Vec<(u8, String)> {
    let mut signs = Vec::new();
    for folder in TEST_FOLDERS {
        let mut names = view.list(folder);
        names.sort();
        let at = |name: &str| {
            if folder.is_empty() {
                name.to_owned()
            } else {
                format!("{folder}/{name}")
            }
        };
        if names.iter().any(|name| name == "conftest.py") {
            signs.push((2, format!("file {}", at("conftest.py"))));
        }
        let is_test = |name: &&String| {
            name.strip_suffix(".py")
                .is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test"))
        };
        if let Some(name) = names.iter().find(is_test) {
            signs.push((1, format!("file {}", at(name))));
        }
        let requirements = names.iter().filter(|name| {
            name.contains("requirements")
                && (has_extension(name, "txt") || has_extension(name, "in"))
        });
        for name in requirements {
            if text(view, &at(name)).is_some_and(|text| text.lines().any(is_pytest_requirement)) {
                signs.push((2, format!("pytest in {}", at(name))));
            }
        }
    }
    signs
}

fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, found)| found == extension)
}

fn text(view: &dyn FileView, path: &str) -> Option<String> {
    view.read(path)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn toml(view: &dyn FileView, path: &str) -> Option<DocumentMut> {
    text(view, path)?.parse().ok()
}

fn is_pytest_requirement(line: &str) -> bool {
    let line = line.trim().trim_matches(['"', '\'', ',']);
    line.strip_prefix("pytest").is_some_and(|rest| {
        rest.chars()
            .next()
            .is_none_or(|c| !c.is_ascii_alphanumeric() && !"-_:./".contains(c))
    })
}

/// Whether any string below an item is a requirement on pytest, or any key is its name.
fn mentions_pytest(item: &Item) -> bool {
    if let Some(table) = item.as_table_like() {
        return table
            .iter()
            .any(|(key, below)| (key == "pytest" && below.is_value()) || mentions_pytest(below));
    }
    if let Some(tables) = item.as_array_of_tables() {
        return tables
            .iter()
            .any(|table| table.iter().any(|(_, below)| mentions_pytest(below)));
    }
    item.as_value().is_some_and(value_mentions_pytest)
}

fn value_mentions_pytest(value: &toml_edit::Value) -> bool {
    if let Some(array) = value.as_array() {
        return array.iter().any(value_mentions_pytest);
    }
    value.as_str().is_some_and(is_pytest_requirement)
}
