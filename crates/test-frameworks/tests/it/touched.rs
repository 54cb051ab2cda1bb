//! Which tests count as changed, by the files that a patch changed.

use std::collections::{BTreeMap, BTreeSet};

use test_frameworks::{Change, TestPlace, framework};

use crate::detection::Files;

/// `before` and what `after` changes of it; empty text removes. The answer: ids, or `all`.
#[track_caller]
fn check(
    name: &str,
    tests: &[TestPlace<'_>],
    before: &[(&'static str, &'static str)],
    after: &[(&'static str, &'static str)],
    wanted: &[&str],
) {
    let old: BTreeMap<&'static str, &'static str> = before.iter().copied().collect();
    let mut new = old.clone();
    for (path, text) in after {
        if text.is_empty() {
            new.remove(path);
        } else {
            new.insert(path, text);
        }
    }
    let files: Vec<String> = after.iter().map(|(path, _)| (*path).to_owned()).collect();
    let touched = framework(name)
        .unwrap()
        .touched(&Change {
            before: &Files(old),
            after: &Files(new),
            files: &files,
            directory: ".",
            tests,
        })
        .unwrap();
    let found: BTreeSet<&str> = if touched.all.is_empty() {
        touched.tests.keys().map(String::as_str).collect()
    } else {
        BTreeSet::from(["all"])
    };
    assert_eq!(
        found,
        wanted.iter().copied().collect(),
        "{after:?}: {touched:?}"
    );
}

fn javascript(after: &[(&'static str, &'static str)], wanted: &[&str]) {
    let place = |id, file| TestPlace {
        id,
        suite: file,
        name: id,
        file,
    };
    let tests = [
        place("a", "test/a.test.js"),
        place("b", "src/b.test.js"),
        place("c", "src/c.test.js"),
    ];
    let before = [
        (
            "package.json",
            r#"{"version": "1.0.0", "scripts": {"test": "jest", "build": "tsc"}, "jest": {"setupFiles": ["<rootDir>/scripts/quiet.js"]}}"#,
        ),
        ("src/index.js", "1"),
        ("src/b.test.js", "1"),
        ("src/c.test.js", "require('./b.test')"),
        ("test/a.test.js", "read('../data/input.csv')"),
        ("scripts/quiet.js", "1"),
        ("data/input.csv", "1"),
        ("data/other.csv", "1"),
        ("README.md", "1"),
    ];
    for name in ["jest", "vitest"] {
        check(name, &tests, &before, after, wanted);
    }
}

#[test]
fn files_of_a_javascript_suite() {
    javascript(&[("src/index.js", "2")], &[]);
    javascript(&[("README.md", "2")], &[]);
    javascript(&[("test/a.test.js", "2")], &["a"]);
    javascript(&[("test/a.test.js", "")], &["a"]);
    javascript(&[("src/c.test.js", "2")], &["c"]);
    javascript(&[("src/b.test.js", "2")], &["all"]);
    javascript(&[("src/d.test.js", "2")], &[]);
    javascript(&[("test/helper.js", "2")], &["all"]);
    javascript(&[("src/__mocks__/fs.js", "2")], &["all"]);
    javascript(&[("src/__snapshots__/b.test.js.snap", "2")], &["all"]);
    javascript(&[("scripts/quiet.js", "2")], &["all"]);
    javascript(&[("jest.config.js", "2")], &["all"]);
    javascript(&[("tsconfig.json", "2")], &["all"]);
    javascript(&[("yarn.lock", "2")], &["all"]);
    javascript(&[("data/input.csv", "2")], &["all"]);
    javascript(&[("data/other.csv", "2")], &[]);
    let version = r#"{"version": "1.0.1", "scripts": {"test": "jest", "build": "tsc"}, "jest": {"setupFiles": ["<rootDir>/scripts/quiet.js"]}}"#;
    javascript(&[("package.json", version)], &[]);
    let script = r#"{"version": "1.0.0", "scripts": {"test": "jest -t x", "build": "tsc"}, "jest": {"setupFiles": ["<rootDir>/scripts/quiet.js"]}}"#;
    javascript(&[("package.json", script)], &["all"]);
}

const LIBRARY: &str =
    "fn f() {}\n#[cfg(test)] mod tests { #[test] fn a() {} }\nmod part;\n#[cfg(test)] mod laws;\n";

fn rust(after: &[(&'static str, &'static str)], wanted: &[&str]) {
    let place = |id, suite, name| TestPlace {
        id,
        suite,
        name,
        file: "Cargo.toml",
    };
    let tests = [
        place("lib", "shop", "tests::a"),
        place("part", "shop", "part::tests::b"),
        place("law", "shop", "laws::c"),
        place("it", "shop::it", "d"),
        place("more", "shop::more", "e"),
    ];
    let before = [
        (
            "Cargo.toml",
            "[package]\nname = 'shop'\nversion = '1.0.0'\n[dev-dependencies]\nproptest = '1'\n",
        ),
        ("src/lib.rs", LIBRARY),
        (
            "src/part.rs",
            "fn g() {}\n#[cfg(test)] mod tests { #[test] fn b() { let _ = include_str!(\"rows.csv\"); } }\n",
        ),
        ("src/laws.rs", "#[test] fn c() {}\n"),
        ("src/rows.csv", "1"),
        ("src/table.csv", "1"),
        ("tests/it.rs", "mod common;\n#[test] fn d() {}\n"),
        ("tests/more.rs", "#[test] fn e() {}\n"),
        ("tests/common/mod.rs", "pub fn help() {}\n"),
        ("README.md", "1"),
    ];
    check("nextest", &tests, &before, after, wanted);
}

#[test]
fn files_of_a_cargo_workspace() {
    rust(&[("README.md", "2")], &[]);
    rust(&[("src/table.csv", "2")], &[]);
    rust(&[("src/rows.csv", "2")], &["all"]);
    rust(
        &[(
            "src/lib.rs",
            "fn f() { g() }\n// say\n#[cfg(test)] mod tests { #[test] fn a() {} }\nmod part;\n#[cfg(test)] mod laws;\n",
        )],
        &[],
    );
    rust(
        &[(
            "src/lib.rs",
            "fn f() {}\n#[cfg(test)] mod tests { #[test] fn a() { f() } }\nmod part;\n#[cfg(test)] mod laws;\n",
        )],
        &["lib"],
    );
    let package = ["lib", "part", "law", "it", "more"];
    rust(
        &[(
            "src/lib.rs",
            "fn f() {}\n#[cfg(test)] mod tests { pub fn help() {} #[test] fn a() {} }\nmod part;\n#[cfg(test)] mod laws;\n",
        )],
        &package,
    );
    rust(
        &[(
            "src/lib.rs",
            "fn f() { if cfg!(test) { g() } }\n#[cfg(test)] mod tests { #[test] fn a() {} }\nmod part;\n#[cfg(test)] mod laws;\n",
        )],
        &package,
    );
    rust(&[("src/lib.rs", "fn f( {}\n")], &["all"]);
    rust(
        &[(
            "src/part.rs",
            "fn g() {}\n#[cfg(test)] mod tests { #[test] fn b() {} }\n",
        )],
        &["part"],
    );
    let feature = "#[cfg(any(test, feature = \"x\"))] pub fn help() {}\n";
    rust(&[("src/new.rs", feature)], &["all"]);
    rust(
        &[(
            "src/new.rs",
            "#[cfg(test)] mod tests { #[test] fn n() {} }\n",
        )],
        &[],
    );
    rust(
        &[("src/laws.rs", "#[test] fn c() { assert!(true) }\n")],
        &package,
    );
    rust(
        &[("tests/more.rs", "#[test] fn e() { assert!(true) }\n")],
        &["more"],
    );
    rust(&[("tests/new.rs", "#[test] fn n() {}\n")], &[]);
    rust(
        &[("tests/common/mod.rs", "pub fn help() { }\n// a\n")],
        &["all"],
    );
    rust(&[("tests/data/rows.csv", "2")], &["all"]);
    rust(&[("rust-toolchain.toml", "2")], &["all"]);
    rust(&[(".config/nextest.toml", "2")], &["all"]);
    rust(&[("proptest-regressions/part.txt", "2")], &["all"]);
    rust(
        &[(
            "Cargo.toml",
            "[package]\nname = 'shop'\nversion = '1.0.1'\n[dev-dependencies]\nproptest = '1'\n",
        )],
        &[],
    );
    rust(
        &[(
            "Cargo.toml",
            "[package]\nname = 'shop'\nversion = '1.0.0'\n[dev-dependencies]\nproptest = '2'\n",
        )],
        &["all"],
    );
}

fn go(after: &[(&'static str, &'static str)], wanted: &[&str]) {
    let place = |id| TestPlace {
        id,
        suite: "",
        name: "",
        file: "",
    };
    let tests = [
        place("example.org/shop::TestA"),
        place("example.org/shop/sub::TestB"),
    ];
    let before = [
        ("go.mod", "module example.org/shop\n"),
        ("a.go", "package shop"),
        ("a_test.go", "package shop // golden.txt"),
        ("sub/b_test.go", "package sub"),
        ("golden.txt", "1"),
        ("rows.txt", "1"),
    ];
    check("go", &tests, &before, after, wanted);
}

#[test]
fn files_of_a_go_module() {
    go(&[("a.go", "package shop // b")], &[]);
    go(&[("rows.txt", "2")], &[]);
    go(
        &[("a_test.go", "package shop")],
        &["example.org/shop::TestA"],
    );
    go(&[("sub/b_test.go", "")], &["example.org/shop/sub::TestB"]);
    go(&[("sub/testdata/x.txt", "2")], &["all"]);
    go(&[("golden.txt", "2")], &["all"]);
    go(&[("go.sum", "2")], &["all"]);
}
