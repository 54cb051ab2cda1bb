//! The result channel of a real pytest.

use test_frameworks::{Channel, ChannelError, Mode};

use crate::suite::{Run, Suite};

/// `ID OUTCOME` of every test, by id.
fn outcomes(run: &Run) -> Vec<String> {
    let results = run.channel().results;
    let lines = results.iter();
    lines
        .map(|(id, outcome)| {
            let name = id.rsplit("::").next().unwrap();
            format!("{name} {outcome:?}")
        })
        .collect()
}

#[test]
fn every_result_comes_over_it_with_the_reports_ids() {
    let Some(suite) = Suite::new(&[(
        "test_a.py",
        r#"
import pytest, unittest
def test_pass(): pass
def test_fail(): assert 0
@pytest.mark.skip
def test_skip(): pass
@pytest.mark.xfail
def test_xfail(): assert 0
@pytest.mark.xfail(strict=True)
def test_xpass(): pass
@pytest.fixture
def broken(): raise ValueError
def test_setup(broken): pass
@pytest.fixture
def torn():
    yield
    raise ValueError
def test_teardown(torn): pass
@pytest.mark.parametrize("x", ["\x1b", "é"])
def test_hard(x): pass
class Case(unittest.TestCase):
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i): self.assertNotEqual(i, 1)
"#,
    )]) else {
        return;
    };
    let run = suite.run(&[], Mode::Discover);
    run.expect(1, true);
    assert_eq!(
        outcomes(&run),
        [
            "test_sub Failed",
            "test_fail Failed",
            "test_hard[\\x1b] Passed",
            "test_hard[\\xe9] Passed",
            "test_pass Passed",
            "test_setup Failed",
            "test_skip Skipped",
            "test_teardown Failed",
            "test_xfail Skipped",
            "test_xpass Failed",
        ],
    );
    let channel = run.channel();
    assert_eq!(channel.ended, Some(1));
    assert_eq!(channel.running, None);
    for id in channel.results.keys() {
        let spelled = id.replace('&', "&amp;");
        assert!(run.reported().contains(&spelled.as_str()), "{id}");
    }
}

#[test]
fn a_run_that_is_killed_names_the_running_test() {
    let Some(suite) = Suite::new(&[(
        "test_a.py",
        "import os\ndef test_one(): pass\ndef test_two(): os.kill(os.getpid(), 9)\n",
    )]) else {
        return;
    };
    let run = suite.run(&[], Mode::Discover);
    let channel = run.channel();
    assert_eq!(channel.running.as_deref(), Some("test_a.py::test_two"));
    assert_eq!(channel.ended, None);
    assert_eq!(run.report, "");
}

#[test]
fn its_name_is_gone_before_a_test_is_imported() {
    let Some(suite) = Suite::new(&[(
        "test_a.py",
        r#"
import glob, os, sys
HOME = [os.path.dirname(m.__file__) for n, m in list(sys.modules.items()) if n.startswith("pv_")]
def test_gone(): assert HOME and not glob.glob(HOME[0] + "/channel*")
def test_not_inherited():
    import subprocess
    code = "import os; f = '/proc/self/fd/'; print([l for l in (os.readlink(f + n) for n in os.listdir(f) if os.path.lexists(f + n)) if 'channel' in l])"
    assert subprocess.check_output([sys.executable, "-c", code], close_fds=False) == b"[]\n"
"#,
    )]) else {
        return;
    };
    suite.run(&[], Mode::Discover).expect(0, true);
}

#[test]
fn a_report_that_a_hook_changes_was_seen_before() {
    let Some(suite) = Suite::new(&[
        (
            "conftest.py",
            r#"
import pytest
@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    report.outcome, report.longrepr = "passed", None
"#,
        ),
        ("test_a.py", "def test_a(): assert 0\n"),
    ]) else {
        return;
    };
    let run = suite.run(&[], Mode::Discover);
    assert!(!run.report.contains("<failure"), "{}", run.report);
    assert_eq!(outcomes(&run), ["test_a Failed"]);
}

#[test]
fn a_closed_descriptor_is_not_written_to() {
    let Some(suite) = Suite::new(&[(
        "test_a.py",
        r#"
import os, tempfile
def test_a():
    os.closerange(3, 256)
    global KEPT
    KEPT = [tempfile.TemporaryFile() for _ in range(32)]
def test_b():
    for file in KEPT:
        file.seek(0)
        assert file.read() == b""
"#,
    )]) else {
        return;
    };
    let run = suite.run(&["-s", "-p", "no:faulthandler"], Mode::Discover);
    run.expect(0, true);
    assert_eq!(run.channel().ended, None);
}

#[test]
fn a_forked_test_process_does_not_speak() {
    let Some(suite) = Suite::new(&[(
        "test_a.py",
        r"
import os
def test_a():
    child = os.fork()
    if child:
        os.waitpid(child, 0)
def test_b(): pass
",
    )]) else {
        return;
    };
    let run = suite.run(&[], Mode::Discover);
    assert_eq!(outcomes(&run), ["test_a Passed", "test_b Passed"]);
    assert_eq!(run.channel().ended, Some(0));
}

#[test]
fn a_usage_error_leaves_it_open() {
    let Some(suite) = Suite::new(&[("test_a.py", "def test_a(): pass\n")]) else {
        return;
    };
    let run = suite.run(&["--no-such-option"], Mode::Discover);
    assert_eq!(Channel::parse(&run.streamed).map(|one| one.ended), Ok(None));
    let silent = suite.run_command(&["/bin/true"], Mode::Discover);
    assert_eq!(Channel::parse(&silent.streamed), Err(ChannelError::Silent));
}

#[test]
fn what_replaces_parts_of_pytest_is_named_and_what_puts_them_back_is_not() {
    let Some(suite) = Suite::new(&[
        (
            "shop.py",
            r"
import _pytest.runner, unittest
def run(self, result=None): pass
unittest.TestCase.run = run
def spoil():
    _pytest.runner.call_and_report.__code__ = (lambda *a, **k: None).__code__
",
        ),
        (
            "test_a.py",
            r#"
import shop, atexit
def test_a(monkeypatch):
    monkeypatch.setattr("_pytest.runner.CallInfo.from_call", None)
def test_b(monkeypatch):
    monkeypatch.setattr("_pytest.python.Function.setup", None)
"#,
        ),
    ]) else {
        return;
    };
    let run = suite.run(&["-p", "no:randomly"], Mode::Discover);
    assert_eq!(
        run.inventory().replaced,
        ["unittest.case.TestCase.run (by shop.py)"]
    );
}
