//! Situations at the edges: whole set-ups, tear-downs, odd places, reports of somebody else.
use std::fs;
use std::process::Stdio;

use crate::house::{BASE, Files, House, answer, ids, short};

const SAME: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return count * 10\n\n\ndef name():\n    return 'shop'\n",
);
const BROKEN: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return 1\n\n\ndef name():\n    return 'shop'\n",
);
const TESTS: &str = "tests/test_shop.py";

fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let replaced = |path: &str| more.iter().any(|(other, _)| *other == path);
    let kept = BASE.iter().filter(|(path, _)| !replaced(path)).copied();
    kept.chain(more.iter().copied()).collect()
}

#[track_caller]
fn verdict_of(before: Files<'_>, after: Files<'_>, wanted: &str) -> Option<serde_json::Value> {
    let house = House::new(before, after)?;
    let (document, _) = house.check(&["--base", "main"]);
    assert_eq!(short(&document), wanted, "{document:#}");
    Some(document)
}

#[test]
fn a_set_up_that_fails_on_both_sides_is_the_parents_trouble() {
    let set_up = ("patch-verdict.toml", "[[suite]]\nsetup = [\"exit 3\"]\n");
    let Some(document) = verdict_of(&with(&[set_up]), &[SAME], "not_applicable setup_failed")
    else {
        return;
    };
    let headline = document["headline"].as_str().unwrap();
    assert!(headline.contains("logs/setup-parent.log"), "{headline}");
}

#[test]
fn an_editable_install_of_one_tree_is_not_judged() {
    // What `pip install -e` leaves behind: a `.pth` file that names one source for both sides.
    let site = tempfile::Builder::new()
        .prefix("editable")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .unwrap();
    let source = site.path().join("source");
    fs::create_dir_all(source.join("goods")).unwrap();
    fs::write(source.join("goods/__init__.py"), "PRICE = 10\n").unwrap();
    fs::write(
        site.path().join("goods.pth"),
        format!("{}\n", source.display()),
    )
    .unwrap();
    let adding = format!("import site\nsite.addsitedir({:?})\n", site.path());
    let before = [
        ("src/goods/__init__.py", "PRICE = 10\n"),
        (
            "tests/test_goods.py",
            "import goods\n\n\ndef test_price():\n    assert goods.PRICE == 10\n",
        ),
        ("conftest.py", adding.as_str()),
        ("pytest.ini", "[pytest]\ntestpaths = tests\n"),
    ];
    let broken = ("src/goods/__init__.py", "PRICE = 11\n");
    let Some(document) = verdict_of(&before, &[broken], "not_applicable foreign_code") else {
        return;
    };
    let headline = document["headline"].as_str().unwrap();
    assert!(headline.contains("`goods`"), "{headline}");
}

#[test]
fn sides_that_install_other_test_tools_go_to_a_person() {
    // A distribution of the tools' names, installed by each side's own set-up.
    let set_up = "[[suite]]\nsetup = [\"mkdir -p tools/pytest_kit-1.dist-info && cp kit-metadata tools/pytest_kit-1.dist-info/METADATA\"]\n[env.set]\nPYTHONPATH = \"tools\"\n";
    let before = with(&[
        ("patch-verdict.toml", set_up),
        (
            "kit-metadata",
            "Metadata-Version: 2.1\nName: pytest-kit\nVersion: 1.0\n",
        ),
        (".gitignore", "tools/\n"),
    ]);
    let newer = (
        "kit-metadata",
        "Metadata-Version: 2.1\nName: pytest-kit\nVersion: 2.0\n",
    );
    let Some(document) = verdict_of(&before, &[newer], "spec_review harness_changed") else {
        return;
    };
    let headline = document["headline"].as_str().unwrap();
    assert!(
        headline.contains("pytest-kit (1.0 on the parent, 2.0 with the patch)"),
        "{headline}"
    );
}

#[test]
fn under_ci_a_completed_contract_is_run_again() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    house.check(&[]);
    let arguments = [
        "check", "--format", "json", "-q", "--seeds", "11,12", "--base", "main",
    ];
    let again = |ci: bool| {
        let mut command = house.command(&arguments);
        if ci {
            command.env("CI", "true");
        }
        let answer = answer(&command.output().unwrap());
        serde_json::from_str::<serde_json::Value>(&answer.stdout).unwrap()
    };
    let kept =
        |document: &serde_json::Value| document["notes"].to_string().contains("not run again");
    assert!(kept(&again(false)));
    let afresh = again(true);
    assert!(!kept(&afresh), "{afresh:#}");
    assert_eq!(short(&afresh), "reject regression");
}

#[test]
fn more_seeds_do_not_make_an_accept_of_an_earlier_reject() {
    // Fails for one seed on the patch alone; three further seeds would pass.
    let flaky = (
        "shop.py",
        "import os\n\n\ndef price(count):\n    return 0 if os.environ['PATCH_VERDICT_SEED'] == '12' else 10 * count\n\n\ndef name():\n    return 'shop'\n",
    );
    let Some(house) = House::new(BASE, &[flaky]) else {
        return;
    };
    let check = |seeds: &str| {
        let answer = house.run(&[
            "check", "--format", "json", "-q", "--base", "main", "--seeds", seeds,
        ]);
        serde_json::from_str::<serde_json::Value>(&answer.stdout).unwrap()
    };
    assert_eq!(short(&check("11,12")), "reject regression");
    let others = check("13,14,15");
    assert_eq!(
        short(&others),
        "reject regression",
        "other seeds replace nothing"
    );
    assert_eq!(others["earlier"][0]["replaced"], false);
    let more = check("11,12,13");
    assert_eq!(
        short(&more),
        "reject regression",
        "the failing seed is among them"
    );
}

#[test]
fn a_report_of_somebody_else_is_no_scope() {
    let Some(house) = House::new(BASE, &[SAME]) else {
        return;
    };
    let report = tempfile::NamedTempFile::new().unwrap();
    let name = report.path().display().to_string();
    for (text, word) in [
        (
            "<testsuite><testcase classname=\"com.Foo\" name=\"bar\"><failure/></testcase></testsuite>",
            "com.Foo::bar",
        ),
        (
            "<testsuite><testcase classname=\"tests.test_shop\" name=\"test_name\"/></testsuite>",
            "no test failed",
        ),
        ("", "is empty"),
        ("{\"tests\": []}", &name),
    ] {
        fs::write(report.path(), text).unwrap();
        let answer = house.run(&["check", "-q", "--failed-in", &name]);
        assert_eq!((answer.code, answer.stdout.as_str()), (2, ""), "{text}");
        assert!(
            answer.stderr.contains(word),
            "`{word}` is not in: {}",
            answer.stderr
        );
        house.assert_clean();
    }
}

#[test]
fn a_suite_in_a_folder_is_found_and_judged() {
    let inside: Vec<(String, &str)> = BASE
        .iter()
        .map(|(path, text)| (format!("part/{path}"), *text))
        .collect();
    let mut before: Vec<(&str, &str)> = inside
        .iter()
        .map(|(path, text)| (path.as_str(), *text))
        .collect();
    before.push(("patch-verdict.toml", "[[suite]]\ndirectory = \"part\"\n"));
    let broken = ("part/shop.py", BROKEN.1);
    let Some(document) = verdict_of(&before, &[broken], "reject regression") else {
        return;
    };
    assert_eq!(
        ids(&document["new_failures"]),
        ["tests.test_shop::test_price"]
    );
    let weaker = BASE[1].1.replace("== 20", "> 0");
    let after = [broken, ("part/tests/test_shop.py", weaker.as_str())];
    verdict_of(&before, &after, "spec_review changed");
}

#[test]
fn a_repository_may_stand_in_any_folder() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("mein Ordner äöü 'x' $y");
    let source = house.path().display().to_string();
    house
        .repository
        .git(&["clone", "-q", &source, &place.display().to_string()]);
    let arguments = [
        "check",
        "--format",
        "json",
        "-q",
        "--seeds",
        "1,2",
        "--base",
        "origin/main",
    ];
    let mut command = house.command(&arguments);
    let answer = answer(&command.current_dir(&place).output().unwrap());
    let document: serde_json::Value =
        serde_json::from_str(&answer.stdout).unwrap_or_else(|_| panic!("{}", answer.stderr));
    assert_eq!(short(&document), "reject regression");
}

#[test]
fn a_failing_tear_down_of_any_scope_counts() {
    for scope in ["function", "class", "module", "package", "session"] {
        let tests = format!(
            "import pytest\nimport shop\n\n\n@pytest.fixture(scope='{scope}', autouse=True)\ndef till():\n    yield\n    assert shop.price(2) == 20\n\n\ndef test_a():\n    pass\n\n\ndef test_b():\n    pass\n"
        );
        let before = with(&[(TESTS, &tests)]);
        let Some(document) = verdict_of(&before, &[BROKEN], "reject regression") else {
            return;
        };
        // pytest reports it under the test after which it ran: the last one that used it.
        let failed = ids(&document["new_failures"]);
        assert!(
            failed.contains(&"tests.test_shop::test_b".to_owned()),
            "{scope}: {failed:?}"
        );
    }
}

#[test]
fn a_module_that_is_skipped_as_a_whole_is_no_forgery() {
    let skipped = "import pytest\n\nnothing = pytest.importorskip('nothing_of_this_name')\n\n\ndef test_it():\n    pass\n";
    let before = with(&[("tests/test_optional.py", skipped)]);
    let new = ("tests/test_new.py", "def test_new():\n    pass\n");
    verdict_of(&before, &[SAME, new], "accept both_pass");
}

/// Starts a check of a repository whose `what` never ends; interrupts it there.
fn interrupted(house: &House, told: &str, name: &str) -> i32 {
    use std::io::{BufRead as _, BufReader};
    let mut command = house.command(&["check", "--seeds", "1,2"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(
        lines.any(|line| line.unwrap().contains(told)),
        "{told} was never told"
    );
    std::thread::spawn(move || lines.count());
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-s", name, &id])
        .status()
        .unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert!(output.stdout.is_empty(), "half a check has no verdict");
    if name == "KILL" {
        // The next check clears away what the killed one left.
        house.change(&[("patch-verdict.toml", "seeds = 2\n"), SAME]);
        house.repository.commit("mended");
        house.change(&[("readme", "y\n")]);
        house.repository.commit("the next patch");
        let (document, _) = house.check(&["--base", "HEAD~1"]);
        assert_eq!(short(&document), "accept both_pass");
    }
    house.assert_clean();
    let work = house.path().join(".patch-verdict/work");
    let logs = fs::read_dir(work).into_iter().flatten().flatten();
    let logs = logs.filter(|entry| entry.file_name().to_string_lossy().starts_with("logs-"));
    assert_eq!(logs.count(), 0, "logs are left");
    output.status.code().unwrap_or(-1)
}

#[test]
fn a_check_can_be_ended_in_every_phase() {
    let set_up = with(&[(
        "patch-verdict.toml",
        "[[suite]]\nsetup = [\"tail -f /dev/null\"]\n",
    )]);
    let hanging = "import threading\n\n\ndef price(count):\n    threading.Event().wait()\n\n\ndef name():\n    return 'shop'\n";
    let discovery = with(&[("shop.py", hanging)]);
    for (before, told) in [(&set_up, "set-up of the parent"), (&discovery, "discovery")] {
        for (name, code) in [("INT", 130), ("KILL", -1)] {
            let Some(house) = House::new(before, &[("readme", "x\n")]) else {
                return;
            };
            let ended = interrupted(&house, told, name);
            assert_eq!(ended, code, "{told} {name}");
        }
    }
}
