//! A repository with a parent and a patch, and the program run on it.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use test_support::TestRepository;

/// Files of one side: path and content.
pub(crate) type Files<'a> = &'a [(&'a str, &'a str)];

/// The interpreter with pytest. Without one the test is passed over, which CI does not allow.
pub(crate) fn interpreter() -> Option<PathBuf> {
    let given = std::env::var_os("PATCH_VERDICT_TEST_PYTHON").map(PathBuf::from);
    assert!(
        given.is_some() || std::env::var_os("CI").is_none(),
        "PATCH_VERDICT_TEST_PYTHON is not set: `cargo xtask test` sets it"
    );
    if given.is_none() {
        eprintln!("not checked: PATCH_VERDICT_TEST_PYTHON is not set");
    }
    given
}

/// The folder with jest, vitest and fast-check. Without one the test is passed over, which CI does
/// not allow.
pub(crate) fn node_packages() -> Option<PathBuf> {
    let given = std::env::var_os("PATCH_VERDICT_TEST_NODE").map(PathBuf::from);
    assert!(
        given.is_some() || std::env::var_os("CI").is_none(),
        "PATCH_VERDICT_TEST_NODE is not set: `cargo xtask test` sets it where there is npm"
    );
    if given.is_none() {
        eprintln!("not checked: PATCH_VERDICT_TEST_NODE is not set");
    }
    given
}

/// Whether all programs are in `PATH`; CI does not allow that one is not.
pub(crate) fn programs(names: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let missing = names
        .iter()
        .find(|name| !std::env::split_paths(&path).any(|folder| folder.join(name).is_file()));
    if let Some(missing) = missing {
        assert!(std::env::var_os("CI").is_none(), "no `{missing}` in PATH");
        eprintln!("not checked: no `{missing}` in PATH");
    }
    missing.is_none()
}

/// A small product with one test module.
pub(crate) const BASE: Files<'static> = &[
    (
        "shop.py",
        "def price(count):\n    return 10 * count\n\n\ndef name():\n    return 'shop'\n",
    ),
    (
        "tests/test_shop.py",
        "import shop\n\n\ndef test_price():\n    assert shop.price(2) == 20\n\n\ndef test_name():\n    assert shop.name() == 'shop'\n",
    ),
    (
        "pyproject.toml",
        "[tool.pytest.ini_options]\npythonpath = [\".\"]\ntestpaths = [\"tests\"]\n",
    ),
];

/// A repository whose HEAD is the patch and whose `main` is the parent.
pub(crate) struct House {
    pub(crate) repository: TestRepository,
    state: tempfile::TempDir,
    python: PathBuf,
    /// Variables beside the usual ones.
    pub(crate) environment: Vec<(String, String)>,
}

/// What the program answered.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl House {
    /// `None` when there is no interpreter here.
    pub(crate) fn new(before: Files<'_>, after: Files<'_>) -> Option<Self> {
        let house = Self::base(before)?;
        house.repository.git(&["checkout", "-q", "-b", "patch"]);
        house.change(after);
        house.repository.commit("the patch");
        Some(house)
    }

    /// A repository with the parent alone.
    pub(crate) fn base(before: Files<'_>) -> Option<Self> {
        let python = interpreter()?;
        let repository = TestRepository::new();
        repository.git(&["checkout", "-q", "-B", "main"]);
        for (path, content) in before {
            repository.write(path, content);
        }
        repository.commit("the base");
        let state = tempfile::tempdir().unwrap();
        Some(Self {
            repository,
            state,
            python,
            environment: Vec::new(),
        })
    }

    /// Writes files; empty content removes.
    pub(crate) fn change(&self, files: Files<'_>) {
        for (path, content) in files {
            if content.is_empty() {
                self.repository.remove(path);
            } else {
                self.repository.write(path, content);
            }
        }
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_patch-verdict"));
        let programs = self.python.parent().unwrap().display().to_string();
        let home = self.state.path().join("home");
        std::fs::create_dir_all(&home).unwrap();
        command
            .args(arguments)
            .current_dir(self.repository.path())
            .env_clear()
            .env("PATH", format!("{programs}:/usr/local/bin:/usr/bin:/bin"))
            .env("HOME", home)
            .env("XDG_STATE_HOME", self.state.path())
            .envs(self.environment.iter().cloned());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        answer(&self.command(arguments).output().unwrap())
    }

    /// `check --format json` with two seeds and further arguments; the document and the exit code.
    pub(crate) fn check(&self, arguments: &[&str]) -> (Value, i32) {
        let mut all = vec!["check", "--format", "json", "--quiet", "--seeds", "11,12"];
        all.extend(arguments);
        let answer = self.run(&all);
        let document = serde_json::from_str(&answer.stdout)
            .unwrap_or_else(|_| panic!("no verdict, exit {}: {}", answer.code, answer.stderr));
        self.assert_clean();
        (document, answer.code)
    }

    /// No worktree is registered but the repository's own, and no admin file is left.
    pub(crate) fn assert_clean(&self) {
        let list = self.repository.git(&["worktree", "list", "--porcelain"]);
        assert_eq!(list.matches("worktree ").count(), 1, "left behind: {list}");
        let admin = self.repository.path().join(".git/worktrees");
        let left = std::fs::read_dir(&admin).map_or(0, Iterator::count);
        assert_eq!(left, 0, "admin files are left in {}", admin.display());
        assert_eq!(
            self.repository.git(&["status", "--porcelain"]),
            "",
            "git sees leftovers"
        );
    }

    pub(crate) fn path(&self) -> &Path {
        self.repository.path()
    }
}

pub(crate) fn answer(output: &Output) -> Answer {
    Answer {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout.clone()).unwrap(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// `verdict reason` of a document.
pub(crate) fn short(document: &Value) -> String {
    format!(
        "{} {}",
        document["verdict"].as_str().unwrap(),
        document["reason"].as_str().unwrap()
    )
}

/// Sorted texts of a list, or of the `id` of its objects.
pub(crate) fn ids(list: &Value) -> Vec<String> {
    let text = |entry: &Value| {
        entry
            .as_str()
            .or_else(|| entry["id"].as_str())
            .unwrap()
            .to_owned()
    };
    list.as_array().unwrap().iter().map(text).collect()
}
