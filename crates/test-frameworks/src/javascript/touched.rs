//! Which tests of a JavaScript suite the changed files may have changed.
//!
//! A file is what is compared: a changed test file takes all its tests out, and a changed helper,
//! configuration, snapshot or data file of tests takes all out.

use std::collections::BTreeSet;

use serde_json::Value;

use super::package::package;
use crate::paths::{belongs_to_tests, extension, file_name};
use crate::view::text;
use crate::{Below, Change, FileView, Touched};

/// Starts of the names of files that say how tests are run or translated.
const CONFIGURATIONS: [&str; 14] = [
    ".babelrc",
    ".env",
    ".node-version",
    ".npmrc",
    ".nvmrc",
    ".swcrc",
    "babel.config",
    "jest.",
    "jsconfig",
    "tsconfig",
    "vite.config",
    "vitest.",
    "setupTests",
    "setupFiles",
];

/// Lock files whose packages are not read.
const LOCKS: [&str; 4] = ["yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"];

/// Parts of package.json that production code does not see.
const TEST_KEYS: [&str; 8] = [
    "babel",
    "browserslist",
    "jest",
    "overrides",
    "packageManager",
    "pnpm",
    "resolutions",
    "vitest",
];

const SOURCES: [&str; 13] = [
    "cjs", "css", "cts", "html", "js", "jsx", "less", "mjs", "mts", "scss", "svelte", "ts", "vue",
];

pub(crate) fn touched(change: &Change<'_>) -> Touched {
    let mut touched = Touched::default();
    if change.files.is_empty() {
        return touched;
    }
    let tests = texts(change);
    let configurations = configurations(change);
    for path in change.files {
        let name = file_name(path);
        let in_suite = change.tests.iter().any(|test| test.file == path);
        let stem = name.split('.').next().unwrap_or(name);
        if in_suite {
            touched.mark(change, ("test file", path), |test| test.file == path);
            // Tests import helpers from each other.
            let whole = path
                .rsplit_once('.')
                .map_or(path.as_str(), |(whole, _)| whole);
            let import = format!("/{}", file_name(whole));
            let imported = tests
                .iter()
                .any(|(file, text)| file != path && text.contains(&import));
            if imported {
                touched.everything("test file", path);
            }
        } else if name == "package.json" {
            if test_parts(change.before, path) != test_parts(change.after, path) {
                touched.everything("harness", path);
            }
        } else if matches!(name, "package-lock.json" | "npm-shrinkwrap.json") {
            // Which packages differ is compared by name and version.
        } else if LOCKS.contains(&name) || path.split('/').any(|part| part == "node_modules") {
            touched.everything("dependencies", path);
        } else if is_configuration(name) {
            touched.everything("harness", path);
        } else if is_new_test(change, path) {
            // It stands for itself: its tests are new.
        } else if belongs_to_tests(path) {
            touched.everything("helper", path);
        } else if named(&configurations, path, change.directory) {
            touched.everything("harness", path);
        } else if !SOURCES.contains(&extension(path))
            && tests.iter().any(|(_, text)| {
                text.contains(name)
                    || (extension(path) == "json" && text.contains(&format!("/{stem}'")))
            })
        {
            touched.everything("read by tests", path);
        }
    }
    touched
}

/// A file that only the patch has, and whose name is that of a test: no test of the parent can have
/// read it unless something else changed as well.
fn is_new_test(change: &Change<'_>, path: &str) -> bool {
    let name = file_name(path);
    let is_test = name.contains(".test.") || name.contains(".spec.");
    is_test && SOURCES.contains(&extension(path)) && !change.before.exists(path)
}

/// The test files of both sides with their text.
fn texts(change: &Change<'_>) -> Vec<(String, String)> {
    let files: BTreeSet<&str> = change.tests.iter().map(|test| test.file).collect();
    let mut texts = Vec::new();
    for file in files {
        for view in [change.before, change.after] {
            texts.push((file.to_owned(), text(view, file)));
        }
    }
    texts
}

/// Texts of the configuration of both sides.
fn configurations(change: &Change<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    for view in [change.before, change.after] {
        for folder in [change.directory, ""] {
            let here = Below { view, folder };
            let package = package(&here);
            texts.extend(["jest", "vitest"].map(|key| part(&package, key)));
            texts.extend(test_scripts(&package));
            let names = here.list("").into_iter();
            let files = names.filter(|name| is_configuration(name));
            texts.extend(files.map(|name| text(&here, &name)));
        }
    }
    texts
}

/// Whether a configuration names the file, with or without its extension.
fn named(configurations: &[String], path: &str, directory: &str) -> bool {
    let path = crate::paths::below(path, directory).unwrap_or(path);
    let whole = path.rsplit_once('.').map_or(path, |(whole, _)| whole);
    configurations.iter().any(|text| {
        ["/", "\"", "'", "`", " ", "="]
            .iter()
            .any(|before| text.contains(&format!("{before}{whole}")))
    })
}

/// What of a package.json says how tests run; the text itself where it is no JSON.
fn test_parts(view: &dyn FileView, path: &str) -> Vec<String> {
    let source = text(view, path);
    let Ok(package) = serde_json::from_str::<Value>(&source) else {
        return vec![source];
    };
    let mut parts: Vec<String> = TEST_KEYS.iter().map(|key| part(&package, key)).collect();
    parts.extend(test_scripts(&package));
    parts
}

fn part(package: &Value, key: &str) -> String {
    package.get(key).map(Value::to_string).unwrap_or_default()
}

/// Scripts that run tests by their names, such as `pretest:unit`.
fn test_scripts(package: &Value) -> Vec<String> {
    let scripts = package.get("scripts").and_then(Value::as_object);
    let scripts = scripts.into_iter().flatten();
    scripts
        .filter(|(name, _)| name.contains("test") || belongs_to_tests(name))
        .map(|(name, script)| format!("{name}: {script}"))
        .collect()
}

fn is_configuration(name: &str) -> bool {
    name.contains(".config.") || CONFIGURATIONS.iter().any(|start| name.starts_with(start))
}
