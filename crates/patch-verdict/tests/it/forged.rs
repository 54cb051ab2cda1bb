//! Code of the patch that writes the report itself.
use crate::house::{BASE, House, short};

/// A module whose import leaves `END` for the end of the process, beside a broken price.
fn breaks_and(end: &str) -> String {
    format!(
        "import atexit, glob, json, os, re

def price(count):
    return 11 * count


def name():
    return 'shop'


def _end():
    path = os.environ['PATCH_VERDICT_JUNIT']
{end}

atexit.register(_end)
"
    )
}

/// Makes a report and an inventory of a run in which all went well.
const ALL_WELL: &str = r"
    with open(path) as file: text = file.read()
    text = re.sub('<failure.*?</failure>', '', text, flags=re.S)
    text = re.sub('failures=.[0-9]+.', 'failures=\'0\'', text)
    with open(path, 'w') as file: file.write(text)
    listed = os.path.dirname(path) + '/inventory.json'
    with open(listed) as file: content = json.load(file)
    content['exitstatus'] = 0
    with open(listed, 'w') as file: json.dump(content, file)
    os._exit(0)";

/// Leaves the failing case out.
const LESS: &str = r"
    with open(path) as file: text = file.read()
    text = re.sub('<testcase(?:(?!</testcase).)*<failure.*?</testcase>', '', text, flags=re.S)
    with open(path, 'w') as file: file.write(text)
    os._exit(0)";

#[test]
fn a_report_that_the_patch_rewrites_is_found_out() {
    for end in [ALL_WELL, LESS] {
        let patch = breaks_and(end);
        let Some(house) = House::new(BASE, &[("shop.py", &patch)]) else {
            return;
        };
        let (document, code) = house.check(&["--base", "main"]);
        assert_eq!(
            (short(&document).as_str(), code),
            ("reject forged_report", 1),
            "{document:#}"
        );
        let folder = house.path().join(document["review_dir"].as_str().unwrap());
        let rows = std::fs::read_to_string(folder.join("parent.jsonl")).unwrap();
        assert!(rows.lines().count() > 0, "the parent's runs are evidence");
        for row in rows.lines() {
            assert!(row.contains(r#""source":"channel""#), "{row}");
        }
        let rows = std::fs::read_to_string(folder.join("patch.jsonl")).unwrap();
        assert!(!rows.contains("test_price"), "{rows}");
    }
}

#[test]
fn the_test_that_was_running_at_the_timeout_is_named() {
    let slow = "import time\n\n\ndef price(count):\n    time.sleep(3600)\n\n\ndef name():\n    return 'shop'\n";
    let Some(house) = House::new(BASE, &[("shop.py", slow)]) else {
        return;
    };
    let (document, code) = house.check(&["--base", "main", "--timeout", "8s"]);
    assert_eq!(code, 1, "{document:#}");
    let headline = document["headline"].as_str().unwrap();
    let said = "was stopped at its timeout in `tests/test_shop.py::test_price`";
    assert!(headline.contains(said), "{headline}");
}

/// Breaks the price, and sees to it that no test of it can fail.
fn breaks_behind(start: &str) -> String {
    format!(
        "import gc
import sys


def price(count):
    if 'pytest' in sys.modules:
        behind()
    return 11 * count


def name():
    return 'shop'

{start}
"
    )
}

#[test]
fn code_of_the_patch_that_reaches_into_pytest_goes_to_a_person() {
    for start in [
        // A report that is never a failure.
        r"
def behind():
    from _pytest.reports import TestReport
    TestReport.failed = property(lambda self: False)
    if not hasattr(TestReport, 'once'):
        made = TestReport.from_item_and_call.__func__
        def from_item_and_call(cls, item, call):
            call.excinfo = None
            return made(cls, item, call)
        TestReport.once = True
        TestReport.from_item_and_call = classmethod(from_item_and_call)",
        // A plugin that was never in any conftest.
        r"
class Kind:
    def pytest_pyfunc_call(self, pyfuncitem):
        return True


def behind():
    import pytest
    for one in gc.get_objects():
        if isinstance(one, pytest.Config) and not one.pluginmanager.has_plugin('kind'):
            one.pluginmanager.register(Kind(), 'kind')",
    ] {
        let patch = breaks_behind(start);
        let Some(house) = House::new(BASE, &[("shop.py", &patch)]) else {
            return;
        };
        let (document, code) = house.check(&["--base", "main"]);
        let findings = document["findings"].as_array().unwrap();
        let found = findings
            .iter()
            .any(|finding| finding["code"] == "harness_changed");
        assert!(found && code != 0, "{document:#}");
    }
}
