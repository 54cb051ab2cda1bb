//! What a check decides before it touches the disk: commits, configuration, suite, seeds, scope.
use git_trees::Repository;
use patch_verdict_core::{Config, NetworkConfig, derive_seeds};
use worktree_runner::{Network, Service};

use crate::revisions::{Revisions, git, revisions, short};
use crate::scope::Scope;
use crate::suite::{Suite, config, suite};
use crate::view::CommitView;
use crate::{CheckError, CheckOptions, PlanSummary, Seeds};

/// Where a team keeps its freezes; the suite that reads it is not there yet.
const FREEZE_MANIFEST: &str = "tests/flaky-freeze.toml";

/// What is fixed before the first run.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) revisions: Revisions,
    pub(crate) config: Config,
    pub(crate) suite: Suite,
    pub(crate) seeds: Vec<i64>,
    pub(crate) scope: Scope,
    pub(crate) parent_tree: String,
    pub(crate) patch_tree: String,
    pub(crate) parent_subject: String,
    pub(crate) patch_subject: String,
    /// The project's own distribution name, where its metadata tells.
    pub(crate) project: Option<String>,
    pub(crate) notes: Vec<String>,
}

pub(crate) fn open(options: &CheckOptions) -> Result<Repository, CheckError> {
    Repository::discover(&options.repository).map_err(git)
}

pub(crate) fn prepare(
    repository: &Repository,
    options: &CheckOptions,
) -> Result<Prepared, CheckError> {
    let revisions = revisions(repository, options)?;
    let parent = CommitView::new(repository, &revisions.parent)?;
    let config = config(parent.bytes("patch-verdict.toml")?.as_deref())?;
    let suite = suite(&config, options, &parent)?;
    let scope = Scope::of(options)?;
    let parent_tree = repository.tree_of(&revisions.parent).map_err(git)?;
    let patch_tree = repository.tree_of(&revisions.patch).map_err(git)?;
    let seeds = match &options.seeds {
        Some(Seeds::List(seeds)) => seeds.clone(),
        Some(Seeds::Count(count)) => derive_seeds(&parent_tree, &patch_tree, *count),
        None => derive_seeds(&parent_tree, &patch_tree, config.seeds),
    };
    let mut notes = revisions.notes.clone();
    if seeds.len() < 2 {
        notes.push("with one seed no side can show that a test is flaky".to_owned());
    }
    if parent.bytes(FREEZE_MANIFEST)?.is_some() {
        notes.push(format!(
            "`{FREEZE_MANIFEST}` is not read yet: nothing is frozen"
        ));
    }
    let project = project_name(&parent)?;
    let parent_subject = repository.subject(&revisions.parent).map_err(git)?;
    let patch_subject = repository.subject(&revisions.patch).map_err(git)?;
    Ok(Prepared {
        revisions,
        config,
        suite,
        seeds,
        scope,
        parent_tree,
        patch_tree,
        parent_subject,
        patch_subject,
        project,
        notes,
    })
}

impl Prepared {
    /// The network of scored runs.
    pub(crate) const fn network(&self) -> Network {
        match self.suite.config.network {
            NetworkConfig::Off => Network::Off,
            NetworkConfig::Host => Network::Host,
        }
    }

    /// The services of the configuration, for the runner.
    pub(crate) fn services(&self) -> Vec<Service> {
        let services = self.config.service.iter();
        services
            .map(|service| Service::new(&service.start, &service.ready))
            .collect()
    }

    pub(crate) fn summary(&self, _options: &CheckOptions) -> PlanSummary {
        let framework = self.suite.framework;
        PlanSummary {
            parent: format!("{} {}", short(&self.revisions.parent), self.parent_subject),
            patch: format!("{} {}", short(&self.revisions.patch), self.patch_subject),
            base_from: self.revisions.base_from.clone(),
            framework: format!("{} (by {})", framework.name(), self.suite.found_by),
            command: self.suite.command.clone(),
            directory: self.suite.config.directory.clone(),
            setup: self.suite.config.setup.clone(),
            scope: self.scope.words(),
            seeds: self.seeds.clone(),
            network_off: self.suite.config.network == NetworkConfig::Off,
            seeds_what: framework
                .seeds()
                .iter()
                .map(|&what| what.to_owned())
                .collect(),
            notes: self.notes.clone(),
        }
    }
}

/// `name` of `[project]` in pyproject.toml: a line search, since nothing else of it is needed.
fn project_name(parent: &CommitView<'_>) -> Result<Option<String>, CheckError> {
    let Some(bytes) = parent.bytes("pyproject.toml")? else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[project]" || line == "[tool.poetry]";
        }
        let value = line.strip_prefix("name").map(str::trim_start);
        if let Some(value) = value
            .and_then(|rest| rest.strip_prefix('='))
            .filter(|_| inside)
        {
            let name = value.trim().trim_matches(['"', '\'']);
            return Ok(Some(name.to_owned()));
        }
    }
    Ok(None)
}
