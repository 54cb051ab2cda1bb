//! CI environments, loaded code, harnesses.
use std::collections::{BTreeMap, BTreeSet};

use patch_verdict_core::{
    LoadedModule, foreign_names, harness_changes, import_roots, importable_names, loaded_outside,
    taken_over, under_ci,
};

fn variables(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn ci_is_what_says_so() {
    for (value, wanted) in [
        ("true", true),
        ("1", true),
        ("", false),
        ("false", false),
        ("0", false),
    ] {
        assert_eq!(under_ci(&variables(&[("CI", value)])), wanted, "{value}");
    }
    assert!(!under_ci(&variables(&[])));
}

#[test]
fn names_of_the_tree_are_packages_and_modules_at_its_root_and_below_src() {
    let files = [
        "shop/__init__.py",
        "shop/cart.py",
        "src/bank/__init__.py",
        "src/one.py",
        "two.py",
        "tests/__init__.py",
        "conftest.py",
        "setup.py",
        "docs/conf.py",
        "my-scripts/__init__.py",
        "packages/ledger/src/ledger/__init__.py",
        "src/space/deep/mod.py",
        "tests/data/src/requests/__init__.py",
        "examples/src/flask.py",
        "google/cloud/shop/__init__.py",
        "src/__init__.py",
    ];
    let names: Vec<String> = importable_names(files.into_iter()).into_iter().collect();
    assert_eq!(
        names,
        ["bank", "google", "ledger", "one", "shop", "space", "two"]
    );
}

#[test]
fn foreign_is_what_both_sides_loaded_from_one_place_elsewhere() {
    let loaded = |module: &str, file: &str| LoadedModule {
        module: module.to_owned(),
        file: file.to_owned(),
    };
    let names = BTreeSet::from(["shop".to_owned()]);
    let elsewhere = [
        loaded("shop", "/home/u/shop/__init__.py"),
        loaded("os", "/usr/lib/os.py"),
    ];
    let own = [loaded("shop", "/run/tree/shop/__init__.py")];
    let mixed = [
        elsewhere[0].clone(),
        loaded("shop.cart", "/run/tree/shop/cart.py"),
    ];
    let other = [loaded("shop", "/site/shop/__init__.py")];
    let foreign =
        |a: &[LoadedModule], b: &[LoadedModule]| foreign_names(&names, "/run/tree", a, b).len();
    assert_eq!(foreign(&elsewhere, &elsewhere), 1);
    assert_eq!(foreign(&own, &own), 0);
    assert_eq!(foreign(&elsewhere, &own), 0);
    assert_eq!(foreign(&mixed, &mixed), 0);
    assert_eq!(foreign(&elsewhere, &other), 0);
    // A folder whose name only begins like the tree's is outside.
    let beside = [loaded("shop", "/run/tree2/shop/__init__.py")];
    assert_eq!(foreign(&beside, &beside), 1);
}

#[test]
fn a_module_is_taken_over_when_the_tree_gives_what_was_installed() {
    let list = |modules: &[(&str, &str)]| -> Vec<LoadedModule> {
        let loaded = modules.iter().map(|(module, file)| LoadedModule {
            module: (*module).to_owned(),
            file: (*file).to_owned(),
        });
        loaded.collect()
    };
    let own = BTreeSet::from(["shop".to_owned()]);
    let before = loaded_outside(
        &own,
        "/run/tree",
        &list(&[
            ("numpy", "/usr/lib/numpy/__init__.py"),
            // An environment that a set-up made in the tree is no part of the tree.
            ("attr", "/run/tree/.venv/lib/site-packages/attr/__init__.py"),
            ("shop", "/usr/lib/shop/__init__.py"),
            ("helpers", "/run/tree/tests/helpers.py"),
            ("__main__", "/usr/lib/pytest/__main__.py"),
        ]),
    );
    let names: Vec<&str> = before.keys().map(String::as_str).collect();
    assert_eq!(names, ["attr", "numpy"]);
    let now = list(&[
        ("numpy", "/run/tree/numpy.py"),
        ("attr", "/run/tree/.venv/lib/site-packages/attr/__init__.py"),
        ("shop", "/run/tree/src/shop/__init__.py"),
        ("goods._vendor", "/run/tree/goods/_vendor/__init__.py"),
        ("helpers", "/run/tree/tests/helpers.py"),
    ]);
    let taken = taken_over(&before, "/run/tree", &now);
    let taken: Vec<(&str, &str)> = taken
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    assert_eq!(taken, [("numpy", "numpy.py")]);
    let roots = import_roots("/run/tree/", &now);
    assert_eq!(roots.into_iter().collect::<Vec<_>>(), ["", "src", "tests"]);
}

#[test]
fn a_harness_change_is_in_test_tools_or_comes_from_elsewhere() {
    let check = |before: &[(&str, &str)], after: &[(&str, &str)], wanted: &[&str]| {
        let changes = harness_changes(&variables(before), &variables(after), Some("My_Shop"));
        let names: Vec<&str> = changes.iter().map(|change| change.name.as_str()).collect();
        assert_eq!(names, wanted);
    };
    check(&[("pytest", "8.4")], &[("pytest", "8.4")], &[]);
    check(&[("pytest", "8.4")], &[("pytest", "9.0")], &["pytest"]);
    check(&[], &[("pytest-mock", "3")], &["pytest-mock"]);
    check(&[("hypothesis", "6")], &[], &["hypothesis"]);
    check(&[("requests", "2.1")], &[("requests", "2.2")], &[]);
    check(
        &[("python-dateutil", "2.8")],
        &[("python-dateutil", "2.9")],
        &[],
    );
    check(&[("python", "3.11")], &[("python", "3.12")], &["python"]);
    check(
        &[("lib", "1 @ file:///a")],
        &[("lib", "1 @ file:///b")],
        &["lib"],
    );
    check(
        &[("my-shop", "1 @ file:///a")],
        &[("my-shop", "2 @ file:///b")],
        &[],
    );
}
