//! jest: the trees hold no reporter, only a link to the packages.
use crate::house::{Files, House, ids, node_packages, short};

const SHOP: &str = "exports.price = (count) => 10 * count;\nexports.name = () => 'shop';\n";
const TESTS: &str = "const shop = require('../lib/shop');\n\
    describe('price (of a|b) [1] > \"x\"', () => {\n  \
      test('of two $', () => { expect(shop.price(2)).toBe(20); });\n\
    });\n\
    test('näme::is', () => { expect(shop.name()).toBe('shop'); });\n";
const NAMED: &str = "tests/shop.test.js::price (of a|b) [1] > \"x\" > of two $";

/// A repository with the packages linked into each tree by the set-up.
pub(crate) fn house(framework: &str, base: Files<'_>, after: Files<'_>) -> Option<House> {
    let packages = node_packages()?;
    let packages = packages.join("node_modules");
    let setup = format!(
        "[[suite]]\nsetup = [\"ln -s {} node_modules\"]\n",
        packages.display()
    );
    let package = format!(
        "{{\"name\": \"shop\", \"scripts\": {{\"test\": \"{framework}\"}}, \"devDependencies\": {{\"{framework}\": \"*\"}}}}\n"
    );
    let mut before = vec![
        ("patch-verdict.toml", setup.as_str()),
        ("package.json", package.as_str()),
        (".gitignore", "node_modules\n"),
    ];
    before.extend(base);
    House::new(&before, after)
}

#[track_caller]
fn verdict(after: Files<'_>, wanted: &str, code: i32) -> Option<serde_json::Value> {
    let base = [("lib/shop.js", SHOP), ("tests/shop.test.js", TESTS)];
    let house = house("jest", &base, after)?;
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
    let broken = SHOP.replace("10 *", "11 *");
    let Some(document) = verdict(&[("lib/shop.js", &broken)], "reject regression", 1) else {
        return;
    };
    assert_eq!(ids(&document["new_failures"]), [NAMED]);
}

#[test]
fn a_refactoring_is_accepted() {
    let same = SHOP.replace("10 * count", "count * 10");
    let Some(document) = verdict(&[("lib/shop.js", &same)], "accept both_pass", 0) else {
        return;
    };
    assert_eq!(document["scope"]["properties"], 2);
}

#[test]
fn a_changed_test_goes_to_a_person() {
    let weaker = TESTS.replace("toBe(20)", "toBeGreaterThan(0)");
    let broken = SHOP.replace("10 *", "11 *");
    let after = [
        ("tests/shop.test.js", weaker.as_str()),
        ("lib/shop.js", &broken),
    ];
    let Some(document) = verdict(&after, "spec_review changed", 3) else {
        return;
    };
    assert_eq!(document["excluded"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_new_file_of_tests_runs_and_may_not_fail() {
    let failing = (
        "tests/new.test.js",
        "test('new', () => { expect(1).toBe(2); });\n",
    );
    verdict(&[failing], "reject new_test_failed", 1);
}

#[test]
fn a_configuration_that_changes_every_test_goes_to_a_person() {
    let setup = (
        "jest.config.js",
        "module.exports = { setupFiles: ['./quiet.js'] };\n",
    );
    let quiet = ("quiet.js", "globalThis.quiet = true;\n");
    verdict(&[setup, quiet], "spec_review changed", 3);
}

#[test]
fn a_file_that_cannot_be_read_is_no_pass() {
    let cut = ("lib/shop.js", "exports.price = (count) => {\n");
    verdict(&[cut], "reject uncollectable", 1);
}

#[test]
fn a_failure_that_random_numbers_bring_is_the_same_on_both_sides() {
    let tests = "test('draws', () => { expect(Math.random()).toBeLessThan(0.5); });\n";
    let base = [("lib/shop.js", SHOP), ("tests/shop.test.js", tests)];
    let same = SHOP.replace("10 * count", "count * 10");
    let Some(house) = house("jest", &base, &[("lib/shop.js", &same)]) else {
        return;
    };
    let seeds = ["--seeds", "1,2,3,4,5,6", "--base", "main"];
    let arguments = [&["check", "--format", "json", "--quiet"], &seeds[..]].concat();
    let answer = house.run(&arguments);
    let document: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(short(&document), "propose_freeze shared_variant_fail");
    assert_eq!(
        ids(&document["failing_on_both"]),
        ["tests/shop.test.js::draws"]
    );
}
