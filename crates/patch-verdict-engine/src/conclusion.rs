//! The end of a check: the gate's decision, the verdict, the evidence on disk.
use std::collections::BTreeMap;

use differential_gate::{Contract, GateDecision};
use patch_verdict_core::wire::VerdictDocument;
use patch_verdict_core::{Evidence, Finding, RunKind, SideName, Verdict, harness_changes, judge};

use crate::check::{Check, Checked};
use crate::evidence::{Review, ReviewFiles};
use crate::execute::Executed;
use crate::explore::Exploration;
use crate::selection::unstable;
use crate::sorting::Sorted;
use crate::state::PairState;
use crate::{CheckError, assemble};

/// Everything known after the runs.
pub(crate) struct Conclusion {
    pub(crate) exploration: Exploration,
    pub(crate) sorted: Sorted,
    pub(crate) contract: Option<Contract>,
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

impl Check<'_> {
    pub(crate) fn conclude(
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
        evidence.logs = scored_logs(&conclusion.executed, files);
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
        let mut document = assemble::document(&assemble::Known {
            prepared: self.prepared,
            options: self.options,
            judgement: &judgement,
            evidence: &evidence,
            decision: decision.as_ref(),
            conclusion: Some(conclusion),
        });
        document.earlier = earlier;
        document.contract_hash = hash;
        let mut remembered = Ok(());
        if let (Some(hash), true) = (&document.contract_hash, crate::earlier::counts(&judgement)) {
            let completed = files.completed(hash, &judgement, &self.prepared.seeds)?;
            remembered = state.remember(completed);
        }
        let document = files.finish(
            document,
            (conclusion.contract.as_ref(), decision.as_ref()),
            self.options,
        )?;
        // Without its memory a later check could draw again; the runs are not lost all the same.
        let verdict = files.folder().join("verdict.json");
        remembered.map_err(|error: CheckError| {
            error.hint(format!(
                "the verdict itself stands in `{}`",
                verdict.display()
            ))
        })?;
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
        let exploration = &conclusion.exploration;
        evidence.harness = harness_changes(
            &exploration.parent.versions(&sorted.compared.locked.0),
            &exploration.patch.versions(&sorted.compared.locked.1),
            self.prepared.project.as_deref(),
        );
        evidence
    }

    /// A check that ended before its contract.
    pub(crate) fn stopped(
        &self,
        exploration: &Exploration,
        review: &Review,
    ) -> Result<Checked, CheckError> {
        let mut evidence = Evidence::default();
        evidence.before.clone_from(&exploration.stop);
        let judgement = judge(&evidence);
        let document = assemble::document(&assemble::Known {
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

/// The log of each scored run. Runs stand in the order of the schedule, and logs are named by it.
fn scored_logs(executed: &Executed, files: &ReviewFiles) -> BTreeMap<(SideName, i64), String> {
    let mut logs = BTreeMap::new();
    for side in [SideName::Parent, SideName::Patch] {
        let name = match side {
            SideName::Parent => "parent",
            SideName::Patch => "patch",
        };
        let scored = executed.runs.iter();
        let scored = scored.filter(|run| run.side == side && run.kind == RunKind::Scored);
        for (run, number) in scored.zip(1..) {
            if let Some(log) = files.log_of(&format!("scored-{name}-{number}")) {
                logs.insert((side, run.seed), log);
            }
        }
    }
    logs
}
