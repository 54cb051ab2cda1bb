//! The order of a check: base and head, configuration, set-up, discovery, exclusions, contract,
//! runs, decision, verdict, evidence.
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use differential_gate::{Contract, GateDecision};
use git_trees::Repository;
use patch_verdict_core::wire::VerdictDocument;
use patch_verdict_core::{
    Buckets, DiscoveredTest, Evidence, Finding, NetworkConfig, StableIds, TestId, Verdict,
    foreign_names, harness_changes, importable_names, judge,
};
use worktree_runner::{CancelFlag, EnvironmentPlan, Network, Workspace, WorkspaceOptions};

use crate::compare::{Compared, compare, graver, python};
use crate::contract::{ContractParts, contract};
use crate::evidence::{Review, ReviewFiles};
use crate::execute::{Executed, Schedule, execute};
use crate::explore::{Exploration, explore, set_up};
use crate::launch::Launcher;
use crate::prepare::{Prepared, prepare};
use crate::selection::{bucket_words, nodes_in_scope, unstable};
use crate::state::PairState;
use crate::view::CommitView;
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
    options.network = match prepared.suite.config.network {
        NetworkConfig::Off => Network::Off,
        NetworkConfig::Host => Network::Host,
    };
    // The asked-for environment decides, not that of this process: an embedder has its own.
    let own = ["PATH", "VIRTUAL_ENV"]
        .into_iter()
        .chain(prepared.config.env.pass.iter().map(String::as_str));
    let set = own.filter_map(|name| Some((name.to_owned(), asked.environment.get(name)?.clone())));
    options.environment = EnvironmentPlan::new(Vec::new(), set.collect());
    options
}

struct Check<'a> {
    options: &'a CheckOptions,
    repository: &'a Repository,
    prepared: &'a Prepared,
    watcher: &'a dyn Watcher,
}

/// What the check knows before its contract.
pub(crate) struct Sorted {
    pub(crate) stable: StableIds,
    pub(crate) buckets: Buckets,
    pub(crate) compared: Compared,
    pub(crate) discovered: BTreeMap<TestId, DiscoveredTest>,
    pub(crate) equal_files: BTreeSet<String>,
    pub(crate) notes: Vec<String>,
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
        let sorted = self.sort(&exploration)?;
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

    /// Both sides loading the tree's own names from the same files elsewhere.
    fn foreign_code(
        &self,
        launcher: &Launcher<'_>,
        exploration: &Exploration,
    ) -> Result<Option<Finding>, CheckError> {
        let view = CommitView::new(self.repository, &self.prepared.revisions.parent)?;
        let names = importable_names(view.files.keys().map(String::as_str));
        let tree = launcher.workspace.paths().tree.display().to_string();
        let (parent, patch) = (exploration.parent.loaded(), exploration.patch.loaded());
        let foreign = foreign_names(&names, &tree, &parent, &patch);
        Ok(foreign.iter().next().map(|(name, file)| {
            let detail = format!(
                "both sides loaded `{name}` from `{file}`, outside their trees: neither tested its own code"
            );
            Finding::new(Verdict::NotApplicable, "foreign_code", detail, Vec::new())
        }))
    }

    fn sort(&self, exploration: &Exploration) -> Result<Sorted, CheckError> {
        let parent_view = CommitView::new(self.repository, &self.prepared.revisions.parent)?;
        let patch_view = CommitView::new(self.repository, &self.prepared.revisions.patch)?;
        let path = self.options.environment.get("PATH").map(String::as_str);
        let interpreter = python(self.options.python.as_deref(), path);
        let (before, after) = (&exploration.parent, &exploration.patch);
        let views = (&parent_view, &patch_view);
        let compared = compare(interpreter.as_deref(), views, before, after)?;
        let stable = StableIds::new(&before.ids, &after.ids, exploration.parent_again.as_ref());
        let mut discovered: BTreeMap<TestId, DiscoveredTest> = BTreeMap::new();
        for (id, result) in &before.results {
            let comparison = compared.comparisons.get(id).cloned().unwrap_or_else(|| {
                patch_verdict_core::Comparison::Differs(vec!["not mapped".to_owned()])
            });
            // An id that changes from run to run is compared by its source like any other.
            let stable_id = stable.stable(id);
            let test = DiscoveredTest {
                status: result.status,
                cases: result.cases,
                comparison: comparison.clone(),
            };
            discovered
                .entry(stable_id)
                .and_modify(|known| {
                    known.status = known.status.max(result.status);
                    known.cases += result.cases;
                    let so_far = std::mem::replace(&mut known.comparison, comparison.clone());
                    known.comparison = graver(so_far, comparison);
                })
                .or_insert(test);
        }
        let named = |id: &TestId| {
            compared
                .renames
                .get(id)
                .cloned()
                .unwrap_or_else(|| id.clone())
        };
        let collected: BTreeSet<TestId> = after
            .ids
            .iter()
            .map(|id| stable.stable(&named(id)))
            .collect();
        let mut notes = compared.notes.clone();
        let scope = self.prepared.scope.ids(before, after, &mut notes)?;
        let frozen = BTreeSet::new();
        let buckets = Buckets::sort(&discovered, &collected, &frozen, scope.as_ref());
        let equal_files = parent_view.equal_files(&patch_view);
        Ok(Sorted {
            stable,
            buckets,
            compared,
            discovered,
            equal_files,
            notes,
        })
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
        let nodes = nodes_in_scope(&exploration, &sorted);
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
            nodes: &nodes,
            patch_nodes: &patch_nodes,
            renames: &sorted.compared.renames,
            timeout: self.limit().unwrap_or_else(|| estimate.max(SHORTEST)),
            expected: exploration.duration,
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
            let runs_u32 = u32::try_from(runs).unwrap_or(u32::MAX);
            let words = bucket_words(&sorted.buckets);
            self.watcher
                .contract(&words, runs, exploration.duration * runs_u32);
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

    fn conclude(
        &self,
        conclusion: &Conclusion,
        files: &ReviewFiles,
        mut state: PairState,
    ) -> Result<Checked, CheckError> {
        files.write_runs(&conclusion.executed)?;
        let decision = match &conclusion.contract {
            Some(contract) => Some(files.decide(contract)?),
            None => None,
        };
        let hash = conclusion
            .contract
            .as_ref()
            .map(|contract| contract.hash().to_owned());
        let earlier = state.earlier(hash.as_deref().unwrap_or_default(), &self.prepared.seeds);
        let mut evidence = self.evidence(conclusion, decision.as_ref());
        evidence.before.extend(crate::earlier::findings(&earlier));
        if conclusion.executed.beside {
            let detail = "this command cannot be kept to given tests: new tests ran beside the others, \
                          which may heal or hide them (`{tests}` in the command mends it)";
            let new = conclusion.sorted.buckets.new.iter().cloned().collect();
            evidence.before.push(Finding::new(
                Verdict::SpecReview,
                "new_tests_beside_others",
                detail,
                new,
            ));
        }
        let judgement = judge(&evidence);
        let mut document = crate::assemble::document(&crate::assemble::Known {
            prepared: self.prepared,
            options: self.options,
            judgement: &judgement,
            evidence: &evidence,
            decision: decision.as_ref(),
            conclusion: Some(conclusion),
        });
        document.earlier = earlier;
        document.contract_hash = hash;
        if let (Some(hash), true) = (&document.contract_hash, crate::earlier::counts(&judgement)) {
            state.remember(files.completed(hash, &judgement, &self.prepared.seeds)?)?;
        }
        let document = files.finish(
            document,
            (conclusion.contract.as_ref(), decision.as_ref()),
            self.options,
        )?;
        Ok(self.checked(document))
    }

    fn evidence(&self, conclusion: &Conclusion, decision: Option<&GateDecision>) -> Evidence {
        let sorted = &conclusion.sorted;
        let mut evidence = Evidence::default();
        evidence.gate = decision.map(crate::document::answer);
        evidence.buckets = sorted.buckets.clone();
        evidence.runs.clone_from(&conclusion.executed.runs);
        evidence
            .uncollectable_on_parent
            .clone_from(&conclusion.exploration.parent.uncollectable);
        evidence
            .uncollectable_on_patch
            .clone_from(&conclusion.exploration.patch.uncollectable);
        let folded = sorted
            .buckets
            .properties
            .iter()
            .filter(|id| sorted.stable.is_folded(id));
        evidence.folded = folded.cloned().collect();
        evidence.unstable_witness = unstable(&self.prepared.config, &sorted.buckets);
        if let (Some(parent), Some(patch)) = (
            &conclusion.exploration.parent.inventory,
            &conclusion.exploration.patch.inventory,
        ) {
            let project = self.prepared.project.as_deref();
            evidence.harness = harness_changes(&parent.versions, &patch.versions, project);
        }
        evidence
    }

    /// A check that ended before its contract.
    fn stopped(&self, exploration: &Exploration, review: &Review) -> Result<Checked, CheckError> {
        let mut evidence = Evidence::default();
        evidence.before.clone_from(&exploration.stop);
        let judgement = judge(&evidence);
        let document = crate::assemble::document(&crate::assemble::Known {
            prepared: self.prepared,
            options: self.options,
            judgement: &judgement,
            evidence: &evidence,
            decision: None,
            conclusion: None,
        });
        let files = review.for_contract(None)?;
        files.start(None)?;
        let document = files.finish(document, (None, None), self.options)?;
        Ok(self.checked(document))
    }

    fn checked(&self, document: VerdictDocument) -> Checked {
        let exit_code = document.exit_code(self.prepared.config.accept_narrow_scope);
        Checked {
            document,
            exit_code,
        }
    }
}

/// Everything known after the runs.
pub(crate) struct Conclusion {
    pub(crate) exploration: Exploration,
    sorted: Sorted,
    contract: Option<Contract>,
    pub(crate) executed: Executed,
    pub(crate) reused: bool,
}

impl Conclusion {
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = self.sorted.notes.clone();
        notes.extend(self.executed.notes.iter().cloned());
        if self.reused {
            notes.push(
                "this contract was completed before: decided anew from its kept rows, not run again"
                    .to_owned(),
            );
        }
        notes
    }

    pub(crate) fn discovered(&self) -> usize {
        self.sorted.discovered.len()
    }
}

/// Where a folder of the repository stands.
pub(crate) fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}
