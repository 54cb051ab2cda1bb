//! Judging some tests alone.
use crate::house::{BASE, House, ids, short};

const SAME: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return count * 10\n\n\ndef name():\n    return 'shop'\n",
);

const REPORT: &str = r#"<testsuites><testsuite name="pytest" tests="2" failures="1">
<testcase classname="tests.test_shop" name="test_price" time="0.1"><failure message="m">t</failure></testcase>
<testcase classname="tests.test_shop" name="test_name" time="0.1"/>
</testsuite></testsuites>"#;

#[test]
fn the_failed_tests_of_a_report_are_the_scope() {
    let Some(house) = House::new(BASE, &[SAME]) else {
        return;
    };
    let report = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(report.path(), REPORT).unwrap();
    let (document, code) = house.check(&["--failed-in", &report.path().display().to_string()]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("accept both_pass", 3),
        "a narrowed accept"
    );
    assert_eq!(document["scope"]["properties"], 1);
    assert_eq!(document["scope"]["not_judged"], 1);
}

#[test]
fn the_base_may_allow_a_narrowed_accept() {
    let before: Vec<_> = BASE
        .iter()
        .copied()
        .chain([("patch-verdict.toml", "accept_narrow_scope = true\n")])
        .collect();
    let Some(house) = House::new(&before, &[SAME]) else {
        return;
    };
    let report = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(report.path(), REPORT).unwrap();
    let (_, code) = house.check(&["--failed-in", &report.path().display().to_string()]);
    assert_eq!(code, 0);
}

#[test]
fn half_a_report_is_refused() {
    let Some(house) = House::new(BASE, &[SAME]) else {
        return;
    };
    let report = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(report.path(), REPORT.split_once("</testsuite>").unwrap().0).unwrap();
    let answer = house.run(&["check", "--failed-in", &report.path().display().to_string()]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("cut off"), "{}", answer.stderr);
}

#[test]
fn a_list_names_tests_by_either_id() {
    let Some(house) = House::new(BASE, &[SAME]) else {
        return;
    };
    for id in [
        "tests.test_shop::test_name",
        "tests/test_shop.py::test_name",
    ] {
        let list = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(list.path(), format!("# one test\n{id}\n")).unwrap();
        let (document, _) = house.check(&["--tests", &list.path().display().to_string()]);
        assert_eq!(document["scope"]["properties"], 1, "{id}");
    }
}

#[test]
fn an_unknown_test_of_a_list_is_named() {
    let Some(house) = House::new(BASE, &[SAME]) else {
        return;
    };
    let list = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(list.path(), "tests.test_shop::test_nothing\n").unwrap();
    let answer = house.run(&["check", "-q", "--tests", &list.path().display().to_string()]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("test_nothing"), "{}", answer.stderr);
}

#[test]
fn what_the_patch_changed_is_always_in_scope() {
    let weaker = (
        "tests/test_shop.py",
        "import shop\n\n\ndef test_price():\n    assert shop.price(2)\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n",
    );
    let Some(house) = House::new(BASE, &[SAME, weaker]) else {
        return;
    };
    let list = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(list.path(), "tests.test_shop::test_name\n").unwrap();
    let (document, code) = house.check(&["--tests", &list.path().display().to_string()]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("spec_review changed", 3)
    );
    assert_eq!(ids(&document["excluded"]), ["tests.test_shop::test_price"]);
}
