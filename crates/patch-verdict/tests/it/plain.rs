//! A plain command that writes JUnit XML.
use crate::house::{House, ids, short};

/// A runner in shell: one case for each word of cases.txt, failing where it says `bad`.
const RUNNER: &str = r#"out="$PATCH_VERDICT_JUNIT"
code=0
echo '<testsuite name="s">' > "$out"
while read -r name state; do
  if [ "$state" = bad ]; then
    code=1
    echo "<testcase classname=\"c\" name=\"$name\"><failure message=\"is bad\">is bad</failure></testcase>" >> "$out"
  else
    echo "<testcase classname=\"c\" name=\"$name\"/>" >> "$out"
  fi
done < cases.txt
echo '</testsuite>' >> "$out"
exit $code
"#;

fn house(after: &[(&str, &str)]) -> Option<House> {
    House::new(
        &[("run.sh", RUNNER), ("cases.txt", "one ok\ntwo ok\n")],
        after,
    )
}

#[test]
fn a_plain_command_is_judged_by_its_report() {
    let Some(house) = house(&[("cases.txt", "one ok\ntwo bad\n")]) else {
        return;
    };
    let (document, code) = house.check(&["--", "sh", "run.sh"]);
    assert_eq!((short(&document).as_str(), code), ("reject regression", 1));
    assert_eq!(ids(&document["new_failures"]), ["c::two"]);
}

#[test]
fn a_result_that_is_gone_is_no_pass() {
    let Some(house) = house(&[("cases.txt", "one ok\n")]) else {
        return;
    };
    let (document, code) = house.check(&["--", "sh", "run.sh"]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("reject missing_seed", 1)
    );
}

#[test]
fn a_changed_test_file_changes_all_tests() {
    let Some(house) = house(&[("tests/one.sh", "echo\n")]) else {
        return;
    };
    let (document, code) = house.check(&["--", "sh", "run.sh"]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("spec_review changed", 3)
    );
}

#[test]
fn a_command_without_a_report_cannot_be_judged() {
    let Some(house) = house(&[("cases.txt", "one ok\ntwo ok\nthree ok\n")]) else {
        return;
    };
    let (document, code) = house.check(&["--", "true", "{junit}"]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("not_applicable incomplete_discovery", 3)
    );
    assert!(
        document["headline"]
            .as_str()
            .unwrap()
            .contains("wrote no report")
    );
}

#[test]
fn a_command_that_is_not_there_is_named() {
    let Some(house) = house(&[("cases.txt", "one ok\ntwo ok\nthree ok\n")]) else {
        return;
    };
    let (document, _) = house.check(&["--", "no-such-program", "{junit}"]);
    assert_eq!(short(&document), "not_applicable incomplete_discovery");
    assert!(
        document["headline"]
            .as_str()
            .unwrap()
            .contains("no-such-program"),
        "{document:#}"
    );
}

#[test]
fn half_a_report_on_the_patch_is_no_pass() {
    let cut = RUNNER.replace("echo '</testsuite>' >> \"$out\"", "");
    let Some(house) = house(&[("run.sh", &cut)]) else {
        return;
    };
    let (document, code) = house.check(&["--", "sh", "run.sh"]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("reject incomplete_contract", 1)
    );
}

#[test]
fn a_suite_without_tests_cannot_be_judged() {
    let Some(house) = House::new(
        &[("run.sh", RUNNER), ("cases.txt", ""), ("readme", "a\n")],
        &[("readme", "b\n")],
    ) else {
        return;
    };
    let (document, code) = house.check(&["--", "sh", "run.sh"]);
    assert_eq!(
        (document["verdict"].as_str().unwrap(), code),
        ("not_applicable", 3),
        "{document:#}"
    );
}

#[test]
fn new_tests_beside_the_others_go_to_a_person() {
    let Some(house) = house(&[("cases.txt", "one ok\ntwo ok\nthree ok\n")]) else {
        return;
    };
    let (document, code) = house.check(&["--", "sh", "run.sh"]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("spec_review new_tests_beside_others", 3)
    );
    assert_eq!(ids(&document["new_tests"]), ["c::three"]);
}
