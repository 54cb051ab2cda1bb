//! `patch-verdict.toml`, read from the parent's side in every judgement.
use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

/// The configuration of a repository. Everything has a default: a repository needs no file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Config {
    /// Seeds a side, 1 to 10,000.
    pub seeds: usize,
    /// Severity from which a guard finding sends the patch to spec review.
    pub fail_on: Severity,
    /// Findings of the guard that the base's side silences.
    pub silence: Vec<Silence>,
    /// Whether a check of some tests alone may end with exit 0.
    pub accept_narrow_scope: bool,
    /// Whether a missing freeze manifest is an error.
    pub require_manifest: bool,
    /// Patterns of test ids whose failures cannot be classed (pixel tests).
    pub unstable_witness: Vec<String>,
    /// The suites; without one the framework is detected at the root.
    pub suite: Vec<SuiteConfig>,
    /// The environment of tests.
    pub env: EnvironmentConfig,
    /// Services inside the run's network.
    pub service: Vec<ServiceConfig>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seeds: 3,
            fail_on: Severity::Medium,
            silence: Vec::new(),
            accept_narrow_scope: false,
            require_manifest: false,
            unstable_witness: Vec::new(),
            suite: Vec::new(),
            env: EnvironmentConfig::default(),
            service: Vec::new(),
        }
    }
}

/// How grave a guard finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(
    clippy::exhaustive_enums,
    reason = "fixed by the guard's output format"
)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// A test may prove less.
    Medium,
    /// A test proves less.
    High,
}

/// One silenced guard rule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Silence {
    /// The rule's name.
    pub rule: String,
    /// Pattern of paths.
    pub file: String,
    /// Why.
    pub reason: String,
    /// ISO date until which it holds, the day itself included.
    pub until: String,
}

/// One suite of tests.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct SuiteConfig {
    /// Its name, for `--suite`.
    pub name: String,
    /// Folder the command starts in, relative to the root.
    pub directory: String,
    /// Framework by name; detected when absent.
    pub framework: Option<String>,
    /// Program and arguments; the framework's own default when empty.
    pub command: Vec<String>,
    /// Shell lines, run once per tree with the network on.
    pub setup: Vec<String>,
    /// Longest time of one run (`10m`, `90s`, `1h 30m`); estimated from the discovery when absent.
    pub timeout: Option<String>,
    /// `off` or `host`.
    pub network: NetworkConfig,
    /// A ticking start of the clock, RFC 3339.
    pub clock: Option<String>,
}

impl Default for SuiteConfig {
    fn default() -> Self {
        Self {
            name: "default".to_owned(),
            directory: ".".to_owned(),
            framework: None,
            command: Vec::new(),
            setup: Vec::new(),
            timeout: None,
            network: NetworkConfig::Off,
            clock: None,
        }
    }
}

/// Whether tests see the host's network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "cut or not")]
pub enum NetworkConfig {
    /// Cut, with loopback up.
    #[default]
    Off,
    /// The host's: then nothing is proposed for freezing.
    Host,
}

/// What tests see of the environment beyond the pinned part.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct EnvironmentConfig {
    /// Names handed through; their values enter the contract as digests.
    pub pass: Vec<String>,
    /// Names set for both sides. `{seed}` stands for the seed of the run.
    pub set: BTreeMap<String, String>,
}

/// One service that tests talk to: started inside each run before its command, ended with the run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ServiceConfig {
    /// Shell line that starts it.
    pub start: String,
    /// Shell line that succeeds once it is ready.
    pub ready: String,
}

/// Why a configuration cannot be used: what is wrong and, for a syntax error, where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    message: String,
}

impl Config {
    /// Reads the text of `patch-verdict.toml`.
    ///
    /// # Errors
    /// [`ConfigError`] for text that is no TOML, an unknown key, a value of the wrong kind, a number
    /// of seeds out of range, a pattern or a date that cannot be read, two suites of one name, a suite without a readable timeout, a folder
    /// outside the repository, a service without a command, and for what this version does not know yet
    /// (`clock`).
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml_edit::de::from_str(text).map_err(|error| ConfigError {
            message: error.to_string().trim().to_owned(),
        })?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ConfigError> {
        let refuse = |message: String| Err(ConfigError { message });
        if !(1..=10_000).contains(&self.seeds) {
            return refuse(format!(
                "`seeds = {}` is not between 1 and 10000",
                self.seeds
            ));
        }
        for (key, lines) in [
            (
                "start",
                self.service
                    .iter()
                    .map(|service| &service.start)
                    .collect::<Vec<_>>(),
            ),
            (
                "ready",
                self.service.iter().map(|service| &service.ready).collect(),
            ),
        ] {
            if lines.iter().any(|line| line.trim().is_empty()) {
                return refuse(format!("a `[[service]]` has an empty `{key}`"));
            }
        }
        let files = self.silence.iter().map(|silence| &silence.file);
        for pattern in self.unstable_witness.iter().chain(files) {
            if let Err(error) = globset::Glob::new(pattern) {
                return refuse(format!("`{pattern}` is no pattern: {}", error.kind()));
            }
        }
        for silence in &self.silence {
            if silence.until.parse::<jiff::civil::Date>().is_err() {
                return refuse(format!(
                    "`until = \"{}\"` is no date such as `2026-12-31`",
                    silence.until
                ));
            }
        }
        for (index, suite) in self.suite.iter().enumerate() {
            if self
                .suite
                .iter()
                .take(index)
                .any(|other| other.name == suite.name)
            {
                return refuse(format!("two suites are named `{}`", suite.name));
            }
            suite.check()?;
        }
        Ok(())
    }

    /// The suite called `name`, or the only one.
    ///
    /// # Errors
    /// [`ConfigError`] when there is none of that name, or when several exist and none was named.
    pub fn suite(&self, name: Option<&str>) -> Result<SuiteConfig, ConfigError> {
        match (name, self.suite.as_slice()) {
            (None, []) => Ok(SuiteConfig::default()),
            (None, [only]) => Ok(only.clone()),
            (None, several) => {
                let names: Vec<&str> = several.iter().map(|suite| suite.name.as_str()).collect();
                let message = format!("several suites ({}): name one", names.join(", "));
                Err(ConfigError { message })
            }
            (Some(name), suites) => suites
                .iter()
                .find(|suite| suite.name == name)
                .cloned()
                .ok_or_else(|| ConfigError {
                    message: format!("no suite is named `{name}` in patch-verdict.toml"),
                }),
        }
    }
}

impl SuiteConfig {
    /// The timeout, if one was set.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout.as_deref().and_then(parse_duration)
    }

    fn check(&self) -> Result<(), ConfigError> {
        let refuse = |message: String| Err(ConfigError { message });
        if let Some(timeout) = &self.timeout
            && parse_duration(timeout).is_none()
        {
            return refuse(format!(
                "`timeout = \"{timeout}\"` is no duration such as `10m`"
            ));
        }
        if self.clock.is_some() {
            return refuse("`clock` is not supported by this version".to_owned());
        }
        let outside = self.directory.starts_with('/')
            || self.directory.split('/').any(|component| component == "..");
        if outside || self.directory.is_empty() {
            let directory = &self.directory;
            return refuse(format!(
                "`directory = \"{directory}\"` is not inside the repository"
            ));
        }
        Ok(())
    }
}

/// A duration such as `90s`, `10m`, `1h 30m`; at least a millisecond.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let span: jiff::SignedDuration = text.trim().parse().ok()?;
    Duration::try_from(span)
        .ok()
        .filter(|duration| !duration.is_zero())
}

/// Whether an id matches one of the patterns (`*` within a path part, `**` across them). A pattern
/// that cannot be read matches nothing.
pub fn id_matcher(patterns: &[String]) -> impl Fn(&str) -> bool + use<> {
    let mut builder = globset::GlobSetBuilder::new();
    for pattern in patterns {
        if let Ok(glob) = globset::Glob::new(pattern) {
            builder.add(glob);
        }
    }
    let set = builder
        .build()
        .unwrap_or_else(|_| globset::GlobSet::empty());
    move |id| set.is_match(id)
}
