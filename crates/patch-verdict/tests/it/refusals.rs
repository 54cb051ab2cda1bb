//! What is known to go wrong before anything runs, and what is said when a run gave nothing.
use std::fs;
use std::path::Path;

use crate::house::{Answer, BASE, House, answer, short};

const BROKEN: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return 1\n\n\ndef name():\n    return 'shop'\n",
);

/// Nothing was run and nothing was made; the error names `words`.
#[track_caller]
fn refused(house: &House, answer: &Answer, code: i32, words: &[&str]) {
    assert_eq!((answer.code, answer.stdout.as_str()), (code, ""));
    for word in words.iter().chain(&["hint: "]) {
        let said = answer.stderr.contains(word);
        assert!(said, "`{word}` is not in: {}", answer.stderr);
    }
    assert!(!answer.stderr.contains("discovery"), "{}", answer.stderr);
    let reviews = house.path().join(".patch-verdict/reviews");
    assert!(!reviews.exists(), "something was made");
}

#[test]
fn a_place_for_evidence_that_cannot_be_used_is_refused_before_anything_runs() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine\n").unwrap();
    let logs = folder.path().join("logs");
    fs::create_dir(&logs).unwrap();
    fs::write(logs.join("mine.log"), "mine\n").unwrap();
    let inside = file.join("evidence");
    for (out, words) in [
        (file.as_path(), "is no folder"),
        (folder.path(), "holds other things than evidence"),
        (inside.as_path(), "cannot write into the folder"),
        (Path::new("/proc/evidence"), "cannot write into the folder"),
    ] {
        let name = out.display().to_string();
        let answer = house.run(&["check", "--out", &name]);
        refused(&house, &answer, 2, &["`--out`", &name, words]);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine\n");
    assert_eq!(fs::read_to_string(logs.join("mine.log")).unwrap(), "mine\n");
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_anything_runs() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no/verdict.md");
    for (path, words) in [
        (folder.path(), "directory"),
        (missing.as_path(), "there is no folder"),
        (Path::new("/proc/verdict.md"), "cannot write the report"),
    ] {
        let target = format!("markdown={}", path.display());
        let answer = house.run(&["check", "--report", &target]);
        refused(&house, &answer, 2, &[words, &path.display().to_string()]);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let (document, _) = house.check(&["--report", "markdown=/dev/null"]);
    assert_eq!(short(&document), "reject regression");
    let still = fs::metadata("/dev/null").unwrap();
    assert!(!still.is_file(), "the null device was replaced by a file");
}

#[test]
fn a_verdict_that_nobody_could_print_is_not_lost() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = house.command(&["check", "-q", "--seeds", "1,2"]);
    let answer = answer(&command.stdout(full).output().unwrap());
    assert_eq!(answer.code, 4);
    assert!(
        answer.stderr.contains("standard output"),
        "{}",
        answer.stderr
    );
    let place = answer
        .stderr
        .split('`')
        .find(|text| text.ends_with("verdict.json"));
    let kept = fs::read_to_string(place.unwrap()).unwrap();
    assert!(kept.contains("\"regression\""));
    house.assert_clean();
}

#[test]
fn contracts_that_cannot_be_remembered_are_an_error_before_anything_runs() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let mut command = house.command(&["check"]);
    let answer = answer(
        &command
            .env("XDG_STATE_HOME", "/proc/none")
            .output()
            .unwrap(),
    );
    refused(&house, &answer, 4, &["/proc/none", "XDG_STATE_HOME"]);
}

#[test]
fn without_python_the_error_names_it() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let programs = tempfile::tempdir().unwrap();
    let git = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|folder| folder.join("git"))
        .find(|git| git.is_file())
        .unwrap();
    std::os::unix::fs::symlink(git, programs.path().join("git")).unwrap();
    let mut command = house.command(&["check"]);
    let answer = answer(&command.env("PATH", programs.path()).output().unwrap());
    refused(
        &house,
        &answer,
        4,
        &["no `python3` in PATH", "install Python"],
    );
}

#[test]
fn without_pytest_the_headline_names_it_and_the_step() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    // A Python that knows no site packages has no pytest.
    let programs = tempfile::tempdir().unwrap();
    let python = programs.path().join("bare-python");
    fs::write(&python, "#!/bin/sh\nexec python3 -S \"$@\"\n").unwrap();
    make_executable(&python);
    let bare = python.display().to_string();
    let (document, code) = house.check(&["--", &bare, "-m", "pytest"]);
    assert_eq!(
        (short(&document).as_str(), code),
        ("not_applicable incomplete_discovery", 3)
    );
    let headline = document["headline"].as_str().unwrap();
    assert!(headline.contains("No module named pytest"), "{headline}");
    assert!(headline.contains("install pytest"), "{headline}");
    let (document, _) = house.check(&["--", "/nowhere/bin/pytest"]);
    let headline = document["headline"].as_str().unwrap();
    assert!(headline.contains("/nowhere/bin/pytest"), "{headline}");
    assert!(headline.contains("after `--`"), "{headline}");
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_side_without_any_result_is_told_by_its_tests_and_its_log() {
    let crashing = (
        "shop.py",
        "import os\n\n\ndef price(count):\n    os._exit(0)\n\n\ndef name():\n    return 'shop'\n",
    );
    let Some(house) = House::new(BASE, &[crashing]) else {
        return;
    };
    let (document, _) = house.check(&[]);
    assert_eq!(short(&document), "reject incomplete_contract");
    let headline = document["headline"].as_str().unwrap();
    for word in [
        "no run of the patch",
        "2 tests",
        "tests.test_shop::test_name",
        "seed 11",
    ] {
        assert!(headline.contains(word), "`{word}` is not in: {headline}");
    }
    let log = headline
        .split(['(', ')', ' '])
        .find(|word| word.starts_with("logs/"));
    let place = Path::new(document["review_dir"].as_str().unwrap()).join(log.unwrap());
    assert!(place.is_file(), "{}", place.display());
}

#[test]
fn a_file_in_the_place_of_the_tools_folder_is_named() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    fs::write(house.path().join(".patch-verdict"), "mine\n").unwrap();
    let answer = house.run(&["check"]);
    refused(
        &house,
        &answer,
        2,
        &[".patch-verdict", "move that file away"],
    );
}
