//! What a check knows before its contract: comparisons, stable ids, buckets, scope.
use std::collections::{BTreeMap, BTreeSet};

use patch_verdict_core::{
    Buckets, DiscoveredTest, Finding, StableIds, TestId, Verdict, foreign_names, importable_names,
};

use crate::CheckError;
use crate::check::Check;
use crate::compare::{Compared, compare, graver};
use crate::explore::Exploration;
use crate::interpreter::python;
use crate::launch::Launcher;
use crate::loading::Loading;
use crate::view::CommitView;

/// What the check knows before its contract.
pub(crate) struct Sorted {
    pub(crate) stable: StableIds,
    pub(crate) buckets: Buckets,
    pub(crate) compared: Compared,
    pub(crate) discovered: BTreeMap<TestId, DiscoveredTest>,
    pub(crate) equal_files: BTreeSet<String>,
    pub(crate) loading: Loading,
    pub(crate) notes: Vec<String>,
}

impl Check<'_> {
    /// Both sides loading the tree's own names from the same files elsewhere.
    pub(crate) fn foreign_code(
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

    pub(crate) fn sort(
        &self,
        launcher: &Launcher<'_>,
        exploration: &Exploration,
    ) -> Result<Sorted, CheckError> {
        let parent_view = CommitView::new(self.repository, &self.prepared.revisions.parent)?;
        let patch_view = CommitView::new(self.repository, &self.prepared.revisions.patch)?;
        let path = self.options.environment.get("PATH").map(String::as_str);
        let interpreter = python(self.options.python.as_deref(), path);
        let (before, after) = (&exploration.parent, &exploration.patch);
        let views = (&parent_view, &patch_view);
        let suite = &self.prepared.suite;
        let tree = launcher.workspace.paths().tree.display().to_string();
        let directory = &suite.config.directory;
        let loading = Loading::of(exploration, tree, directory, &parent_view);
        let compared = compare(
            suite,
            interpreter.as_deref(),
            views,
            (before, after),
            &loading,
        )?;
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
            loading,
            notes,
        })
    }
}
