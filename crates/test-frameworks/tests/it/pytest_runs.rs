//! The plugin in a real pytest.

use std::fs;

use test_frameworks::Mode;

use crate::suite::{Run, Suite};

const MANY: &[(&str, &str)] = &[
    ("tests/conftest.py", "import random\nrandom.random()\n"),
    (
        "tests/test_a.py",
        r#"
import unittest, pytest
@pytest.mark.parametrize("x", ["a::b", "p/q", "é", "[z]", "", "two words", "a.b", "<&\"", "\x1b"])
def test_hard(x): pass
@pytest.mark.parametrize("x", [1, 2])
@pytest.mark.parametrize("y", [3, 4])
def test_two(x, y): assert (x, y) != (2, 4)
class TestOuter:
    class TestInner:
        def test_in(self): pass
class Case(unittest.TestCase):
    def test_case(self): pass
    @unittest.skip("not now")
    def test_skipped(self): pass
@pytest.mark.skip
def test_marked(): pass
def test_ünïcode(): pass
"#,
    ),
    (
        "tests/sub/conftest.py",
        "open('sub-conftest-ran', 'w').close()\n",
    ),
    (
        "tests/sub/test_b.py",
        "open('b-ran', 'w').close()\ndef test_b(): pass\n",
    ),
    (
        "tests/other/test_c.py",
        "open('c-ran', 'w').close()\ndef test_c(): assert 0\n",
    ),
];

#[test]
fn every_id_of_discovery_runs_alone() {
    let Some(suite) = Suite::new(MANY) else {
        return;
    };
    let whole = suite.run(&[], Mode::Discover);
    whole.expect(1, true);
    let ids: Vec<String> = whole.ids().iter().map(|id| (*id).to_owned()).collect();
    assert_eq!(ids.len(), 20, "{ids:?}");
    assert_eq!(whole.reported().len(), 20);
    for item in &whole.inventory().items {
        let escape = |text: &str| {
            text.replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;")
        };
        let case = format!(
            "classname=\"{}\" name=\"{}\"",
            escape(&item.suite),
            escape(&item.name)
        );
        assert!(whole.report.contains(&case), "{case}\n{}", whole.report);
        let property = format!("value=\"{}\"", escape(&item.property_id));
        assert!(whole.report.contains(&property), "{property}");
    }
    let part: Vec<&str> = ids.iter().map(String::as_str).step_by(2).collect();
    let scored = suite.scored(&[], &part);
    assert_eq!(scored.ids(), part);
    assert_eq!(scored.reported().len(), part.len());
    scored.expect(scored.code, true);
}

#[test]
fn scored_runs_import_nothing_else() {
    let Some(suite) = Suite::new(MANY) else {
        return;
    };
    for arguments in [
        &[][..],
        &["tests"],
        &["tests/sub", "tests/test_a.py", "tests/gone.py"],
        &["tests/test_a.py::TestGone", "tests/other/test_c.py::test_c"],
        &["--import-mode=importlib"],
    ] {
        let ids = [
            "tests/test_a.py::Case::test_case",
            "tests/test_a.py::gone",
            "tests/x.py::gone",
        ];
        let run = suite.scored(arguments, &ids);
        run.expect(0, true);
        assert_eq!(run.ids(), ids[..1]);
        for trace in ["sub-conftest-ran", "b-ran", "c-ran"] {
            assert!(
                !suite.tree().join(trace).exists(),
                "{arguments:?} left {trace}"
            );
        }
    }
    let none = suite.scored(&[], &["tests/x.py::gone"]);
    none.expect(5, true);
    assert!(none.ids().is_empty());
}

#[test]
fn collection_runs_nothing() {
    let Some(suite) = Suite::new(&[
        ("test_a.py", "def test_a(): open('ran', 'w').close()\n"),
        ("test_bad.py", "import nothing_of_this_name\n"),
        (
            "test_skip.py",
            "import pytest\npytest.skip('all', allow_module_level=True)\n",
        ),
    ]) else {
        return;
    };
    let run = suite.run(&["-x"], Mode::Collect);
    run.expect(1, true);
    assert_eq!(run.ids(), ["test_a.py::test_a"]);
    assert!(!suite.tree().join("ran").exists());
    let inventory = run.inventory();
    assert_eq!(inventory.uncollectable[0].file, "test_bad.py");
    assert!(
        inventory.uncollectable[0]
            .text
            .contains("nothing_of_this_name")
    );
    assert_eq!(inventory.collect_skipped[0].id, "test_skip.py");
    assert!(inventory.versions.contains_key("pluggy"));
    let whole = suite.run(&["-x"], Mode::Whole);
    whole.expect(1, true);
    assert!(suite.tree().join("ran").exists());
    assert!(
        whole
            .inventory()
            .switched_off
            .iter()
            .any(|one| one == "maxfail")
    );
}

#[test]
fn items_say_where_they_come_from() {
    let Some(suite) = Suite::new(&[
        (
            "base.py",
            "class Base:\n    def test_it(self): pass\ndef test_shared(): pass\n",
        ),
        (
            "test_a.py",
            "import pytest\nfrom base import Base, test_shared\nclass TestA(Base): pass\n\
            @pytest.mark.parametrize('a,b', [(1, 2), (3, 4)], ids=['x', 'y'])\ndef test_p(a, b): pass\n\
            @pytest.mark.skipif(True, reason='r')\ndef test_s(): pass\n",
        ),
        ("conftest.py", "pytest_plugins = ['plug']\n"),
        ("plug.py", ""),
        ("pytest.ini", "[pytest]\ntestpaths = test_a.py\n"),
    ]) else {
        return;
    };
    let run = suite.run(&[], Mode::Discover);
    run.expect(0, true);
    let inventory = run.inventory();
    let item = |id: &str| inventory.items.iter().find(|item| item.id == id).unwrap();
    let inherited = item("test_a.py::TestA::test_it");
    assert_eq!(inherited.qualname, "TestA.test_it");
    assert_eq!(
        (
            inherited.bases[0].file.as_str(),
            inherited.bases[0].qualname.as_str()
        ),
        ("base.py", "Base")
    );
    assert_eq!(
        item("test_a.py::test_shared")
            .definition
            .as_ref()
            .unwrap()
            .file,
        "base.py"
    );
    let second = item("test_a.py::test_p[y]");
    assert_eq!(
        (second.qualname.as_str(), second.params.as_deref()),
        ("test_p", Some("y"))
    );
    assert_eq!(second.param_index.as_ref().unwrap().indices, [1, 1]);
    assert!(item("test_a.py::test_s").skip_marked && !second.skip_marked);
    assert_eq!(
        (inventory.conftests.as_slice(), inventory.plugins.as_slice()),
        (&["conftest.py".to_owned()][..], &["plug.py".to_owned()][..])
    );
    assert_eq!(inventory.testpaths, ["test_a.py"]);
    assert_eq!(inventory.inifile.as_deref(), Some("pytest.ini"));
    assert!(
        inventory
            .loaded
            .iter()
            .any(|one| one.module == "base" && one.file.ends_with("/tree/base.py"))
    );
}

const SEEDED: &str = r#"
import random, importlib
import numpy
from hypothesis import given, settings, strategies as st, HealthCheck
def note(value): open("values", "a").write(repr(value) + "\n")
def test_one(): note(("one", random.random(), float(numpy.random.rand())))
def test_reload():
    importlib.reload(random)
    random.seed(1)
def test_two(): note(("two", random.random(), float(numpy.random.rand())))
@settings(max_examples=5, database=None)
@given(st.integers())
def test_given(x): note(x)
@given(st.integers())
def test_fails(x): assert x < 1000
"#;

fn values(suite: &Suite, arguments: &[&str]) -> (String, Run) {
    let path = suite.tree().join("values");
    drop(fs::remove_file(&path));
    let run = suite.run(arguments, Mode::Whole);
    (fs::read_to_string(path).unwrap(), run)
}

#[test]
fn seeds_decide_random_numpy_and_hypothesis() {
    let Some(mut suite) = Suite::new(&[("test_a.py", SEEDED)]) else {
        return;
    };
    if !suite.has("numpy") || !suite.has("hypothesis") {
        return;
    }
    let (first, run) = values(&suite, &[]);
    run.expect(1, true);
    for seeded in ["hypothesis", "numpy.random", "python.random"] {
        assert!(
            run.inventory().seeded.iter().any(|one| one == seeded),
            "{seeded}"
        );
    }
    assert_eq!(first, values(&suite, &[]).0);
    // A test's values do not depend on what ran before it.
    let (alone, _) = values(&suite, &["-k", "test_two"]);
    assert!(
        !alone.is_empty() && first.contains(&alone),
        "{alone} in {first}"
    );
    assert!(!suite.tree().join(".hypothesis/examples").exists());
    suite.seed = 12;
    let (other, _) = values(&suite, &[]);
    assert!(
        first
            .lines()
            .zip(other.lines())
            .filter(|(a, b)| a == b)
            .count()
            < 3,
        "{first}\n{other}"
    );
}

#[test]
fn inner_runs_neither_load_the_plugin_nor_touch_the_report() {
    let Some(mut suite) = Suite::new(&[(
        "test_a.py",
        r#"
import os, subprocess, sys
def test_inner(tmp_path):
    assert os.environ.get("PYTHONPATH") == "mine" and "PYTEST_PLUGINS" not in os.environ
    assert not any("control" in entry for entry in sys.path)
    (tmp_path / "test_in.py").write_text("def test_no(): assert 0")
    assert subprocess.call([sys.executable, "-m", "pytest", "-q", str(tmp_path)], cwd=str(tmp_path)) == 1
def test_chdir(tmp_path):
    os.chdir(str(tmp_path))
    os.environ.clear()
"#,
    )]) else {
        return;
    };
    suite
        .environment
        .insert("PYTHONPATH".to_owned(), "mine".to_owned());
    let run = suite.run(&["--junitxml=other.xml", "-p", "no:randomly"], Mode::Whole);
    run.expect(0, true);
    assert_eq!(
        run.reported(),
        ["test_a.py::test_inner", "test_a.py::test_chdir"]
    );
    assert!(!suite.tree().join("other.xml").exists());
}

#[test]
fn a_second_session_spoils_the_run() {
    let Some(suite) = Suite::new(&[
        ("test_a.py", "def test_a(): assert 0\n"),
        ("test_b.py", "def test_b(): pass\n"),
    ]) else {
        return;
    };
    let run = suite.run_command(
        &[
            "/bin/sh",
            "-c",
            "{python} -m pytest test_a.py; {python} -m pytest test_b.py; exit 0",
        ],
        Mode::Whole,
    );
    assert!(
        run.control.join("second-session").exists(),
        "{}",
        run.output
    );
    assert!(run.output.contains("more than once"), "{}", run.output);
    assert_eq!(run.reported(), ["test_a.py::test_a"]);
    assert!(
        !run.inventory().complete,
        "the first session's inventory still counts"
    );
}

#[test]
fn a_killed_session_is_not_complete() {
    let Some(suite) = Suite::new(&[("test_a.py", "import os\ndef test_a(): os._exit(0)\n")]) else {
        return;
    };
    let run = suite.run(&[], Mode::Whole);
    run.expect(0, false);
    assert_eq!(
        (run.report.as_str(), run.inventory().exitstatus),
        ("", None)
    );
}

#[test]
fn hostile_options_change_nothing() {
    let Some(suite) = Suite::new(&[
        (
            "pytest.ini",
            "[pytest]\naddopts = -x --tb=no -W error --strict-markers --lf --maxfail=1\n",
        ),
        (
            "test_a.py",
            "def test_1(record_property):\n    record_property('k', 'v')\n    assert [1] * 90 == [2] * 90\n\
            def test_2(): assert 0\ndef test_3(): pass\n",
        ),
    ]) else {
        return;
    };
    for arguments in [
        &[][..],
        &["-p", "no:terminal", "-o", "addopts=-x -W error"],
        &["-p", "no:cacheprovider", "-o", "addopts="],
        &["--sw"],
    ] {
        let run = suite.run(arguments, Mode::Whole);
        run.expect(1, true);
        assert_eq!(run.reported().len(), 3, "{arguments:?}: {}", run.report);
        assert!(
            !run.report.contains("truncated") && run.report.contains("assert [1"),
            "{}",
            run.report
        );
    }
}

#[test]
fn plugins_of_the_user_are_switched_off() {
    let Some(suite) = Suite::new(&[
        (
            "code.py",
            "def f():\n    return 1\ndef g():\n    return 2\n",
        ),
        (
            "test_a.py",
            "import pytest\nSEEN = []\n@pytest.mark.flaky(reruns=3)\ndef test_1():\n    SEEN.append(1)\n    assert len(SEEN) > 1\n\
            def test_2(): pass\ndef test_3(worker_id='master'): assert worker_id == 'master'\n",
        ),
    ]) else {
        return;
    };
    for (module, arguments) in [
        ("pytest_rerunfailures", &["--reruns=3"][..]),
        ("xdist", &["-n", "2"]),
        (
            "pytest_cov",
            &["--cov=code", "--cov-fail-under=100", "-k", "test_2"],
        ),
        ("pytest_randomly", &["-p", "randomly"]),
    ] {
        if !suite.has(module) {
            continue;
        }
        let run = suite.run(arguments, Mode::Whole);
        let selected = arguments.contains(&"-k");
        run.expect(i32::from(!selected), true);
        let expected = if selected { 1 } else { 3 };
        assert_eq!(run.reported().len(), expected, "{module}: {}", run.output);
        let again = suite.run(arguments, Mode::Whole);
        assert_eq!(again.ids(), run.ids());
    }
}

#[test]
fn other_kinds_of_items_run_by_id() {
    let Some(mut suite) = Suite::new(&[
        (
            "suite/pytest.ini",
            "[pytest]\naddopts = --doctest-modules --doctest-glob=*.rst\n",
        ),
        (
            "suite/conftest.py",
            "def pytest_addoption(parser): parser.addoption('--mine')\n",
        ),
        ("suite/pkg/__init__.py", ""),
        (
            "suite/pkg/code.py",
            "def f():\n    '''\n    >>> 1\n    1\n    '''\n",
        ),
        ("suite/doc.rst", ">>> 2\n2\n"),
        (
            "suite/test_s.py",
            "import unittest\nclass T(unittest.TestCase):\n    def test_sub(self):\n        \
            for i in range(3):\n            with self.subTest(i=i): self.assertNotEqual(i, 1)\n",
        ),
        (
            "suite/test_same.py",
            "class TestA:\n    def test_b(self): pass\n",
        ),
        ("suite/test_same/TestA.py", ""),
    ]) else {
        return;
    };
    suite
        .environment
        .insert("PYTEST_DISABLE_PLUGIN_AUTOLOAD".to_owned(), "1".to_owned());
    let arguments = [
        "-c",
        "suite/pytest.ini",
        "--rootdir=suite",
        "--mine=1",
        "suite",
    ];
    let whole = suite.run(&arguments, Mode::Discover);
    whole.expect(1, true);
    assert_eq!(whole.ids().len(), 4, "{:?}", whole.ids());
    for id in whole.ids() {
        let one = suite.scored(&arguments, &[id]);
        one.expect(i32::from(id.contains("test_sub")), true);
        assert_eq!(one.ids(), [id]);
        assert!(one.inventory().items[0].file.starts_with("suite/"), "{id}");
    }
}

#[test]
fn equal_names_stay_two_items() {
    let Some(suite) = Suite::new(&[
        (
            "conftest.py",
            "def pytest_collection_modifyitems(items): items.append(items[0])\n",
        ),
        ("test_a.py", "def test_c(): pass\n"),
    ]) else {
        return;
    };
    let run = suite.run(&["-p", "no:randomly"], Mode::Discover);
    run.expect(0, true);
    let names: Vec<(&str, &str)> = run
        .inventory()
        .items
        .iter()
        .map(|item| (item.suite.as_str(), item.name.as_str()))
        .collect();
    assert_eq!(names, [("test_a", "test_c"); 2]);
    assert_eq!(run.reported().len(), 2);
}
