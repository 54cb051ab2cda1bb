//! `differential-gate witness`, through the real program.
use assert_cmd::Command;

fn witness(arguments: &[&str], text: &str) -> assert_cmd::assert::Assert {
    Command::cargo_bin("differential-gate")
        .expect("the program of this package is built")
        .arg("witness")
        .args(arguments)
        .write_stdin(text)
        .assert()
}

#[test]
fn prints_the_class_and_nothing_else() {
    witness(&["--prop", "t::a|b"], "KeyError: 'x'\n")
        .success()
        .stdout("t::a\\|b|KeyError|'x'\n")
        .stderr("");
}

#[test]
fn a_class_of_a_class_is_itself() {
    witness(&["--prop", "p"], "p|KeyError|'x'|@tests/t.py:3\n")
        .success()
        .stdout("p|KeyError|'x'|@tests/t.py:3\n");
}

#[test]
fn lines_stay_for_the_named_spec_files_alone() {
    let text = ">       assert a\nE       assert 0\n\n/tmp/w/tests/t.py:3: AssertionError\n";
    let files = [
        "--prop",
        "p",
        "--spec-file",
        "tests/u.py",
        "--spec-file",
        "tests/t.py",
    ];
    witness(&files, text)
        .success()
        .stdout("p|AssertionError|a|@tests/t.py:3\n");
    witness(&["--prop", "p"], text)
        .success()
        .stdout("p|AssertionError|a\n");
}

#[test]
fn no_text_is_a_wrong_input() {
    witness(&["--prop", "p"], " \n").code(2).stdout("");
    witness(&[], "x").code(2).stdout("");
}
