//! Set-up, foreign code, timeouts, missing programs.
use crate::house::{BASE, House, short};

const SAME: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return count * 10\n\n\ndef name():\n    return 'shop'\n",
);

fn with_setup(setup: &'static str) -> Vec<(&'static str, &'static str)> {
    BASE.iter()
        .copied()
        .chain([("patch-verdict.toml", setup)])
        .collect()
}

#[test]
fn a_set_up_that_fails_on_the_parent_is_not_applicable() {
    let before = with_setup("[[suite]]\nsetup = [\"echo no such thing; exit 3\"]\n");
    let Some(house) = House::new(&before, &[SAME]) else {
        return;
    };
    let (document, code) = house.check(&[]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("not_applicable setup_failed", 3)
    );
    assert!(
        document["headline"]
            .as_str()
            .unwrap()
            .contains("exit code 3")
    );
}

#[test]
fn a_set_up_that_fails_on_the_patch_rejects() {
    let before = with_setup("[[suite]]\nsetup = [\"test ! -e broken\"]\n");
    let Some(house) = House::new(&before, &[SAME, ("broken", "yes\n")]) else {
        return;
    };
    let (document, code) = house.check(&[]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("reject setup_failed", 1)
    );
}

#[test]
fn what_a_set_up_makes_is_there_in_every_run_of_its_side() {
    let before = with_setup("[[suite]]\nsetup = [\"echo 10 > generated.txt\"]\n");
    let reading = (
        "shop.py",
        "def price(count):\n    return int(open('generated.txt').read()) * count\n\n\ndef name():\n    return 'shop'\n",
    );
    let Some(house) = House::new(&before, &[reading]) else {
        return;
    };
    let (document, code) = house.check(&[]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("accept both_pass", 0),
        "{document:#}"
    );
}

#[test]
fn code_from_outside_both_trees_is_not_judged() {
    let outside = tempfile::Builder::new()
        .prefix("outside")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .unwrap();
    std::fs::write(outside.path().join("shop.py"), BASE[0].1).unwrap();
    let configuration = format!("[env.set]\nPYTHONPATH = {:?}\n", outside.path());
    let before = [
        BASE[0],
        ("tests/test_shop.py", BASE[1].1),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\naddopts = \"--import-mode=importlib\"\n",
        ),
        ("patch-verdict.toml", &configuration),
    ];
    let broken = ("shop.py", "def price(count):\n    return 0\n");
    let Some(house) = House::new(&before, &[broken]) else {
        return;
    };
    let (document, code) = house.check(&["--", "pytest", "-q"]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("not_applicable foreign_code", 3),
        "{document:#}"
    );
}

#[test]
fn a_run_that_does_not_end_leaves_results_missing() {
    let hanging = (
        "shop.py",
        "import threading\n\n\ndef price(count):\n    threading.Event().wait()\n\n\ndef name():\n    return 'shop'\n",
    );
    let Some(house) = House::new(BASE, &[hanging]) else {
        return;
    };
    // Long enough for the runs that do end, on the slowest machine.
    let arguments = [
        "check",
        "--format",
        "json",
        "-q",
        "--seeds",
        "1",
        "--timeout",
        "20s",
    ];
    let answer = house.run(&arguments);
    let document: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let code = answer.code;
    house.assert_clean();
    assert_eq!(
        (short(&document).as_str(), code),
        ("reject incomplete_contract", 1)
    );
}

#[test]
fn without_git_the_message_says_so() {
    let Some(house) = House::new(BASE, &[SAME]) else {
        return;
    };
    let answer = crate::house::answer(
        &house
            .command(&["doctor"])
            .env("PATH", "/nowhere")
            .output()
            .unwrap(),
    );
    assert_eq!(answer.code, 1);
    assert!(
        answer.stdout.contains("no `git` in PATH"),
        "{}",
        answer.stdout
    );
    assert!(
        answer.stdout.contains("no `python3` in PATH"),
        "{}",
        answer.stdout
    );
}

#[test]
fn init_writes_what_check_then_reads() {
    let Some(house) = House::base(BASE) else {
        return;
    };
    let answer = house.run(&["init"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert_eq!(
        house.run(&["init"]).code,
        2,
        "a file that is there is not replaced"
    );
    house.repository.commit("configuration");
    house.repository.git(&["checkout", "-q", "-b", "patch"]);
    house.change(&[SAME]);
    house.repository.commit("the patch");
    let (document, code) = house.check(&[]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("accept both_pass", 0),
        "{document:#}"
    );
}

#[test]
fn completions_and_manual_are_printed() {
    let Some(house) = House::base(BASE) else {
        return;
    };
    assert!(
        house
            .run(&["completions", "bash"])
            .stdout
            .contains("patch-verdict")
    );
    assert!(house.run(&["man"]).stdout.contains(".TH patch-verdict"));
}
