//! Which framework a tree asks for.

use std::collections::BTreeMap;

use test_frameworks::{FileView, detect, framework};

pub(crate) struct Files(pub(crate) BTreeMap<&'static str, &'static str>);

impl FileView for Files {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).map(|text| text.as_bytes().to_vec())
    }
    fn exists(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.0.contains_key(path) || self.0.keys().any(|known| known.starts_with(&below))
    }
    fn list(&self, folder: &str) -> Vec<String> {
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let names = self
            .0
            .keys()
            .filter_map(|path| path.strip_prefix(prefix.as_str()));
        names
            .map(|rest| rest.split('/').next().unwrap().to_owned())
            .collect()
    }
}

#[track_caller]
fn check(files: &[(&'static str, &'static str)], expected: Option<u8>) {
    let found = detect(&Files(files.iter().copied().collect()));
    assert_eq!(
        found.as_ref().map(|found| found.strength),
        expected,
        "{found:?}"
    );
    assert!(found.is_none_or(|found| found.framework == "pytest" && !found.signs.is_empty()));
}

#[test]
fn signs_of_pytest() {
    check(&[], None);
    check(&[("src/main.rs", ""), ("tests/it.rs", "")], None);
    check(&[("pytest.ini", "")], Some(3));
    check(
        &[("pyproject.toml", "[tool.pytest.ini_options]\n")],
        Some(3),
    );
    check(
        &[("pyproject.toml", "[tool.pytest]\nminversion='9'\n")],
        Some(3),
    );
    check(
        &[("pyproject.toml", "[dependency-groups]\ndev=['pytest>=8']\n")],
        Some(2),
    );
    check(
        &[(
            "pyproject.toml",
            "[tool.poetry.dev-dependencies]\npytest='*'\n",
        )],
        Some(2),
    );
    check(
        &[("pyproject.toml", "[project]\ndependencies=['pytest-foo']\n")],
        None,
    );
    check(&[("pyproject.toml", "not [ toml")], None);
    check(&[("setup.cfg", "[tool:pytest]\n")], Some(3));
    check(&[("tox.ini", "[testenv]\ndeps =\n  pytest\n")], Some(2));
    check(&[("tests/conftest.py", "")], Some(2));
    check(&[("requirements-dev.txt", "pytest==8.4\n")], Some(2));
    check(&[("requirements.txt", "pytest-cov\n")], None);
    check(&[("test/test_a.py", "")], Some(1));
}

#[test]
fn commands() {
    let pytest = framework("pytest").unwrap();
    let command = |files: &[(&'static str, &'static str)]| {
        pytest
            .default_command(&Files(files.iter().copied().collect()))
            .join(" ")
    };
    assert_eq!(command(&[]), "python3 -m pytest");
    assert_eq!(command(&[("uv.lock", "")]), "uv run python3 -m pytest");
}

/// Name, strength and default command.
#[track_caller]
fn check_other(files: &[(&'static str, &'static str)], wanted: &str) {
    let files = Files(files.iter().copied().collect());
    let found = detect(&files).unwrap();
    let command = framework(found.framework).unwrap().default_command(&files);
    let words = format!(
        "{} {}: {}",
        found.framework,
        found.strength,
        command.join(" ")
    );
    assert_eq!(words, wanted, "{found:?}");
}

#[test]
fn signs_of_the_others() {
    check_other(
        &[(
            "package.json",
            r#"{"devDependencies": {"jest": "30"}, "scripts": {"test": "eslint . && jest"}}"#,
        )],
        "jest 3: npm test --silent --",
    );
    check_other(
        &[("package.json", r#"{"scripts": {"test": "jest && tsc"}}"#)],
        "jest 3: npx --no-install jest",
    );
    check_other(
        &[("package.json", r#"{"devDependencies": {"vitest": "4"}}"#)],
        "vitest 2: npx --no-install vitest",
    );
    check_other(
        &[("package.json", "{}"), ("vitest.config.ts", "")],
        "vitest 3: npx --no-install vitest",
    );
    check_other(
        &[("Cargo.toml", "[package]\n")],
        "nextest 2: cargo nextest run",
    );
    check_other(
        &[
            ("Cargo.toml", "[workspace]\n"),
            (".config/nextest.toml", ""),
        ],
        "nextest 3: cargo nextest run --workspace",
    );
    check_other(&[("go.mod", "")], "go 2: gotestsum -- ./...");
}
