//! Every kind of repository end to end: the verdict of a plain one, or a clear refusal.
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::house::{Answer, BASE, House, answer, short};

/// A patch that breaks `test_price`.
const BROKEN: (&str, &str) = (
    "shop.py",
    "def price(count):\n    return 1\n\n\ndef name():\n    return 'shop'\n",
);
const CHECK: [&str; 6] = ["check", "--format", "json", "--quiet", "--seeds", "11,12"];

/// A check started elsewhere than in the house.
pub(crate) fn check_in(house: &House, folder: &Path, arguments: &[&str]) -> Answer {
    let mut command = house.command(&[&CHECK[..], arguments].concat());
    answer(&command.current_dir(folder).output().unwrap())
}

#[track_caller]
pub(crate) fn document(answer: &Answer) -> Value {
    serde_json::from_str(&answer.stdout)
        .unwrap_or_else(|_| panic!("no verdict, exit {}: {}", answer.code, answer.stderr))
}

#[track_caller]
fn regression(answer: &Answer) {
    let document = document(answer);
    assert_eq!(
        (short(&document).as_str(), answer.code),
        ("reject regression", 1),
        "{document:#}"
    );
}

#[track_caller]
fn refused(answer: &Answer, code: i32, words: &[&str]) {
    assert_eq!(
        (answer.code, answer.stdout.as_str()),
        (code, ""),
        "{}",
        answer.stderr
    );
    for word in words {
        assert!(
            answer.stderr.contains(word),
            "`{word}` is not in: {}",
            answer.stderr
        );
    }
}

/// A clone in a folder of the given name, with the patch checked out.
fn clone(house: &House, name: &str, options: &[&str]) -> (tempfile::TempDir, std::path::PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join(name);
    let source = format!("file://{}", house.path().display());
    let target = path.display().to_string();
    let arguments = [
        &["clone", "-q"],
        options,
        &["-b", "patch", &source, &target],
    ]
    .concat();
    // Its `HEAD` becomes the clone's default branch.
    house.repository.git(&["checkout", "-q", "main"]);
    house.repository.git(&arguments);
    house.repository.git(&["checkout", "-q", "-"]);
    (place, path)
}

#[test]
fn clones_of_many_kinds_give_the_same_verdict() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    house
        .repository
        .git(&["config", "uploadpack.allowFilter", "true"]);
    let cases: [(&str, &[&str], &[&str]); 5] = [
        ("depth two", &["--depth=2"], &["--base", "HEAD~1"]),
        ("shared", &["--shared"], &[]),
        ("bare", &["--bare"], &["--base", "main", "--head", "patch"]),
        ("part of it", &["--filter=blob:none"], &[]),
        ("\u{fc}n\u{ef}: 'quoted', \u{1f40d}", &[], &[]),
    ];
    for (name, options, arguments) in cases {
        let (_place, path) = clone(&house, name, options);
        regression(&check_in(&house, &path, arguments));
        let view = house.repository.view(&path);
        let list = view.git(&["worktree", "list", "--porcelain"]);
        assert_eq!(list.matches("worktree ").count(), 1, "{name}: {list}");
    }
    let (_place, path) = clone(&house, "depth one", &["--depth=1"]);
    let words = ["fetch-depth: 2", "git fetch --deepen"];
    refused(&check_in(&house, &path, &["--base", "HEAD~1"]), 2, &words);
}

#[test]
fn a_linked_worktree_with_a_hooks_variables_and_a_hook() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    let hook = ".git/hooks/post-checkout";
    let place = tempfile::tempdir().unwrap();
    let ran = place.path().join("ran");
    house.repository.git(&["checkout", "-q", "main"]);
    let linked = place.path().join("linked");
    let text = linked.display().to_string();
    house
        .repository
        .git(&["worktree", "add", "-q", &text, "patch"]);
    house
        .repository
        .write(hook, format!("#!/bin/sh\ntouch {}\n", ran.display()));
    house.repository.chmod(hook, 0o755);
    // As `git commit` in another repository would set them for its hooks.
    let mut command = house.command(&CHECK);
    command
        .current_dir(&linked)
        .env("GIT_DIR", "/nowhere/.git")
        .env("GIT_WORK_TREE", "/nowhere")
        .env("GIT_INDEX_FILE", "/nowhere/index");
    regression(&answer(&command.output().unwrap()));
    assert!(!ran.exists(), "a hook of the user ran");
    let list = house.repository.git(&["worktree", "list", "--porcelain"]);
    assert_eq!(list.matches("worktree ").count(), 2, "{list}");
}

#[test]
fn what_a_sparse_checkout_leaves_out_is_judged() {
    let far = (
        "far/test_far.py",
        "def test_far():\n    assert open('far/value').read() == 'good'\n",
    );
    let configuration = (
        "pyproject.toml",
        "[tool.pytest.ini_options]\npythonpath = [\".\"]\ntestpaths = [\"tests\", \"far\"]\n",
    );
    let before = [BASE[0], BASE[1], configuration, far, ("far/value", "good")];
    let Some(house) = House::new(&before, &[("far/value", "bad")]) else {
        return;
    };
    for kind in ["--cone", "--no-cone"] {
        house
            .repository
            .git(&["sparse-checkout", "set", kind, "tests"]);
        assert!(!house.path().join("far").exists());
        let (document, code) = house.check(&[]);
        let verdict = document["verdict"].as_str();
        assert_eq!((verdict, code), (Some("reject"), 1), "{kind}");
        assert!(document.to_string().contains("test_far"), "{document:#}");
    }
}

#[test]
fn a_tag_of_the_base_branchs_name_is_no_base() {
    let Some(house) = House::new(BASE, &[BROKEN, ("second.txt", "x")]) else {
        return;
    };
    // Compared with this, the patch would change a text file alone.
    house
        .repository
        .git(&["checkout", "-q", "--detach", "patch"]);
    house.repository.write("second.txt", "y");
    let tip = house.repository.commit("on top");
    house.repository.git(&["tag", "main", "patch"]);
    house
        .repository
        .git(&["update-ref", "refs/heads/origin/main", "patch"]);
    let (_, code) = house.check(&["--head", &tip]);
    assert_eq!(code, 1);
    // Named by the CI run, from a clone.
    house.repository.git(&["branch", "tip", &tip]);
    let (_place, path) = clone(&house, "clone", &[]);
    let view = house.repository.view(&path);
    view.git(&["checkout", "-q", &tip]);
    view.git(&["tag", "origin/main", "HEAD~1"]);
    let mut command = house.command(&CHECK);
    command
        .current_dir(&path)
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_BASE_REF", "main");
    regression(&answer(&command.output().unwrap()));
}

#[test]
fn histories_that_give_no_base_or_several() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    house
        .repository
        .git(&["checkout", "-q", "--orphan", "alone"]);
    house.repository.commit("alone");
    refused(
        &house.run(&CHECK),
        2,
        &["no history in common", "--base REV"],
    );
    house
        .repository
        .git(&["checkout", "-q", "--orphan", "unborn"]);
    refused(&house.run(&CHECK), 2, &["no commit yet", "HEAD"]);
    // Branches that merged each other's first commit.
    house.repository.git(&["checkout", "-q", "-f", "main"]);
    house.repository.write("one.txt", "x");
    let one = house.repository.commit("one");
    house
        .repository
        .git(&["checkout", "-q", "-b", "other", "HEAD~1"]);
    house.repository.write("two.txt", "x");
    let two = house.repository.commit("two");
    house.repository.git(&["merge", "-q", "-m", "one", &one]);
    house.repository.git(&["checkout", "-q", "main"]);
    house.repository.git(&["merge", "-q", "-m", "two", &two]);
    house.repository.git(&["checkout", "-q", "other"]);
    house.change(&[BROKEN]);
    house.repository.commit("broken");
    let (document, code) = house.check(&[]);
    assert_eq!((short(&document).as_str(), code), ("reject regression", 1));
    let from = document["scope"]["base_from"].as_str().unwrap();
    assert!(from.contains("first of 2 merge bases"), "{from}");
}

#[test]
fn uncommitted_work_in_odd_states() {
    let Some(house) = House::base(BASE) else {
        return;
    };
    let made = &house.repository;
    made.git(&["update-index", "--split-index"]);
    made.write("tests/test_new.py", "def test_new():\n    assert False\n");
    made.git(&["add", "--intent-to-add", "tests/test_new.py"]);
    let before = std::fs::read(made.join(".git/index")).unwrap();
    let answer = check_in(&house, house.path(), &["--head", "WORKTREE"]);
    assert_eq!(short(&document(&answer)), "reject new_test_failed");
    assert_eq!(std::fs::read(made.join(".git/index")).unwrap(), before);
    made.git(&["reset", "-q", "--hard"]);
    made.git(&["checkout", "-q", "-b", "side"]);
    house.change(&[BROKEN]);
    made.commit("side");
    made.git(&["checkout", "-q", "main"]);
    house.change(&[("shop.py", "def price(count):\n    return 2\n")]);
    made.commit("main");
    let merge = Command::new("git")
        .args(["-c", "user.name=x", "-c", "user.email=x", "merge", "side"])
        .current_dir(house.path())
        .output();
    assert!(!merge.unwrap().status.success());
    let answer = check_in(&house, house.path(), &["--head", "WORKTREE"]);
    refused(&answer, 2, &["unmerged", "shop.py"]);
}

#[test]
fn what_cannot_be_checked_out_names_the_next_step() {
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    house
        .repository
        .git(&["config", "uploadpack.allowFilter", "true"]);
    let (_place, path) = clone(&house, "partial", &["--filter=blob:none", "--no-checkout"]);
    let view = house.repository.view(&path);
    view.git(&["remote", "set-url", "origin", "file:///nowhere"]);
    refused(
        &check_in(&house, &path, &[]),
        4,
        &["partial clone", "remote"],
    );
    let made = &house.repository;
    made.write(".gitattributes", "*.dat filter=lfs\n");
    made.write(
        "a.dat",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    );
    made.commit("pointers");
    let (document, code) = house.check(&[]);
    assert_eq!((document["verdict"].as_str(), code), (Some("reject"), 1));
    assert!(
        document.to_string().contains("Git LFS is not set up here"),
        "{document:#}"
    );
    made.git(&[
        "config",
        "filter.lfs.smudge",
        "/nowhere/git-lfs smudge -- %f",
    ]);
    made.git(&["config", "filter.lfs.required", "true"]);
    refused(&house.run(&CHECK), 4, &["a.dat", "hint:", "git-lfs"]);
    house.assert_clean();
    made.git(&["config", "--unset", "filter.lfs.required"]);
    made.write(".git/info/grafts", made.git(&["rev-parse", "HEAD"]) + "\n");
    refused(
        &house.run(&CHECK),
        2,
        &["info/grafts", "--convert-graft-file"],
    );
    made.remove(".git/info/grafts");
    made.git(&["config", "core.repositoryFormatVersion", "1"]);
    made.git(&["config", "extensions.later", "true"]);
    refused(&house.run(&CHECK), 2, &["extension `later`"]);
}

#[test]
fn another_users_repository_is_refused() {
    use std::os::unix::fs::MetadataExt as _;
    let Some(house) = House::new(BASE, &[BROKEN]) else {
        return;
    };
    if house.path().metadata().unwrap().uid() != 0 {
        eprintln!("not checked: only root can give a folder away");
        return;
    }
    let given = Command::new("chown")
        .args(["-R", "65534"])
        .arg(house.path())
        .status();
    assert!(given.unwrap().success());
    refused(&house.run(&CHECK), 2, &["another user", "safe.directory"]);
}
