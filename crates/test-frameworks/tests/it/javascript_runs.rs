//! jest and vitest as planned: ids that are hard to ask for, seeds, files that cannot be read.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use test_frameworks::{Inventory, Mode, PlanRequest, framework};

/// The folder with the packages; `None` (and a line that says so) where none is given.
fn packages() -> Option<PathBuf> {
    let given = std::env::var_os("PATCH_VERDICT_TEST_NODE").map(PathBuf::from);
    if given.is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "PATCH_VERDICT_TEST_NODE is not set under CI"
        );
        eprintln!("JavaScript tests: no packages given");
    }
    given
}

struct Suite {
    framework: &'static str,
    folder: tempfile::TempDir,
    program: String,
}

struct Run {
    code: i32,
    output: String,
    report: String,
    inventory: Inventory,
}

impl Run {
    fn ids(&self) -> Vec<&str> {
        let items = self.inventory.items.iter();
        items.map(|item| item.id.as_str()).collect()
    }
}

impl Suite {
    fn new(framework: &'static str, files: &[(&str, &str)]) -> Option<Self> {
        let packages = packages()?.join("node_modules");
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        for (path, text) in files {
            let path = tree.join(path);
            fs::create_dir_all(path.parent()?).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::write(tree.join("package.json"), "{\"name\": \"x\"}").unwrap();
        std::os::unix::fs::symlink(&packages, tree.join("node_modules")).unwrap();
        let program = packages.join(".bin").join(framework);
        Some(Self {
            framework,
            folder,
            program: program.display().to_string(),
        })
    }

    fn run(&self, mode: Mode<'_>, seed: i64) -> Run {
        let control = tempfile::tempdir().unwrap();
        let [control, tree] = [control.path().to_owned(), self.folder.path().join("tree")]
            .map(|path| path.canonicalize().unwrap());
        let command = [self.program.clone(), "--bail".to_owned()];
        let report = control.join("report.xml");
        let plan = framework(self.framework)
            .unwrap()
            .plan(&PlanRequest {
                command: &command,
                mode,
                seed,
                nonce: "5e1f",
                report: &report.display().to_string(),
                control: &control.display().to_string(),
                tree: &tree.display().to_string(),
                directory: "",
                environment: &BTreeMap::new(),
            })
            .unwrap();
        fs::create_dir_all(&control).unwrap();
        for file in &plan.files {
            fs::write(control.join(&file.name), &file.contents).unwrap();
        }
        let output = Command::new(&plan.argv[0])
            .args(&plan.argv[1..])
            .envs(&plan.environment)
            .env("NO_COLOR", "1")
            .current_dir(&tree)
            .output()
            .unwrap();
        let inventory = fs::read(plan.inventory.unwrap()).unwrap_or_else(|_| {
            panic!("no inventory: {}", String::from_utf8_lossy(&output.stderr))
        });
        Run {
            code: output.status.code().unwrap(),
            output: String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr),
            report: fs::read_to_string(&report).unwrap_or_default(),
            inventory: Inventory::parse(&inventory).unwrap(),
        }
    }
}

/// Titles with what a pattern, XML or a terminal would take for itself; each test says that it ran.
const HARD: &str = r#"
const say = (what) => console.log(`ran ${what}`);
describe('a > b', () => {
  test('(x|y) [1] $^ \\ .*', () => say('one'));
  test('(x|y) [1] $^ \\ .* and more', () => say('two'));
});
describe('a', () => { test('ünï::code 🎉 "q" \'s\' <&>', () => say('three')); });
test('line\nbreak\u001b[31mred', () => say('four'));
test('dup', () => say('five'));
test('fails', () => { say('six'); expect(1).toBe(2); });
test.skip('skipped', () => say('seven'));
"#;

fn hard(framework: &'static str) -> Option<Suite> {
    let import = if framework == "vitest" {
        "import { describe, expect, test } from 'vitest';\n"
    } else {
        ""
    };
    let source = format!("{import}{HARD}");
    Suite::new(framework, &[("sub dir/hard.test.js", source.as_str())])
}

fn every_id_is_asked_for_exactly(framework: &'static str) {
    let Some(suite) = hard(framework) else {
        return;
    };
    let all = suite.run(Mode::Discover, 11);
    assert_eq!((all.code, all.ids().len()), (1, 7), "{}", all.output);
    assert!(all.inventory.complete);
    assert_eq!(all.report.matches("<testcase ").count(), 7);
    assert_eq!(all.report.matches("<failure ").count(), 1);
    let listed = suite.run(Mode::Collect, 11);
    assert_eq!(listed.ids(), all.ids());
    assert!(!listed.output.contains("ran "), "{}", listed.output);
    for (id, word) in all
        .ids()
        .iter()
        .zip(["one", "two", "three", "four", "five"])
    {
        let wanted = [(*id).to_owned()];
        let run = suite.run(Mode::Scored { ids: &wanted }, 11);
        assert_eq!((run.ids(), run.code), (vec![*id], 0), "{}", run.output);
        assert_eq!(run.output.matches("ran ").count(), 1, "{}", run.output);
        assert!(
            run.output.contains(&format!("ran {word}")),
            "{}",
            run.output
        );
        assert!(id.starts_with("sub dir/hard.test.js::"));
    }
}

#[test]
fn jest_runs_exactly_what_is_asked_for() {
    every_id_is_asked_for_exactly("jest");
}

#[test]
fn vitest_runs_exactly_what_is_asked_for() {
    every_id_is_asked_for_exactly("vitest");
}

const DRAWS: &str = "
test('draws', () => {
  const drawn = [];
  fc.assert(fc.property(fc.integer(), (one) => { drawn.push(one); }));
  console.log('drew', Math.random(), drawn.join());
});
";

fn drawn(suite: &Suite, seed: i64) -> String {
    let output = suite.run(Mode::Discover, seed).output;
    let line = output.lines().find(|line| line.contains("drew "));
    line.unwrap_or_else(|| panic!("{output}")).trim().to_owned()
}

fn a_seed_is_a_seed(framework: &'static str, import: &str) {
    let source = format!("{import}{DRAWS}");
    let Some(suite) = Suite::new(framework, &[("a.test.js", source.as_str())]) else {
        return;
    };
    assert_eq!(drawn(&suite, 11), drawn(&suite, 11));
    assert_ne!(drawn(&suite, 11), drawn(&suite, 12));
}

#[test]
fn jest_is_seeded() {
    a_seed_is_a_seed("jest", "const fc = require('fast-check');\n");
}

#[test]
fn vitest_is_seeded() {
    a_seed_is_a_seed(
        "vitest",
        "import fc from 'fast-check';\nimport { test } from 'vitest';\n",
    );
}

#[test]
fn a_retry_hides_no_failure() {
    let source = "jest.retryTimes(3);\nlet tries = 0;\ntest('later', () => { tries += 1; expect(tries).toBe(2); });\n";
    let Some(suite) = Suite::new("jest", &[("a.test.js", source)]) else {
        return;
    };
    let run = suite.run(Mode::Discover, 1);
    assert_eq!(
        (run.code, run.report.matches("<failure ").count()),
        (1, 1),
        "{}",
        run.report
    );
    let source = "import { expect, test } from 'vitest';\nlet tries = 0;\ntest('later', { retry: 3 }, () => { tries += 1; expect(tries).toBe(2); });\n";
    let Some(suite) = Suite::new("vitest", &[("a.test.js", source)]) else {
        return;
    };
    let run = suite.run(Mode::Discover, 1);
    assert_eq!(run.report.matches("<failure ").count(), 1, "{}", run.report);
}

#[test]
fn a_file_that_cannot_be_read_stops_no_other() {
    for (framework, import) in [("jest", ""), ("vitest", "import { test } from 'vitest';\n")] {
        let good = format!("{import}test('good', () => {{}});\n");
        let files = [
            ("good.test.js", good.as_str()),
            ("bad.test.js", "this is no (\n"),
        ];
        let Some(suite) = Suite::new(framework, &files) else {
            return;
        };
        let run = suite.run(Mode::Discover, 1);
        assert_eq!(run.ids(), ["good.test.js::good"], "{}", run.output);
        let broken: Vec<&str> = run
            .inventory
            .uncollectable
            .iter()
            .map(|entry| entry.file.as_str())
            .collect();
        assert_eq!((broken, run.code), (vec!["bad.test.js"], 1));
    }
}
