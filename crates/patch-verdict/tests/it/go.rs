//! Go through gotestsum, where both are installed.
use crate::house::{Files, House, ids, programs, short};

const CODE: &str = "package shop\n\nfunc Price(count int) int { return 10 * count }\n";
const TESTS: &str = "package shop\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {\n\tt.Run(\"of two (2)\", func(t *testing.T) {\n\t\tif Price(2) != 20 {\n\t\t\tt.Error(\"not twenty\")\n\t\t}\n\t})\n}\n\nfunc TestNothing(t *testing.T) {}\n";

#[track_caller]
fn verdict(after: Files<'_>, wanted: &str, code: i32) -> Option<serde_json::Value> {
    if !programs(&["go", "gotestsum"]) {
        return None;
    }
    let base = [
        ("go.mod", "module example.org/shop\n\ngo 1.19\n"),
        ("shop.go", CODE),
        ("shop_test.go", TESTS),
    ];
    let house = House::new(&base, after)?;
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
    let broken = CODE.replace("10 *", "11 *");
    let Some(document) = verdict(&[("shop.go", &broken)], "reject regression", 1) else {
        return;
    };
    let named = ids(&document["new_failures"]);
    assert!(
        named.contains(&"example.org/shop::TestPrice/of_two_(2)".to_owned()),
        "{named:?}"
    );
}

#[test]
fn a_refactoring_is_accepted() {
    let same = CODE.replace("10 * count", "count * 10");
    verdict(&[("shop.go", &same)], "accept both_pass", 0);
}

#[test]
fn a_changed_test_goes_to_a_person() {
    let weaker = TESTS.replace("!= 20", "< 1");
    verdict(&[("shop_test.go", &weaker)], "spec_review changed", 3);
}

#[test]
fn a_patch_that_does_not_compile_is_rejected() {
    let cut = CODE.replace("10 * count", "10 * counts");
    verdict(&[("shop.go", &cut)], "reject exit_mismatch", 1);
}
