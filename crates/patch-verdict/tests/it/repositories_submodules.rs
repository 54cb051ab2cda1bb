//! Submodules end to end: each side tests its own commit of them, and what is not here is said.
use test_support::TestRepository;

use crate::house::{House, short};
use crate::repositories::{check_in, document};

const GOOD: &str = "def price(count):\n    return 10 * count\n";
const TEST: &str = "import shop\n\n\ndef test_price():\n    assert shop.price(2) == 20\n";

/// A house whose submodule `path` the patch moves to a commit where `file` has other content.
fn house(
    path: &str,
    file: &str,
    contents: [&str; 2],
    more: &[(&str, &str)],
) -> Option<(House, TestRepository)> {
    let inner = TestRepository::new();
    inner.write(file, contents[0]);
    inner.commit("before");
    let configuration = format!("[tool.pytest.ini_options]\npythonpath = [\".\", \"{path}\"]\n");
    let files = [&[("pyproject.toml", configuration.as_str())], more].concat();
    let house = House::base(&files)?;
    let made = &house.repository;
    let address = inner.path().display().to_string();
    let add = ["submodule", "--quiet", "add", &address, path];
    made.git(&[&["-c", "protocol.file.allow=always"], &add[..]].concat());
    made.commit("the submodule");
    made.git(&["checkout", "-q", "-b", "patch"]);
    let sub = made.view(&made.join(path));
    sub.write(file, contents[1]);
    sub.commit("after");
    made.commit("the patch");
    Some((house, inner))
}

#[test]
fn a_moved_submodule_is_judged_without_a_network() {
    let broken = "def price(count):\n    return 1\n";
    let Some((house, inner)) = house(
        "lib",
        "shop.py",
        [GOOD, broken],
        &[("tests/test_shop.py", TEST)],
    ) else {
        return;
    };
    drop(inner);
    let (document, code) = house.check(&[]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("reject regression", 1),
        "{document:#}"
    );
    // And the other way round the patch is the one that works.
    let arguments = ["--base", "patch", "--head", "main"];
    let (document, code) = house.check(&arguments);
    assert_eq!(
        (document["verdict"].as_str(), code),
        (Some("accept"), 0),
        "{document:#}"
    );
}

#[test]
fn tests_in_a_moved_submodule_are_no_silent_accept() {
    let weakened = "def test_price():\n    pass\n";
    let product = [
        ("shop.py", GOOD),
        ("tests/test_other.py", "def test_other():\n    pass\n"),
    ];
    let Some((house, _inner)) = house("suite", "test_shop.py", [TEST, weakened], &product) else {
        return;
    };
    let (document, code) = house.check(&[]);
    assert_eq!(
        (document["verdict"].as_str(), code),
        (Some("spec_review"), 3),
        "{document:#}"
    );
}

#[test]
fn a_submodule_that_is_not_here_is_said_or_refused() {
    let broken = "def price(count):\n    return 1\n";
    let Some((house, _inner)) = house(
        "lib",
        "shop.py",
        [GOOD, broken],
        &[("tests/test_shop.py", TEST)],
    ) else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("clone");
    house
        .repository
        .git(&["clone", "-q", ".", path.to_str().unwrap()]);
    let answer = check_in(&house, &path, &["--base", "origin/main"]);
    assert_eq!(
        (answer.code, answer.stdout.as_str()),
        (2, ""),
        "{}",
        answer.stderr
    );
    for word in [
        "submodule `lib`",
        "not initialised",
        "git submodule update --init",
    ] {
        assert!(answer.stderr.contains(word), "`{word}`: {}", answer.stderr);
    }
    // Not touched by the patch: an empty folder on both sides, and it is said.
    let view = house.repository.view(&path);
    view.git(&["checkout", "-q", "-b", "next"]);
    view.write("tests/test_shop.py", "def test_one():\n    pass\n");
    view.commit("one");
    view.write("other.py", "x = 1\n");
    view.commit("two");
    let answer = check_in(&house, &path, &["--base", "HEAD~1"]);
    let document = document(&answer);
    assert_eq!(
        (short(&document).as_str(), answer.code),
        ("accept both_pass", 0)
    );
    assert!(
        document.to_string().contains("submodule `lib`"),
        "{document:#}"
    );
}
