//! vitest: the trees hold no reporter, only a link to the packages.
use crate::house::{Files, ids, short};
use crate::jest::house;

const SHOP: &str =
    "export const price = (count) => 10 * count;\nexport const name = () => 'shop';\n";
const TESTS: &str = "import { describe, expect, test } from 'vitest';\n\
    import { name, price } from '../lib/shop.mjs';\n\
    describe('price (of a|b)', () => {\n  \
      test('of two $', () => { expect(price(2)).toBe(20); });\n\
    });\n\
    test('name', () => { expect(name()).toBe('shop'); });\n";

#[track_caller]
fn verdict(after: Files<'_>, wanted: &str, code: i32) -> Option<serde_json::Value> {
    let base = [("lib/shop.mjs", SHOP), ("tests/shop.test.mjs", TESTS)];
    let house = house("vitest", &base, after)?;
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
    let Some(document) = verdict(&[("lib/shop.mjs", &broken)], "reject regression", 1) else {
        return;
    };
    assert_eq!(
        ids(&document["new_failures"]),
        ["tests/shop.test.mjs::price (of a|b) > of two $"]
    );
}

#[test]
fn a_refactoring_is_accepted() {
    let same = SHOP.replace("10 * count", "count * 10");
    verdict(&[("lib/shop.mjs", &same)], "accept both_pass", 0);
}

#[test]
fn a_changed_test_goes_to_a_person() {
    let weaker = TESTS.replace("toBe(20)", "toBeGreaterThan(0)");
    verdict(
        &[("tests/shop.test.mjs", &weaker)],
        "spec_review changed",
        3,
    );
}

#[test]
fn a_promise_that_nobody_catches_is_no_pass() {
    let leaking = format!("{SHOP}Promise.reject(new Error('nobody'));\n");
    verdict(&[("lib/shop.mjs", &leaking)], "reject exit_mismatch", 1);
}
