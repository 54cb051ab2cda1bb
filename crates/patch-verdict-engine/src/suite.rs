//! Which tests are run and how: configuration, framework, command.
use patch_verdict_core::{Config, SuiteConfig};
use test_frameworks::{Below, FileView, Framework};

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
    let folder = suite.directory.clone();
    let below = Below {
        view: parent,
        folder: &folder,
    };
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
    let mut suite = suite;
    if suite.setup.is_empty() {
        suite.setup = framework.set_up(parent, &folder, &command);
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
    if let Some(found) = test_frameworks::framework_of(command) {
        return Ok((found, "the command".to_owned()));
    }
    if !command.is_empty() && !command.iter().any(|word| word.contains("{junit}")) {
        // A command that names neither a framework nor a report may still end in one (make, tox).
        let behind = |(found, _): &(&dyn Framework, String)| found.runs_behind(command);
        if let Some((found, why)) = detected(parent).filter(behind) {
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

fn detected(parent: &dyn FileView) -> Option<(&'static dyn Framework, String)> {
    let detection = test_frameworks::detect(parent)?;
    let framework = test_frameworks::framework(detection.framework)?;
    Some((framework, detection.signs.join(", ")))
}
