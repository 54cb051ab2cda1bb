//! A folder of test files that is run by a real pytest, as planned.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use test_frameworks::{Channel, Inventory, Mode, PlanRequest, framework};

/// The interpreter with pytest, hypothesis and numpy; `None` (and a line that says so) where none is
/// given.
pub(crate) fn interpreter() -> Option<String> {
    let given = std::env::var("PATCH_VERDICT_TEST_PYTHON")
        .ok()
        .filter(|path| !path.is_empty());
    if given.is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "PATCH_VERDICT_TEST_PYTHON is not set under CI"
        );
        eprintln!("pytest tests: no interpreter given");
    }
    given
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(crate) struct Suite {
    folder: tempfile::TempDir,
    python: String,
    runs: std::cell::Cell<u32>,
    pub(crate) seed: i64,
    pub(crate) environment: BTreeMap<String, String>,
}

pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) output: String,
    pub(crate) report: String,
    pub(crate) inventory: Option<Inventory>,
    pub(crate) control: PathBuf,
    /// What came over the result channel.
    pub(crate) streamed: Vec<u8>,
}

impl Suite {
    pub(crate) fn new(files: &[(&str, &str)]) -> Option<Self> {
        let python = interpreter()?;
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            write(&folder.path().join("tree").join(path), text);
        }
        Some(Self {
            folder,
            python,
            runs: std::cell::Cell::new(0),
            seed: 11,
            environment: BTreeMap::new(),
        })
    }

    pub(crate) fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    pub(crate) fn has(&self, module: &str) -> bool {
        let code = format!("import {module}");
        Command::new(&self.python)
            .args(["-c", &code])
            .output()
            .unwrap()
            .status
            .success()
    }

    /// Runs `python -m pytest ARGUMENTS`.
    pub(crate) fn run(&self, arguments: &[&str], mode: Mode<'_>) -> Run {
        let mut command = vec![self.python.as_str(), "-m", "pytest"];
        command.extend(arguments);
        self.run_command(&command, mode)
    }

    pub(crate) fn scored(&self, arguments: &[&str], ids: &[&str]) -> Run {
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        self.run(arguments, Mode::Scored { ids: &ids })
    }

    pub(crate) fn run_command(&self, command: &[&str], mode: Mode<'_>) -> Run {
        let number = self.runs.get();
        self.runs.set(number + 1);
        let control = self.folder.path().join(format!("control{number}"));
        fs::create_dir(&control).unwrap();
        let report = self.folder.path().join(format!("report{number}.xml"));
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let command: Vec<String> = command
            .iter()
            .map(|part| part.replace("{python}", &self.python))
            .collect();
        let plan = framework("pytest")
            .unwrap()
            .plan(&PlanRequest {
                command: &command,
                mode,
                seed: self.seed,
                nonce: &format!("n{number}"),
                report: &text(&report),
                control: &text(&control),
                tree: &text(&self.tree()),
                directory: "",
                environment: &self.environment,
            })
            .unwrap();
        for file in &plan.files {
            fs::write(control.join(&file.name), &file.contents).unwrap();
        }
        let pipe = control.join(plan.channel.unwrap());
        let status = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(status.success());
        // The second handle keeps the stream open until the run has ended.
        let hold = fs::File::options().read(true).write(true).open(&pipe);
        let hold = hold.unwrap();
        let mut reader = fs::File::open(&pipe).unwrap();
        let streamed = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).map(|_| bytes)
        });
        let output = Command::new(&plan.argv[0])
            .args(&plan.argv[1..])
            .current_dir(self.tree())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.folder.path())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("LC_ALL", "C.UTF-8")
            .envs(&self.environment)
            .envs(&plan.environment)
            .output()
            .unwrap();
        drop(hold);
        let streams = [output.stdout, output.stderr].concat();
        Run {
            streamed: streamed.join().unwrap().unwrap(),
            code: output.status.code().unwrap_or(-1),
            output: String::from_utf8_lossy(&streams).into_owned(),
            report: fs::read_to_string(&report).unwrap_or_default(),
            inventory: fs::read(plan.inventory.unwrap())
                .ok()
                .map(|bytes| Inventory::parse(&bytes).unwrap()),
            control,
        }
    }
}

impl Run {
    #[track_caller]
    pub(crate) fn inventory(&self) -> &Inventory {
        self.inventory
            .as_ref()
            .unwrap_or_else(|| panic!("no inventory:\n{}", self.output))
    }

    pub(crate) fn ids(&self) -> Vec<&str> {
        self.inventory()
            .items
            .iter()
            .map(|item| item.id.as_str())
            .collect()
    }

    /// The `pv.nodeid` properties of the report, in order, XML entities as they stand.
    pub(crate) fn reported(&self) -> Vec<&str> {
        self.report
            .split("<property name=\"pv.nodeid\" value=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .collect()
    }

    #[track_caller]
    pub(crate) fn channel(&self) -> Channel {
        Channel::parse(&self.streamed).unwrap_or_else(|fault| {
            let text = String::from_utf8_lossy(&self.streamed);
            panic!("{fault}\n{text}\n{}", self.output)
        })
    }

    #[track_caller]
    pub(crate) fn expect(&self, code: i32, complete: bool) {
        assert_eq!(self.code, code, "{}", self.output);
        assert_eq!(self.inventory().complete, complete, "{}", self.output);
    }
}
