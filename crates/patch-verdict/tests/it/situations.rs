//! What a patch can do to code and tests, and the verdict it gets.
use crate::house::{BASE, Files, House, ids, short};

const TESTS: &str = "tests/test_shop.py";

/// Checks `after` on top of [`BASE`].
#[track_caller]
fn verdict(after: Files<'_>, wanted: &str, code: i32) -> Option<serde_json::Value> {
    verdict_of(BASE, after, wanted, code)
}

#[track_caller]
fn verdict_of(
    before: Files<'_>,
    after: Files<'_>,
    wanted: &str,
    code: i32,
) -> Option<serde_json::Value> {
    let house = House::new(before, after)?;
    let (document, exit) = house.check(&["--base", "main"]);
    assert_eq!(
        (short(&document).as_str(), exit),
        (wanted, code),
        "{document:#}"
    );
    Some(document)
}

/// [`BASE`] with another test module.
fn with_tests(tests: &'static str) -> Vec<(&'static str, &'static str)> {
    let others = BASE.iter().filter(|(path, _)| *path != TESTS).copied();
    others.chain([(TESTS, tests)]).collect()
}

const BROKEN: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return 11 * count\n\n\ndef name():\n    return 'shop'\n",
);
const SAME: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return count * 10\n\n\ndef name():\n    return 'shop'\n",
);

#[test]
fn a_refactoring_is_accepted() {
    let Some(document) = verdict(&[SAME], "accept both_pass", 0) else {
        return;
    };
    assert_eq!(document["scope"]["properties"], 2);
    assert_eq!(ids(&document["new_failures"]), [""; 0]);
}

#[test]
fn a_regression_is_rejected_and_named() {
    let Some(document) = verdict(&[BROKEN], "reject regression", 1) else {
        return;
    };
    assert_eq!(
        ids(&document["new_failures"]),
        ["tests.test_shop::test_price"]
    );
}

#[test]
fn a_failure_of_both_sides_is_nothing_new() {
    let tests = "import shop\n\n\ndef test_price():\n    assert shop.price(2) == 21\n";
    let Some(document) = verdict_of(&with_tests(tests), &[SAME], "reject uniform_fail", 1) else {
        return;
    };
    assert_eq!(
        document["headline"],
        "1 test fails on both sides; this patch broke nothing new"
    );
    assert_eq!(ids(&document["new_failures"]), [""; 0]);
    assert_eq!(
        ids(&document["failing_on_both"]),
        ["tests.test_shop::test_price"]
    );
}

#[test]
fn another_way_of_failing_is_a_mismatch() {
    let tests = "import shop\n\n\ndef test_price():\n    assert shop.price(2) == 21\n";
    let raising = (
        "shop.py",
        "def price(count):\n    raise KeyError('count')\n",
    );
    verdict_of(&with_tests(tests), &[raising], "reject witness_mismatch", 1);
}

#[test]
fn a_shared_flake_is_proposed_for_freezing() {
    // A function of the seed: fails for one of the two seeds, on both sides.
    let tests =
        "import os\n\n\ndef test_flaky():\n    assert os.environ['PATCH_VERDICT_SEED'] != '12'\n";
    let Some(document) = verdict_of(
        &with_tests(tests),
        &[SAME],
        "propose_freeze shared_variant_fail",
        3,
    ) else {
        return;
    };
    assert_eq!(
        ids(&document["failing_on_both"]),
        ["tests.test_shop::test_flaky"]
    );
}

#[test]
fn a_mended_failure_is_cleared() {
    let before: Vec<_> = BASE.iter().skip(1).copied().chain([BROKEN]).collect();
    verdict_of(&before, &[SAME], "accept parent_fail_cleared", 0);
}

#[test]
fn a_weakened_test_goes_to_spec_review() {
    let tests = "import shop\n\n\ndef test_price():\n    assert shop.price(2)\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n";
    let Some(document) = verdict(&[BROKEN, (TESTS, tests)], "spec_review changed", 3) else {
        return;
    };
    assert_eq!(ids(&document["excluded"]), ["tests.test_shop::test_price"]);
    assert_eq!(document["excluded"][0]["parts"][0], "function");
    assert_eq!(document["scope"]["properties"], 1);
}

#[test]
fn a_removed_test_goes_to_spec_review() {
    let tests = "import shop\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n";
    let Some(document) = verdict(&[BROKEN, (TESTS, tests)], "spec_review removed", 3) else {
        return;
    };
    assert_eq!(document["excluded"][0]["reason"], "removed");
}

#[test]
fn a_removed_test_file_leaves_no_gate() {
    let Some(document) = verdict(&[(TESTS, "")], "spec_review removed", 3) else {
        return;
    };
    assert_eq!(ids(&document["excluded"]).len(), 2);
    assert!(document["contract_hash"].is_null());
}

#[test]
fn a_changed_test_that_fails_on_the_patch_alone_is_rejected() {
    let tests = "import shop\n\n\ndef test_price():\n    assert shop.price(2) == 23\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n";
    verdict(&[(TESTS, tests)], "reject changed_test_failed", 1);
}

#[test]
fn a_new_test_is_run_and_others_stay_in_the_gate() {
    let tests = "import shop\n\n\ndef test_price():\n    assert shop.price(2) == 20\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n\n\ndef test_more():\n    assert shop.price(0) == 0\n";
    let Some(document) = verdict(&[(TESTS, tests)], "accept both_pass", 0) else {
        return;
    };
    assert_eq!(ids(&document["new_tests"]), ["tests.test_shop::test_more"]);
    assert_eq!(document["new_tests"][0]["patch"]["pass"], 2);
    assert_eq!(document["scope"]["properties"], 2);
}

#[test]
fn a_new_test_that_fails_is_rejected() {
    let new = ("tests/test_new.py", "def test_new():\n    assert False\n");
    let Some(document) = verdict(&[new], "reject new_test_failed", 1) else {
        return;
    };
    assert_eq!(ids(&document["new_failures"]), ["tests.test_new::test_new"]);
}

#[test]
fn a_new_test_that_is_skipped_goes_to_spec_review() {
    let new = (
        "tests/test_new.py",
        "import pytest\n\n\ndef test_new():\n    pytest.skip('later')\n",
    );
    verdict(&[new], "spec_review new_test_skipped", 3);
}

#[test]
fn a_new_file_cannot_heal_others() {
    // The new module mends the product while it is imported; scored runs do not import it.
    let new = (
        "tests/test_a.py",
        "import shop\n\nshop.price = lambda count: 10 * count\n\n\ndef test_new():\n    pass\n",
    );
    verdict(&[BROKEN, new], "reject regression", 1);
}

#[test]
fn a_new_file_that_breaks_others_is_rejected() {
    let new = (
        "tests/test_a.py",
        "import shop\n\nshop.price = lambda count: 0\n\n\ndef test_new():\n    pass\n",
    );
    let Some(document) = verdict(&[new], "reject new_test_failed", 1) else {
        return;
    };
    assert_eq!(
        ids(&document["new_failures"]),
        ["tests.test_shop::test_price"]
    );
}

#[test]
fn a_new_folder_with_a_conftest_does_not_reach_scored_runs() {
    let hook = "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    report.outcome = 'passed'\n    report.longrepr = None\n";
    let new = [
        BROKEN,
        ("tests/extra/conftest.py", hook),
        ("tests/extra/test_new.py", "def test_new():\n    pass\n"),
    ];
    verdict(&new, "reject regression", 1);
}

#[test]
fn a_changed_conftest_excludes_the_tests_below_it() {
    let conftest = (
        "tests/conftest.py",
        "import shop\n\nshop.price = lambda count: 10 * count\n",
    );
    let Some(document) = verdict(&[BROKEN, conftest], "spec_review changed", 3) else {
        return;
    };
    assert_eq!(
        document["excluded"][0]["parts"][0],
        "conftest:tests/conftest.py"
    );
}

#[test]
fn a_changed_runner_configuration_excludes_all() {
    let configuration = (
        "pyproject.toml",
        "[tool.pytest.ini_options]\npythonpath = [\".\"]\ntestpaths = [\"tests\"]\naddopts = \"--deselect tests/test_shop.py::test_price\"\n",
    );
    let house = House::new(BASE, &[BROKEN, configuration]);
    let Some(house) = house else { return };
    let (document, code) = house.check(&["--base", "main"]);
    assert_ne!(code, 0, "{document:#}");
    assert_eq!(document["scope"]["properties"], 0);
}

#[test]
fn a_test_that_the_patch_makes_skip_is_a_missing_result() {
    let skipping = (
        "shop.py",
        "import pytest\n\n\ndef price(count):\n    pytest.skip('no prices today')\n\n\ndef name():\n    return 'shop'\n",
    );
    verdict(&[skipping], "reject missing_seed", 1);
}

#[test]
fn a_test_that_the_parent_skips_is_not_run() {
    let tests = "import pytest\nimport shop\n\n\n@pytest.mark.skip\ndef test_price():\n    assert shop.price(2) == 20\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n";
    let Some(document) = verdict_of(&with_tests(tests), &[SAME], "accept both_pass", 0) else {
        return;
    };
    assert_eq!(ids(&document["not_run"]), ["tests.test_shop::test_price"]);
}

#[test]
fn a_file_that_only_the_patch_cannot_collect_is_rejected() {
    let broken = ("shop.py", "import nothing_of_this_name\n");
    let Some(document) = verdict(&[broken], "reject uncollectable", 1) else {
        return;
    };
    assert!(
        document["headline"]
            .as_str()
            .unwrap()
            .contains("tests/test_shop.py")
    );
}

#[test]
fn a_file_that_the_parent_cannot_collect_has_no_baseline() {
    let before: Vec<_> = BASE
        .iter()
        .copied()
        .chain([("tests/test_old.py", "import nothing_of_this_name\n")])
        .collect();
    let Some(document) = verdict_of(&before, &[SAME], "spec_review uncollectable", 3) else {
        return;
    };
    assert_eq!(document["scope"]["properties"], 2);
    assert_eq!(ids(&document["excluded"]), [""; 0]);
}

#[test]
fn a_crash_is_no_pass() {
    let crashing = (
        "shop.py",
        "import os\n\n\ndef price(count):\n    os._exit(0)\n\n\ndef name():\n    return 'shop'\n",
    );
    verdict(&[crashing], "reject incomplete_contract", 1);
}

#[test]
fn an_exit_status_that_hides_failures_is_rejected() {
    let hiding = (
        "shop.py",
        "import atexit\nimport os\n\natexit.register(os._exit, 0)\n\n\ndef price(count):\n    return 11 * count\n\n\ndef name():\n    return 'shop'\n",
    );
    verdict(&[hiding], "reject exit_mismatch", 1);
}

#[test]
fn two_tests_with_one_id_fail_together() {
    // pytest gives both packages' modules one JUnit id; the second one fails with the patch.
    let before: Vec<_> = BASE
        .iter()
        .copied()
        .chain([
            ("tests/twice.py", "import shop\n\n\nclass TestPrice:\n    def test_it(self):\n        assert shop.price(1) == 10\n"),
            ("tests/twice/TestPrice.py", "def test_it():\n    pass\n"),
        ])
        .collect();
    let Some(house) = House::new(&before, &[BROKEN]) else {
        return;
    };
    let command = [
        "--base",
        "main",
        "--",
        "pytest",
        "-q",
        "-o",
        "python_files=*.py",
        "tests",
    ];
    let (document, _) = house.check(&command);
    assert_eq!(short(&document), "reject regression");
    assert!(ids(&document["new_failures"]).contains(&"tests.twice.TestPrice::test_it".to_owned()));
}

#[test]
fn an_id_with_a_time_in_it_is_kept() {
    let tests = "import datetime\n\nimport pytest\nimport shop\n\n\n@pytest.mark.parametrize('now', [datetime.datetime.now()], ids=str)\ndef test_price(now):\n    assert shop.price(2) == 20\n";
    let Some(document) = verdict_of(&with_tests(tests), &[BROKEN], "reject regression", 1) else {
        return;
    };
    assert_eq!(
        ids(&document["new_failures"]),
        ["tests.test_shop::test_price[<volatile>]"]
    );
}

const MOVED: &str = "import shop\n\n\ndef test_the_price():\n    assert shop.price(2) == 20\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n";

#[test]
fn a_renamed_test_is_judged_under_its_old_id() {
    let Some(document) = verdict(&[BROKEN, (TESTS, MOVED)], "reject regression", 1) else {
        return;
    };
    assert_eq!(
        ids(&document["new_failures"]),
        ["tests.test_shop::test_price"]
    );
    assert_eq!(ids(&document["new_tests"]), [""; 0]);
}

#[test]
fn a_moved_test_file_stays_in_the_gate() {
    let moved = [SAME, (TESTS, ""), ("tests/test_other.py", BASE[1].1)];
    let Some(document) = verdict(&moved, "accept both_pass", 0) else {
        return;
    };
    assert_eq!(document["scope"]["properties"], 2);
    assert_eq!(ids(&document["excluded"]), [""; 0]);
}

#[test]
fn a_renamed_and_weakened_test_is_no_rename() {
    let weaker = "import shop\n\n\ndef test_the_price():\n    assert shop.price(2)\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n";
    verdict(&[BROKEN, (TESTS, weaker)], "spec_review removed", 3);
}

#[test]
fn a_twin_that_asserts_the_same_is_no_rename() {
    let twins = "import shop\n\n\ndef test_one():\n    assert shop.price(2) == 20\n\n\ndef test_two():\n    assert shop.price(2) == 20\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n";
    verdict(&[SAME, (TESTS, twins)], "spec_review removed", 3);
}

#[test]
fn a_hook_that_a_plugin_borrows_is_part_of_the_harness() {
    let harmless = "def pytest_runtest_logreport(report):\n    pass\n";
    let lying = "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    report.outcome = 'passed'\n    report.longrepr = None\n\n\ndef pytest_runtest_logreport(report):\n    pass\n";
    let before: Vec<_> = BASE
        .iter()
        .copied()
        .chain([
            ("conftest.py", "pytest_plugins = ['kit.plug']\n"),
            ("kit/__init__.py", "# a package\n"),
            ("kit/plug.py", "from kit.inner import *  # noqa\n"),
            ("kit/inner.py", harmless),
        ])
        .collect();
    let after = [BROKEN, ("kit/inner.py", lying)];
    let Some(document) = verdict_of(&before, &after, "spec_review changed", 3) else {
        return;
    };
    assert!(
        document["excluded"]
            .to_string()
            .contains("plugin:kit/inner.py"),
        "{document:#}"
    );
}

#[test]
fn parameters_that_look_like_times_cannot_be_exchanged() {
    let tests = "import pytest\nimport cases\nimport shop\n\n\n@pytest.mark.parametrize('count', cases.COUNTS, ids=cases.IDS)\ndef test_price(count):\n    assert shop.price(count) == 10 * count\n";
    let before: Vec<_> = with_tests(tests)
        .into_iter()
        .chain([("cases.py", "COUNTS = [2]\nIDS = ['12:00:01']\n")])
        .collect();
    let exchanged = ("cases.py", "COUNTS = [0]\nIDS = ['12:00:03']\n");
    let Some(house) = House::new(&before, &[BROKEN, exchanged]) else {
        return;
    };
    let (document, code) = house.check(&["--base", "main"]);
    assert_eq!(code, 1, "{document:#}");
    assert_eq!(document["verdict"], "reject");
}

const CLOCK: &str = "import datetime\n\nimport pytest\nimport shop\n\n\n@pytest.mark.parametrize('now', [datetime.datetime.now()], ids=str)\ndef test_price(now):\n    assert shop.price(2) == 20\n";

#[test]
fn a_weakened_test_whose_id_holds_a_time_goes_to_spec_review() {
    for weaker in ["assert shop.price(2)\n", "assert shop.price(2) == 22\n"] {
        let tests = CLOCK.replace("assert shop.price(2) == 20\n", weaker);
        let after = [BROKEN, (TESTS, tests.as_str())];
        let Some(document) = verdict_of(&with_tests(CLOCK), &after, "spec_review changed", 3)
        else {
            return;
        };
        assert_eq!(
            ids(&document["excluded"]),
            ["tests.test_shop::test_price[<volatile>]"]
        );
    }
}

#[test]
fn what_python_runs_first_is_part_of_every_test() {
    let hook = ("sitecustomize.py", "import builtins\n");
    let Some(document) = verdict(&[SAME, hook], "spec_review changed", 3) else {
        return;
    };
    assert_eq!(document["scope"]["properties"], 0);
    assert_eq!(
        document["excluded"][0]["parts"][0],
        "startup:sitecustomize.py"
    );
}
