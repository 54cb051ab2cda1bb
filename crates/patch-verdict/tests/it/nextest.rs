//! cargo-nextest: a crate with tests inside its source and beside it.
use crate::house::{Files, House, ids, programs, short};

const CODE: &str = "pub fn price(count: u32) -> u32 {\n    10 * count\n}\n";
const INNER: &str = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn of_two() {\n        assert_eq!(super::price(2), 20);\n    }\n}\n";
const OUTER: &str = "#[test]\nfn of_one() {\n    assert_eq!(shop::price(1), 10);\n}\n\n#[test]\nfn of_one_more() {}\n";
const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

fn house(after: Files<'_>) -> Option<House> {
    if !programs(&["cargo", "cargo-nextest"]) {
        return None;
    }
    let source = format!("{CODE}{INNER}");
    let base = [
        ("Cargo.toml", MANIFEST),
        (
            "Cargo.lock",
            "version = 4\n\n[[package]]\nname = \"shop\"\nversion = \"0.1.0\"\n",
        ),
        ("src/lib.rs", source.as_str()),
        ("tests/it.rs", OUTER),
        (".gitignore", "/target\n"),
    ];
    let mut house = House::new(&base, after)?;
    let home = std::env::var("HOME").unwrap();
    for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        let place = std::env::var(name).unwrap_or_else(|_| format!("{home}/{folder}"));
        house.environment.push((name.to_owned(), place));
    }
    let path = std::env::var("PATH").unwrap();
    house.environment.push(("PATH".to_owned(), path));
    Some(house)
}

#[track_caller]
fn verdict(after: Files<'_>, wanted: &str, code: i32) -> Option<serde_json::Value> {
    let house = house(after)?;
    let (document, exit) = house.check(&["--base", "main"]);
    assert_eq!(
        (short(&document).as_str(), exit),
        (wanted, code),
        "{document:#}"
    );
    Some(document)
}

#[test]
fn a_regression_is_rejected_and_named() {
    let broken = format!("{}{INNER}", CODE.replace("10 *", "11 *"));
    let Some(document) = verdict(&[("src/lib.rs", &broken)], "reject regression", 1) else {
        return;
    };
    assert_eq!(
        ids(&document["new_failures"]),
        ["shop::it::of_one", "shop::tests::of_two"]
    );
}

#[test]
fn production_code_beside_tests_is_judged() {
    let same = format!("{}{INNER}", CODE.replace("10 * count", "count * 10"));
    let Some(document) = verdict(&[("src/lib.rs", &same)], "accept both_pass", 0) else {
        return;
    };
    assert_eq!(document["scope"]["properties"], 3);
}

#[test]
fn tests_inside_the_source_that_changed_go_to_a_person() {
    let weaker = INNER.replace(
        "assert_eq!(super::price(2), 20)",
        "assert!(super::price(2) > 0)",
    );
    let after = format!("{CODE}{weaker}");
    let Some(document) = verdict(&[("src/lib.rs", &after)], "spec_review changed", 3) else {
        return;
    };
    assert_eq!(ids(&document["excluded"]), ["shop::tests::of_two"]);
}

#[test]
fn a_changed_file_of_tests_takes_its_tests_out() {
    let weaker = OUTER.replace(
        "assert_eq!(shop::price(1), 10)",
        "assert!(shop::price(1) > 0)",
    );
    let Some(document) = verdict(&[("tests/it.rs", &weaker)], "spec_review changed", 3) else {
        return;
    };
    assert_eq!(
        ids(&document["excluded"]),
        ["shop::it::of_one", "shop::it::of_one_more"]
    );
}

#[test]
fn a_patch_that_does_not_compile_is_rejected() {
    let cut = format!("{}{INNER}", CODE.replace("10 * count", "10 * counts"));
    verdict(&[("src/lib.rs", &cut)], "reject setup_failed", 1);
}

#[test]
fn a_test_that_fails_on_both_sides_is_nothing_new() {
    let outer = OUTER.replace("10)", "12)");
    let Some(house) = house(&[]) else {
        return;
    };
    house.repository.git(&["checkout", "-q", "main"]);
    house.change(&[("tests/it.rs", &outer)]);
    house.repository.commit("a red base");
    house.repository.git(&["checkout", "-q", "-B", "patch"]);
    let same = format!("{}{INNER}", CODE.replace("10 * count", "count * 10"));
    house.change(&[("src/lib.rs", &same)]);
    house.repository.commit("the patch");
    let (document, _) = house.check(&["--base", "main"]);
    assert_eq!(short(&document), "reject uniform_fail", "{document:#}");
    assert_eq!(ids(&document["failing_on_both"]), ["shop::it::of_one"]);
}
