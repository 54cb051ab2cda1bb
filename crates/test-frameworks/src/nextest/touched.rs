//! Which tests of a cargo workspace the changed files may have changed.
//!
//! Coarse on purpose: what cannot be mapped to some tests counts for a whole package, or for all.

use std::collections::BTreeSet;

use toml_edit::{DocumentMut, Item};

use super::source::{Region, TestParts, test_parts};
use crate::paths::{belongs_to_tests, extension, file_name, join};
use crate::view::{text, walk};
use crate::{Change, FileView, TestPlace, Touched};

/// Files that say how cargo, rustc and nextest work.
const HARNESS: [&str; 3] = ["nextest.toml", "rust-toolchain", "rust-toolchain.toml"];

/// Tables of a manifest that production code does not see.
const TEST_TABLES: [&str; 7] = [
    "dev-dependencies",
    "dev_dependencies",
    "profile",
    "test",
    "bench",
    "patch",
    "replace",
];

pub(super) fn touched(change: &Change<'_>) -> Touched {
    let mut touched = Touched::default();
    if change.files.is_empty() {
        return touched;
    }
    let sources = Sources::of(change);
    for path in change.files {
        one(change, &sources, path, &mut touched);
    }
    touched
}

fn one(change: &Change<'_>, sources: &Sources, path: &str, touched: &mut Touched) {
    let name = file_name(path);
    let folders: Vec<&str> = path.split('/').collect();
    if HARNESS.contains(&name) || folders.contains(&".cargo") {
        touched.everything("harness", path);
    } else if name == "Cargo.toml" {
        if test_tables(change.before, path) != test_tables(change.after, path) {
            touched.everything("harness", path);
        }
    } else if extension(path) == "rs" {
        rust(change, sources, path, touched);
    } else if name == "Cargo.lock" {
        // Which packages differ is compared by name and version.
    } else if belongs_to_tests(path) {
        touched.everything("test data", path);
    } else if sources.tests_name(name) {
        touched.everything("read by tests", path);
    }
}

fn rust(change: &Change<'_>, sources: &Sources, path: &str, touched: &mut Touched) {
    let Some(package) = package_of(change, path) else {
        if belongs_to_tests(path) || sources.tests_name(file_name(path)) {
            touched.everything("test file", path);
        }
        return;
    };
    let manifest = join(&package, "Cargo.toml");
    let inside = crate::paths::below(path, &package).unwrap_or(path);
    // Another file may take this one in under any name.
    if sources.included.contains(file_name(path)) && may_be_test(change, path) {
        touched.everything("test file", path);
        return;
    }
    if let Some(rest) = inside.strip_prefix("tests/") {
        let target = rest.strip_suffix(".rs").unwrap_or(rest);
        let target = target.split('/').next().unwrap_or(target);
        let root = [
            format!("tests/{target}.rs"),
            format!("tests/{target}/main.rs"),
        ];
        let is_target = root
            .iter()
            .any(|root| root == inside || change.before.exists(&join(&package, root)));
        let shared = sources.declares.contains(target);
        let marked = is_target
            && !shared
            && touched.mark(change, ("test file", path), |test| {
                test.file == manifest && test.suite.ends_with(&format!("::{target}"))
            });
        let is_new = is_target && !shared && !change.before.exists(path);
        if !marked && !is_new {
            touched.everything("test file", path);
        }
        return;
    }
    if inside == "build.rs" {
        return;
    }
    let test_only = sources.test_only.iter().any(|known| {
        path == known || path.starts_with(&format!("{}/", known.trim_end_matches(".rs")))
    });
    if test_only {
        if !package_wide(change, &manifest, path, touched) {
            touched.everything("test file", path);
        }
        return;
    }
    if belongs_to_tests(inside) {
        touched.everything("test file", path);
        return;
    }
    regions(change, path, (&manifest, inside), touched);
}

/// Compares what only tests see of a file; the rest of it is production code.
fn regions(
    change: &Change<'_>,
    path: &str,
    (manifest, inside): (&str, &str),
    touched: &mut Touched,
) {
    let parts = |view: &dyn FileView| match view.read(path) {
        None => Some(TestParts::default()),
        Some(bytes) => test_parts(&String::from_utf8_lossy(&bytes)),
    };
    let (Some(before), Some(after)) = (parts(change.before), parts(change.after)) else {
        touched.everything("unreadable", path);
        return;
    };
    let differing = difference(&before.regions, &after.regions);
    let mentions = before.mentions != after.mentions;
    let modules = module_of(inside).filter(|_| usual_layout(change, manifest));
    let narrow = |region: &Region| {
        let (path, modules) = region.path.as_ref().zip(modules.as_ref())?;
        let all: Vec<&str> = modules.iter().chain(path).map(String::as_str).collect();
        Some((all.join("::"), before.regions.contains(region)))
    };
    let names: Option<Vec<(String, bool)>> =
        differing.iter().map(|region| narrow(region)).collect();
    let known = names.filter(|_| !mentions).is_some_and(|names| {
        names.iter().all(|(name, on_parent)| {
            let below = format!("{name}::");
            let wanted = |test: &TestPlace<'_>| {
                is_unit(test, manifest) && (test.name == name || test.name.starts_with(&below))
            };
            // What only the patch has stands for no test of the parent.
            touched.mark(change, ("test code", path), wanted) || !on_parent
        })
    });
    // What a feature turns on as well is seen by the tests of other packages.
    let wide = |region: &&Region| region.text.replace(' ', "").contains("cfg(any(");
    if differing.iter().any(wide) {
        touched.everything("test code", path);
    }
    if (!differing.is_empty() || mentions)
        && !known
        && !package_wide(change, manifest, path, touched)
    {
        touched.everything("test code", path);
    }
}

/// Whether library and programs stand where cargo looks for them.
fn usual_layout(change: &Change<'_>, manifest: &str) -> bool {
    [change.before, change.after].into_iter().all(|view| {
        let manifest = text(view, manifest)
            .parse::<DocumentMut>()
            .unwrap_or_default();
        let library = manifest.get("lib").and_then(|lib| lib.get("path"));
        library.is_none() && manifest.get("bin").is_none()
    })
}

fn difference<'a>(one: &'a [Region], other: &'a [Region]) -> Vec<&'a Region> {
    let count = |list: &[Region], region: &Region| list.iter().filter(|r| *r == region).count();
    let all: BTreeSet<&Region> = one.iter().chain(other).collect();
    all.into_iter()
        .filter(|region| count(one, region) != count(other, region))
        .collect()
}

fn package_wide(change: &Change<'_>, manifest: &str, path: &str, touched: &mut Touched) -> bool {
    touched.mark(change, ("test code", path), |test| test.file == manifest)
}

/// A test of a library or a program, which sees the inside of its crate.
fn is_unit(test: &TestPlace<'_>, manifest: &str) -> bool {
    test.file == manifest && (!test.suite.contains("::") || test.suite.contains("::bin/"))
}

/// Modules of a file below `src`, by the usual layout; `None` elsewhere.
fn module_of(inside: &str) -> Option<Vec<String>> {
    let below = inside.strip_prefix("src/")?.strip_suffix(".rs")?;
    let mut parts: Vec<String> = below.split('/').map(str::to_owned).collect();
    match parts.last().map(String::as_str) {
        Some("mod") => {
            parts.pop();
        }
        Some("lib" | "main") if parts.len() == 1 => parts.clear(),
        _ => {}
    }
    (parts.first().map(String::as_str) != Some("bin")).then_some(parts)
}

fn may_be_test(change: &Change<'_>, path: &str) -> bool {
    belongs_to_tests(path)
        || [change.before, change.after].iter().any(|view| {
            test_parts(&text(*view, path)).is_none_or(|parts| parts != TestParts::default())
        })
}

fn package_of(change: &Change<'_>, path: &str) -> Option<String> {
    let mut folder = path;
    while !folder.is_empty() {
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        let manifest = join(folder, "Cargo.toml");
        if change.before.exists(&manifest) || change.after.exists(&manifest) {
            return Some(folder.to_owned());
        }
    }
    None
}

/// The tables of a manifest that only tests, or the build as a whole, feel.
fn test_tables(view: &dyn FileView, path: &str) -> Option<Vec<String>> {
    let manifest: DocumentMut = text(view, path).parse().ok()?;
    let mut tables = Vec::new();
    let mut keep = |above: &str, item: &Item| {
        for (name, below) in item
            .as_table_like()
            .into_iter()
            .flat_map(|table| table.iter())
        {
            if TEST_TABLES.contains(&name) {
                tables.push(format!("{above}{name} = {below}"));
            }
        }
    };
    keep("", manifest.as_item());
    for (target, below) in manifest
        .get("target")
        .and_then(Item::as_table_like)
        .into_iter()
        .flat_map(|table| table.iter())
    {
        keep(&format!("target.{target}."), below);
    }
    let shared = manifest
        .get("workspace")
        .and_then(|item| item.get("dependencies"));
    tables.extend(shared.map(|item| format!("workspace.dependencies = {item}")));
    tables.sort();
    Some(tables)
}

/// What the Rust files of both sides say about other files.
#[derive(Default)]
struct Sources {
    /// Files that modules of tests alone are made of.
    test_only: BTreeSet<String>,
    /// File names behind `#[path = "…"]` and `include!("…")`.
    included: BTreeSet<String>,
    /// Modules that a file below a `tests` folder declares.
    declares: BTreeSet<String>,
    /// What tests say, for names of data files in it.
    tests: Vec<String>,
}

impl Sources {
    fn of(change: &Change<'_>) -> Self {
        let mut sources = Self::default();
        for view in [change.before, change.after] {
            for path in walk(view, "", &|path| extension(path) == "rs") {
                sources.add(view, &path);
            }
        }
        sources
    }

    fn add(&mut self, view: &dyn FileView, path: &str) {
        let source = text(view, path);
        for (at, _) in source
            .match_indices("path")
            .chain(source.match_indices("include!"))
        {
            let line = source
                .get(at..)
                .unwrap_or_default()
                .lines()
                .next()
                .unwrap_or_default();
            let named = line.split('"').nth(1).map(file_name);
            self.included.extend(named.map(str::to_owned));
        }
        if path.split('/').any(|folder| folder == "tests") {
            let modules = source.lines().filter_map(|line| {
                let line = line
                    .trim()
                    .trim_start_matches("pub ")
                    .strip_prefix("mod ")?;
                line.trim_end().strip_suffix(';')
            });
            // The modules of one test program are files of its own folder.
            let own = crate::paths::below(path, "tests").is_some_and(|rest| !rest.contains('/'));
            if own || !path.starts_with("tests/") {
                self.declares
                    .extend(modules.map(|name| name.trim().to_owned()));
            }
            self.tests.push(source);
            return;
        }
        if !source.contains("test") {
            return;
        }
        let Some(parts) = test_parts(&source) else {
            return;
        };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let stem = file_name(path).trim_end_matches(".rs");
        let folder = match stem {
            "lib" | "main" | "mod" => folder.to_owned(),
            stem => join(folder, stem),
        };
        for module in &parts.modules {
            let place = join(&folder, &module.join("/"));
            self.test_only.insert(format!("{place}.rs"));
            self.test_only.insert(format!("{place}/mod.rs"));
        }
        self.tests
            .extend(parts.regions.into_iter().map(|region| region.text));
    }

    fn tests_name(&self, name: &str) -> bool {
        self.tests.iter().any(|text| text.contains(name))
    }
}
