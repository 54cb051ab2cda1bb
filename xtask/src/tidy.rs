//! The rules of the repository, as a test: `cargo xtask tidy`.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::process;

/// Who may name whom among our own crates. Arrows go down only (DESIGN, "Layers").
const EDGES: [(&str, &[&str]); 16] = [
    ("flake-stats", &[]),
    ("junit-parse", &[]),
    ("test-frameworks", &[]),
    ("git-trees", &[]),
    ("test-support", &[]),
    ("verdict-terminal", &[]),
    ("differential-gate", &["flake-stats"]),
    (
        "patch-verdict-core",
        &[
            "differential-gate",
            "junit-parse",
            "test-frameworks",
            "flake-stats",
        ],
    ),
    (
        "verdict-report",
        &["patch-verdict-core", "differential-gate"],
    ),
    (
        "worktree-runner",
        &[
            "git-trees",
            "patch-verdict-core",
            "differential-gate",
            "junit-parse",
            "test-frameworks",
            "flake-stats",
        ],
    ),
    (
        "patch-verdict-engine",
        &[
            "git-trees",
            "worktree-runner",
            "verdict-report",
            "patch-verdict-core",
            "differential-gate",
            "junit-parse",
            "test-frameworks",
            "flake-stats",
        ],
    ),
    ("junit-parse-cli", &["junit-parse", "verdict-terminal"]),
    (
        "differential-gate-cli",
        &["differential-gate", "verdict-terminal"],
    ),
    (
        "worktree-runner-cli",
        &[
            "worktree-runner",
            "git-trees",
            "differential-gate",
            "junit-parse",
            "patch-verdict-core",
            "test-frameworks",
            "verdict-terminal",
        ],
    ),
    (
        "patch-verdict",
        &[
            "patch-verdict-engine",
            "patch-verdict-core",
            "verdict-report",
            "verdict-terminal",
            "worktree-runner",
            "git-trees",
            "differential-gate-cli",
            "junit-parse-cli",
            "worktree-runner-cli",
        ],
    ),
    (
        "xtask",
        &["patch-verdict-core", "differential-gate", "junit-parse"],
    ),
];

/// Who may name a third party that belongs to one place.
const OWNERS: [(&str, &[&str]); 4] = [
    ("gix", &["git-trees"]),
    ("quick-xml", &["junit-parse"]),
    (
        "toml_edit",
        &[
            "differential-gate",
            "patch-verdict-core",
            "test-frameworks",
            "patch-verdict",
        ],
    ),
    ("tokio", &[]),
];

const MOST_LINES: usize = 600;
const MANY_LINES: usize = 400;

/// Checks everything; lists what is wrong.
pub(crate) fn run() -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for file in tracked()? {
        check_file(&file, &mut wrong)?;
    }
    check_edges(&mut wrong)?;
    check_crates(&mut wrong)?;
    for line in &wrong {
        process::say(&format!("tidy: {line}"));
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        bail!("{} rules broken", wrong.len())
    }
}

/// Files that git tracks or would track.
fn tracked() -> anyhow::Result<Vec<PathBuf>> {
    let output = std::process::Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(process::root())
        .output()
        .context("cannot list files with git")?;
    let text = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    Ok(text
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .collect())
}

fn check_file(file: &Path, wrong: &mut Vec<String>) -> anyhow::Result<()> {
    let path = process::root().join(file);
    if !path.is_file() || path.is_symlink() {
        return Ok(());
    }
    let bytes = fs::read(&path).with_context(|| format!("cannot read `{}`", file.display()))?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(());
    };
    let name = file.to_string_lossy();
    if !name.starts_with("testdata/") {
        for word in forbidden_words() {
            if text.contains(&word) {
                wrong.push(format!("{name}: speaks of `{word}`"));
            }
        }
    }
    if file.extension().is_some_and(|extension| extension == "rs") && !name.starts_with("testdata/")
    {
        check_rust(&name, &text, wrong);
    }
    Ok(())
}

fn check_rust(name: &str, text: &str, wrong: &mut Vec<String>) {
    let first = text.lines().find(|line| !line.starts_with("#!["));
    if !first.is_some_and(|line| line.starts_with("//! ")) {
        wrong.push(format!(
            "{name}: does not begin with `//!` and a sentence on what it is for"
        ));
    }
    let stem = name.rsplit('/').next().unwrap_or(name);
    if ["utils.rs", "common.rs", "helpers.rs", "util.rs", "misc.rs"].contains(&stem) {
        wrong.push(format!("{name}: a file is named for what it holds"));
    }
    let tests = name.contains("/tests/") || stem == "tests.rs" || name.contains("/benches/");
    let lines = text.lines().count();
    if !tests && lines > MOST_LINES {
        wrong.push(format!("{name}: {lines} lines (at most {MOST_LINES})"));
    } else if !tests && lines > MANY_LINES {
        process::say(&format!("tidy: note: {name} has {lines} lines"));
    }
}

/// Words that belong to somebody's workplace, spelled so that this file does not hold them.
fn forbidden_words() -> Vec<String> {
    [
        ["/wo", "rk/"],
        ["crates.", "io/api"],
        ["index.crates", ".io"],
        ["pypi.", "org"],
        ["registry.npm", "js"],
        ["farm", "-"],
    ]
    .iter()
    .map(|parts| parts.concat())
    .collect()
}

fn metadata() -> anyhow::Result<Value> {
    let output = process::cargo(&["metadata", "--format-version=1", "--no-deps"]).output()?;
    serde_json::from_slice(&output.stdout).context("cannot read `cargo metadata`")
}

fn check_edges(wrong: &mut Vec<String>) -> anyhow::Result<()> {
    let metadata = metadata()?;
    let packages = metadata
        .get("packages")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let allowed: BTreeMap<&str, &[&str]> = EDGES.into_iter().collect();
    let ours: Vec<String> = packages
        .iter()
        .filter_map(|package| text(package, "name"))
        .collect();
    for package in &packages {
        let name = text(package, "name").unwrap_or_default();
        let Some(may_name) = allowed.get(name.as_str()) else {
            wrong.push(format!(
                "{name}: not in the table of layers (xtask/src/tidy.rs)"
            ));
            continue;
        };
        for dependency in package
            .get("dependencies")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            if dependency.get("kind").is_some_and(|kind| kind == "dev") {
                continue;
            }
            let target = text(dependency, "name").unwrap_or_default();
            if ours.contains(&target) && !may_name.contains(&target.as_str()) {
                wrong.push(format!("{name}: may not depend on {target}"));
            }
            for (third_party, owners) in OWNERS {
                if target == third_party && !owners.contains(&name.as_str()) {
                    wrong.push(format!("{name}: may not name {third_party}"));
                }
            }
        }
    }
    Ok(())
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

fn check_crates(wrong: &mut Vec<String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(process::root().join("crates"))? {
        let folder = entry?.path();
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        if !manifest.contains("[lints]\nworkspace = true") {
            wrong.push(format!("crates/{name}: the workspace's lints are off"));
        }
        if manifest.contains("publish = false") {
            continue;
        }
        for file in [
            "README.md",
            "CHANGELOG.md",
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "tests/it/main.rs",
        ] {
            let untested = file == "tests/it/main.rs" && name == "verdict-terminal";
            if !untested && !folder.join(file).exists() {
                wrong.push(format!("crates/{name}: has no {file}"));
            }
        }
        let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        if readme.lines().count() > 120 {
            wrong.push(format!("crates/{name}/README.md: more than 120 lines"));
        }
        if !readme.contains("What it does not do") {
            wrong.push(format!(
                "crates/{name}/README.md: does not say what it does not do"
            ));
        }
    }
    Ok(())
}
