//! Which tests are run and how: configuration, framework, command.
use patch_verdict_core::{Config, SuiteConfig};
use test_frameworks::{FileView, Framework};

use crate::{CheckError, CheckOptions};

/// The suite of this check.
#[derive(Debug, Clone)]
pub(crate) struct Suite {
    pub(crate) config: SuiteConfig,
    pub(crate) framework: &'static dyn Framework,
    pub(crate) command: Vec<String>,
    /// How the framework was found.
    pub(crate) found_by: String,
}

/// Reads `patch-verdict.toml` of the parent's side; defaults without one.
pub(crate) fn config(text: Option<&[u8]>) -> Result<Config, CheckError> {
    let Some(bytes) = text else {
        return Ok(Config::default());
    };
    let text = std::str::from_utf8(bytes)
        .map_err(|error| CheckError::request(format!("patch-verdict.toml on the base: {error}")))?;
    Config::from_toml(text).map_err(|error| {
        CheckError::request(format!("patch-verdict.toml on the base: {error}"))
            .hint("the configuration is read from the parent's side; mend it there first")
    })
}

/// Chooses suite, framework and command.
pub(crate) fn suite(
    config: &Config,
    options: &CheckOptions,
    parent: &dyn FileView,
) -> Result<Suite, CheckError> {
    let suite = config
        .suite(options.suite.as_deref())
        .map_err(|error| CheckError::request(error.to_string()).hint(suites(config)))?;
    let below = Below::new(parent, &suite.directory);
    // A suite in a folder is looked for there; where nothing tells, the root may.
    let detecting: &dyn FileView = match test_frameworks::detect(&below) {
        Some(_) => &below,
        None => parent,
    };
    let (framework, found_by) = framework(&suite, options, detecting)?;
    let command = if !options.command.is_empty() {
        options.command.clone()
    } else if !suite.command.is_empty() {
        suite.command.clone()
    } else {
        framework.default_command(detecting)
    };
    if command.is_empty() {
        return Err(CheckError::request("no test command").hint("give one after `--`"));
    }
    Ok(Suite {
        config: suite,
        framework,
        command,
        found_by,
    })
}

/// The names to choose from.
fn suites(config: &Config) -> String {
    let names: Vec<String> = config
        .suite
        .iter()
        .map(|suite| format!("`{}`", suite.name))
        .collect();
    if names.is_empty() {
        "without suites in patch-verdict.toml, leave `--suite` out".to_owned()
    } else {
        format!("`--suite NAME` takes one of {}", names.join(", "))
    }
}

/// The tree as a suite in a folder of it sees it.
struct Below<'a> {
    tree: &'a dyn FileView,
    folder: String,
}

impl<'a> Below<'a> {
    fn new(tree: &'a dyn FileView, directory: &str) -> Self {
        let parts = directory
            .split('/')
            .filter(|part| !matches!(*part, "" | "."));
        let folder = parts.fold(String::new(), |folder, part| folder + part + "/");
        Self { tree, folder }
    }

    fn place(&self, path: &str) -> String {
        format!("{}{path}", self.folder)
            .trim_end_matches('/')
            .to_owned()
    }
}

impl FileView for Below<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.tree.read(&self.place(path))
    }

    fn exists(&self, path: &str) -> bool {
        self.tree.exists(&self.place(path))
    }

    fn list(&self, folder: &str) -> Vec<String> {
        self.tree.list(&self.place(folder))
    }
}

fn framework(
    suite: &SuiteConfig,
    options: &CheckOptions,
    parent: &dyn FileView,
) -> Result<(&'static dyn Framework, String), CheckError> {
    if let Some(name) = &suite.framework {
        let found = test_frameworks::framework(name).ok_or_else(|| {
            let known: Vec<&str> = test_frameworks::frameworks()
                .iter()
                .map(|framework| framework.name())
                .collect();
            CheckError::request(format!("no framework is named `{name}`"))
                .hint(format!("known: {}", known.join(", ")))
        })?;
        return Ok((found, "patch-verdict.toml".to_owned()));
    }
    let command = if options.command.is_empty() {
        &suite.command
    } else {
        &options.command
    };
    if let Some(found) = by_command(command) {
        return Ok((found, "the command".to_owned()));
    }
    if !command.is_empty() && !command.iter().any(|word| word.contains("{junit}")) {
        // A command that names neither a framework nor a report may still end in one (make, tox).
        if let Some((found, why)) = detected(parent) {
            return Ok((found, why));
        }
    }
    if !command.is_empty() {
        let plain = test_frameworks::framework("plain");
        return plain
            .map(|found| (found, "a command that writes JUnit XML".to_owned()))
            .ok_or_else(|| CheckError::request("no adapter for plain commands"));
    }
    detected(parent).ok_or_else(|| {
        CheckError::request("no test framework was found in the parent's tree")
            .hint("give the command: `patch-verdict check -- pytest -q`, or one that writes JUnit XML to `{junit}`")
    })
}

fn by_command(command: &[String]) -> Option<&'static dyn Framework> {
    let pytest = command.iter().any(|word| {
        let name = word.rsplit('/').next().unwrap_or(word);
        matches!(name, "pytest" | "py.test")
    });
    pytest
        .then(|| test_frameworks::framework("pytest"))
        .flatten()
}

fn detected(parent: &dyn FileView) -> Option<(&'static dyn Framework, String)> {
    let detection = test_frameworks::detect(parent)?;
    let framework = test_frameworks::framework(detection.framework)?;
    Some((framework, detection.signs.join(", ")))
}
