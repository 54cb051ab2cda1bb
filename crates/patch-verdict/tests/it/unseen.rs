//! Patches that weaken tests without touching a test file, and their honest look-alikes.
use crate::house::{Files, House, short};

const SHOP: &str = "def price(count):\n    return 10 * count\n\n\ndef name():\n    return 'shop'\n";
const BROKEN: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return 11 * count\n\n\ndef name():\n    return 'shop'\n",
);
const TESTS: &str = "import shop\n\n\ndef test_price():\n    assert shop.price(2) == 20\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n";
const SETTINGS: (&str, &str) = (
    "pyproject.toml",
    "[tool.pytest.ini_options]\npythonpath = [\".\"]\n",
);
/// Puts the price right again before the tests of a package run.
const SET_UP: &str =
    "import shop\n\n\ndef setup_module():\n    shop.price = lambda count: 10 * count\n";

#[track_caller]
fn verdict(before: Files<'_>, after: Files<'_>, wanted: &str) -> Option<serde_json::Value> {
    let house = House::new(before, after)?;
    let (document, _) = house.check(&["--base", "main"]);
    assert_eq!(short(&document), wanted, "{document:#}");
    Some(document)
}

#[test]
fn a_package_file_above_the_tests_that_heals_them_is_seen() {
    let inside = ("goods/tests/test_shop.py", TESTS);
    let before = [("shop.py", SHOP), inside, SETTINGS];
    verdict(
        &before,
        &[BROKEN, ("goods/__init__.py", SET_UP)],
        "spec_review changed",
    );
    let code = ("goods/__init__.py", "RATE = 10\n");
    let before = [("shop.py", SHOP), inside, SETTINGS, code];
    verdict(
        &before,
        &[BROKEN, ("goods/__init__.py", SET_UP)],
        "spec_review changed",
    );
    // Gone: the tests are imported in another way.
    verdict(&before, &[("goods/__init__.py", "")], "spec_review changed");
}

#[test]
fn hooks_that_a_package_takes_from_elsewhere_are_seen() {
    let before = [
        ("shop.py", SHOP),
        ("goods/tests/test_shop.py", TESTS),
        ("goods/__init__.py", "RATE = 10\n"),
        // A package of code, so that no digest counts.
        ("goods/other.py", "X = 1\n"),
        SETTINGS,
    ];
    let after = [
        BROKEN,
        ("goods/__init__.py", "from start import *\n\nRATE = 10\n"),
        ("start.py", SET_UP),
    ];
    let Some(document) = verdict(&before, &after, "spec_review harness_changed") else {
        return;
    };
    let headline = document["headline"].as_str().unwrap();
    assert!(
        headline.contains("setup_module (by goods/__init__.py)"),
        "{headline}"
    );
}

#[test]
fn a_package_of_tests_alone_counts_whatever_its_folder_is_called() {
    let before = [
        ("shop.py", SHOP),
        ("checks/__init__.py", ""),
        ("checks/unit/__init__.py", ""),
        ("checks/unit/test_shop.py", TESTS),
        SETTINGS,
    ];
    let healing = "import shop\n\nshop.price = lambda count: 10 * count\n";
    let before: Vec<_> = before
        .iter()
        .map(|(path, text)| (*path, if text.is_empty() { "# checks\n" } else { text }))
        .collect();
    verdict(
        &before,
        &[BROKEN, ("checks/__init__.py", healing)],
        "spec_review changed",
    );
}

#[test]
fn a_product_package_with_its_tests_inside_stays_judged() {
    let tests = "import goods\n\n\ndef test_rate():\n    assert goods.RATE == 10\n";
    let code = ("goods/__init__.py", "RATE = 10\n");
    let more = (
        "goods/__init__.py",
        "from .price import price\n\n__all__ = ['RATE', 'price']\nRATE = 10\n",
    );
    let price = (
        "goods/price.py",
        "def price(count):\n    return 10 * count\n",
    );
    for place in ["goods/tests/test_goods.py", "tests/test_goods.py"] {
        // The only file of the product, and one of several.
        verdict(
            &[code, (place, tests), SETTINGS],
            &[more, price],
            "accept both_pass",
        );
        let other = ("goods/other.py", "X = 1\n");
        verdict(
            &[code, (place, tests), SETTINGS, other],
            &[("goods/__init__.py", "from .other import X\nRATE = 10\n")],
            "accept both_pass",
        );
    }
    let broken = ("goods/__init__.py", "RATE = 11\n");
    let inside = ("goods/tests/test_goods.py", tests);
    verdict(&[code, inside, SETTINGS], &[broken], "reject regression");
}

const COLOURED: &str = "import colorsys\n\nimport shop\n\n\ndef test_price():\n    assert colorsys.rgb_to_yiq(shop.price(2), 0, 0) == colorsys.rgb_to_yiq(20, 0, 0)\n";
const SHADOW: &str = "def rgb_to_yiq(*parts):\n    return 0\n";

#[test]
fn a_module_that_takes_the_place_of_an_installed_one_is_seen() {
    let before = [
        ("shop.py", SHOP),
        ("tests/test_shop.py", COLOURED),
        SETTINGS,
    ];
    // Plain, as a package, and one that says it came from elsewhere.
    let lying = format!("__file__ = '/usr/lib/python3/colorsys.py'\n{SHADOW}");
    for shadow in [
        ("colorsys.py", SHADOW),
        ("colorsys/__init__.py", SHADOW),
        ("colorsys.py", lying.as_str()),
    ] {
        verdict(&before, &[BROKEN, shadow], "spec_review changed");
    }
}

#[test]
fn a_module_that_is_put_before_an_installed_one_while_it_runs_is_seen() {
    // Not loaded while the tests are listed.
    let tests = "import shop\n\n\ndef test_price():\n    price = shop.price(2)\n    import colorsys\n    assert colorsys.rgb_to_yiq(price, 0, 0) == colorsys.rgb_to_yiq(20, 0, 0)\n";
    let before = [("shop.py", SHOP), ("tests/test_shop.py", tests), SETTINGS];
    let late = "import os\nimport sys\n\n\ndef price(count):\n    sys.path.insert(0, os.path.join(os.path.dirname(__file__), 'inner'))\n    return 11 * count\n";
    let after = [("shop.py", late), ("inner/colorsys.py", SHADOW)];
    let Some(document) = verdict(&before, &after, "spec_review harness_changed") else {
        return;
    };
    let headline = document["headline"].as_str().unwrap();
    assert!(
        headline.contains("module colorsys (now inner/colorsys.py)"),
        "{headline}"
    );
}

#[test]
fn new_modules_of_the_product_shadow_nothing() {
    let before = [
        ("shop.py", SHOP),
        ("tests/test_shop.py", COLOURED),
        SETTINGS,
    ];
    let using = (
        "shop.py",
        "import discount\nimport goods.colorsys\n\n\ndef price(count):\n    return discount.off(10 * count)\n\n\ndef name():\n    return 'shop'\n",
    );
    let new = [
        using,
        ("discount.py", "def off(price):\n    return price\n"),
        ("goods/__init__.py", "RATE = 10\n"),
        // A name of the library, where nothing looks for the library.
        ("goods/colorsys.py", "X = 1\n"),
    ];
    verdict(&before, &new, "accept both_pass");
}

const OPTIONAL: &str = "tests/test_optional.py";
const SKIPPED: &str = "import pytest\n\nextra = pytest.importorskip('extra')\n\n\ndef test_it():\n    assert extra.ONE == 1\n";

#[test]
fn a_module_that_is_skipped_as_a_whole_on_both_sides_is_not_run() {
    let asked = "import pytest\n\npytest.skip('not here', allow_module_level=True)\n\n\ndef test_it():\n    pass\n";
    for skipped in [SKIPPED, asked] {
        let before = [
            ("shop.py", SHOP),
            ("tests/test_shop.py", TESTS),
            (OPTIONAL, skipped),
            SETTINGS,
        ];
        let same = (
            "shop.py",
            "def price(count):\n    return count * 10\n\n\ndef name():\n    return 'shop'\n",
        );
        let Some(document) = verdict(&before, &[same], "accept both_pass") else {
            return;
        };
        assert_eq!(document["not_run"].as_array().unwrap().len(), 1);
        verdict(&before, &[BROKEN], "reject regression");
        // A comment is no change, another assertion is one; so is the end of it.
        let commented = format!("# why\n{skipped}");
        verdict(
            &before,
            &[(OPTIONAL, commented.as_str())],
            "accept both_pass",
        );
        let other = format!("{skipped}\n\ndef test_more():\n    pass\n");
        verdict(
            &before,
            &[(OPTIONAL, other.as_str())],
            "spec_review changed",
        );
        verdict(&before, &[(OPTIONAL, "")], "spec_review changed");
    }
}

#[test]
fn a_module_that_the_patch_makes_skip_is_never_accepted() {
    let extra = ("extra.py", "ONE = 1\n");
    let before = [
        ("shop.py", SHOP),
        ("tests/test_shop.py", TESTS),
        (OPTIONAL, SKIPPED),
        extra,
        SETTINGS,
    ];
    verdict(&before, &[("extra.py", "")], "reject missing_seed");
    let skipping =
        format!("import pytest\n\npytest.skip('later', allow_module_level=True)\n{SKIPPED}");
    verdict(
        &before,
        &[(OPTIONAL, skipping.as_str())],
        "reject changed_test_failed",
    );
}

#[test]
fn a_module_that_the_patch_makes_run_is_new() {
    let before = [
        ("shop.py", SHOP),
        ("tests/test_shop.py", TESTS),
        (OPTIONAL, SKIPPED),
        SETTINGS,
    ];
    verdict(&before, &[("extra.py", "ONE = 1\n")], "accept both_pass");
    verdict(
        &before,
        &[("extra.py", "ONE = 2\n")],
        "reject new_test_failed",
    );
}

#[test]
fn a_new_module_that_is_skipped_as_a_whole_goes_to_a_person() {
    let before = [("shop.py", SHOP), ("tests/test_shop.py", TESTS), SETTINGS];
    verdict(
        &before,
        &[(OPTIONAL, SKIPPED)],
        "spec_review new_test_skipped",
    );
}
