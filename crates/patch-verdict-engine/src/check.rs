//! The order of a check: base and head, configuration, set-up, discovery, exclusions, contract,
//! runs, decision, verdict, evidence.
use std::path::PathBuf;
use std::time::Duration;

use differential_gate::Contract;
use git_trees::Repository;
use patch_verdict_core::wire::VerdictDocument;
use worktree_runner::{CancelFlag, EnvironmentPlan, Workspace, WorkspaceOptions};

use crate::conclusion::Conclusion;
use crate::contract::{ContractParts, contract};
use crate::evidence::Review;
use crate::execute::{Schedule, execute};
use crate::explore::{Exploration, explore, set_up};
use crate::launch::Launcher;
use crate::prepare::{Prepared, prepare};
use crate::selection::{bucket_words, nodes_in_scope};
use crate::sorting::Sorted;
use crate::state::PairState;
use crate::watcher::Forward;
use crate::{CheckError, CheckOptions, PlanSummary, Watcher};

/// A finished check.
#[derive(Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The verdict.
    pub document: VerdictDocument,
    /// The exit code of INTERFACES, `--exit-zero` not yet applied.
    pub exit_code: u8,
}

/// Longest discovery, and longest set-up, where nothing says otherwise.
const DISCOVERY: Duration = Duration::from_secs(30 * 60);
/// Shortest timeout of a scored run that is estimated from the discovery.
const SHORTEST: Duration = Duration::from_secs(60);

/// What would be run; nothing is.
///
/// # Errors
/// [`CheckError`] for whatever makes the request impossible.
pub fn plan(options: &CheckOptions) -> Result<PlanSummary, CheckError> {
    let repository = crate::prepare::open(options)?;
    prepare(&repository, options).map(|prepared| prepared.summary(options))
}

/// Judges a patch.
///
/// # Errors
/// [`CheckError`] when no verdict could be given; a negative verdict is a value.
pub fn check(
    options: &CheckOptions,
    watcher: &dyn Watcher,
    cancel: &CancelFlag,
) -> Result<Checked, CheckError> {
    let repository = crate::prepare::open(options)?;
    let prepared = prepare(&repository, options)?;
    watcher.plan(&prepared.summary(options));
    crate::interpreter::needed(&prepared, options)?;
    PairState::open(
        &options.environment,
        &prepared.parent_tree,
        &prepared.patch_tree,
    )
    .writable()?;
    let review = Review::open(&repository, options, prepared.revisions.patch.as_str())?;
    let observer = Forward(watcher);
    let workspace = Workspace::create(
        &repository,
        (&prepared.revisions.parent, &prepared.revisions.patch),
        workspace_options(&prepared, &review, options),
        &observer,
        cancel,
    )
    .map_err(CheckError::from)?;
    let set = &prepared.config.env.set;
    let launcher = Launcher {
        workspace,
        suite: &prepared.suite,
        set,
    };
    let check = Check {
        options,
        repository: &repository,
        prepared: &prepared,
        watcher,
    };
    check.run(launcher, &review)
}

fn workspace_options(
    prepared: &Prepared,
    review: &Review,
    asked: &CheckOptions,
) -> WorkspaceOptions {
    let mut options = WorkspaceOptions::new(review.work(), review.logs());
    options.network = prepared.network();
    options.services = prepared.services();
    // The asked-for environment decides, not that of this process: an embedder has its own.
    let own = ["PATH", "VIRTUAL_ENV"]
        .into_iter()
        .chain(prepared.config.env.pass.iter().map(String::as_str));
    let set = own.filter_map(|name| Some((name.to_owned(), asked.environment.get(name)?.clone())));
    options.environment = EnvironmentPlan::new(Vec::new(), set.collect());
    options
}

pub(crate) struct Check<'a> {
    pub(crate) options: &'a CheckOptions,
    pub(crate) repository: &'a Repository,
    pub(crate) prepared: &'a Prepared,
    pub(crate) watcher: &'a dyn Watcher,
}

impl Check<'_> {
    fn run(&self, mut launcher: Launcher<'_>, review: &Review) -> Result<Checked, CheckError> {
        let limit = self.limit().unwrap_or(DISCOVERY);
        let failed = set_up(&mut launcher, DISCOVERY)?;
        let seed = self.prepared.seeds.first().copied().unwrap_or_default();
        let mut exploration = if failed.is_empty() {
            explore(&mut launcher, seed, limit)?
        } else {
            Exploration {
                stop: failed,
                ..Exploration::default()
            }
        };
        if exploration.stop.is_empty() {
            exploration
                .stop
                .extend(self.foreign_code(&launcher, &exploration)?);
        }
        if !exploration.stop.is_empty() {
            launcher.workspace.finish().map_err(CheckError::from)?;
            return self.stopped(&exploration, review);
        }
        let sorted = self.sort(&launcher, &exploration)?;
        let contract = contract(&ContractParts {
            prepared: self.prepared,
            options: self.options,
            buckets: &sorted.buckets,
            hashes: &sorted.compared.hashes,
            exploration: &exploration,
        })?;
        self.execute(launcher, review, (exploration, sorted, contract))
    }

    fn limit(&self) -> Option<Duration> {
        self.options
            .timeout
            .or_else(|| self.prepared.suite.config.timeout())
    }
    fn execute(
        &self,
        mut launcher: Launcher<'_>,
        review: &Review,
        (exploration, sorted, contract): (Exploration, Sorted, Option<Contract>),
    ) -> Result<Checked, CheckError> {
        let seeds = &self.prepared.seeds;
        let cases = sorted
            .discovered
            .iter()
            .map(|(id, test)| (id.clone(), test.cases))
            .collect();
        let nodes = nodes_in_scope(self.prepared.suite.framework, &exploration, &sorted);
        let renamed_nodes = &sorted.compared.renamed_nodes;
        let on_patch = |node: &String| renamed_nodes.get(node).unwrap_or(node).clone();
        let patch_nodes: Vec<String> = nodes.iter().map(on_patch).collect();
        let estimate = exploration.duration * 5;
        let schedule = Schedule {
            contract: contract.as_ref(),
            seeds,
            buckets: &sorted.buckets,
            stable: &sorted.stable,
            cases: &cases,
            equal_files: &sorted.equal_files,
            loading: &sorted.loading,
            nodes: &nodes,
            patch_nodes: &patch_nodes,
            renames: &sorted.compared.renames,
            timeout: self.limit().unwrap_or_else(|| estimate.max(SHORTEST)),
            expected: exploration.duration,
            jobs: self.options.jobs,
        };
        let state = PairState::open(
            &self.options.environment,
            &self.prepared.parent_tree,
            &self.prepared.patch_tree,
        );
        let hash = contract.as_ref().map(|contract| contract.hash().to_owned());
        let files = review.for_contract(hash.as_deref())?;
        let remembered = hash.as_deref().and_then(|hash| state.same(hash));
        let under_ci = patch_verdict_core::under_ci(&self.options.environment);
        let kept = remembered
            .filter(|_| !under_ci)
            .and_then(|done| files.kept(done));
        let reused = kept.is_some();
        let executed = if let Some(executed) = kept {
            executed
        } else {
            let whole = if sorted.buckets.new.is_empty() {
                0
            } else {
                seeds.len()
            };
            let runs = seeds.len() * 2 + whole;
            let turns = runs.div_ceil(launcher.workspace.at_once(self.options.jobs).0);
            let time = exploration.duration * u32::try_from(turns).unwrap_or(u32::MAX);
            self.watcher
                .contract(&bucket_words(&sorted.buckets), runs, time);
            files.start(contract.as_ref())?;
            execute(&mut launcher, &schedule, files.folder())?
        };
        launcher.workspace.finish().map_err(CheckError::from)?;
        let conclusion = Conclusion {
            exploration,
            sorted,
            contract,
            executed,
            reused,
        };
        self.conclude(&conclusion, &files, state)
    }
}

/// Where a folder of the repository stands.
pub(crate) fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}
