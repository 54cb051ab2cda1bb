//! The gate's decisions as findings, and whether the runs bear them out.
use std::collections::{BTreeMap, BTreeSet};

use crate::judge_runs::runs;
use crate::{
    Evidence, Finding, GateAnswer, Outcome, PropertyDecision, RunKind, SideName, TestId, Verdict,
};

pub(crate) fn findings(evidence: &Evidence) -> Vec<Finding> {
    let Some(gate) = &evidence.gate else {
        return Vec::new();
    };
    if gate.properties.is_empty() {
        // A gate that stopped rejects; one that decided nothing has nothing to accept either.
        let reason = match gate.verdict {
            Verdict::Reject => gate.reason.as_str(),
            _ => "incomplete_contract",
        };
        let silent =
            crate::silent_side::sentence(evidence).filter(|_| reason == "incomplete_contract");
        if let Some(detail) = silent {
            let tests = evidence.buckets.properties.iter().cloned().collect();
            return vec![Finding::new(Verdict::Reject, reason, detail, tests)];
        }
        let detail = with_place(evidence, reason, crate::headline::stop(reason));
        return vec![Finding::new(Verdict::Reject, reason, detail, Vec::new())];
    }
    let mut by_reason: BTreeMap<(Verdict, &str), Vec<TestId>> = BTreeMap::new();
    for property in &gate.properties {
        let (verdict, reason) = placed(evidence, property);
        if verdict != Verdict::Accept {
            let ids = by_reason.entry((verdict, reason)).or_default();
            ids.push(property.id.clone());
        }
    }
    for id in undecided(evidence, gate) {
        let ids = by_reason
            .entry((Verdict::Reject, "missing_seed"))
            .or_default();
        ids.push(id.clone());
        ids.sort();
    }
    by_reason
        .into_iter()
        .map(|((verdict, reason), ids)| {
            let detail = crate::headline::sentence(reason, ids.len());
            let detail = with_place(evidence, reason, detail);
            Finding::new(verdict, reason, detail, ids)
        })
        .collect()
}

/// Where results are missing, the test that was running when a run stopped says the most.
fn with_place(evidence: &Evidence, reason: &str, detail: String) -> String {
    let missing = matches!(reason, "missing_seed" | "incomplete_contract");
    match crate::judge_runs::stopped_in(evidence).filter(|_| missing) {
        Some(place) => format!("{detail}: {place}"),
        None => detail,
    }
}

/// Properties about which the gate said nothing.
fn undecided<'a>(evidence: &'a Evidence, gate: &GateAnswer) -> Vec<&'a TestId> {
    let decided: BTreeSet<&TestId> = gate.properties.iter().map(|one| &one.id).collect();
    let properties = evidence.buckets.properties.iter();
    properties.filter(|id| !decided.contains(id)).collect()
}

/// The table's decision, made stricter by what `check` knows besides.
fn placed<'a>(evidence: &Evidence, property: &'a PropertyDecision) -> (Verdict, &'a str) {
    let fails_on_both = property.parent_failed > 0 && property.patch_failed > 0;
    // A missing row comes first in the table: no pattern makes a result of it.
    let complete = property.reason != "missing_seed";
    if fails_on_both && complete && evidence.unstable_witness.contains(&property.id) {
        return (Verdict::NotApplicable, "unstable_witness");
    }
    if property.verdict == Verdict::Reject {
        return (property.verdict, &property.reason);
    }
    if let Some(reason) = contradicted(evidence, &property.id) {
        return (Verdict::Reject, reason);
    }
    if property.verdict == Verdict::ProposeFreeze {
        let gaps = |run: &crate::RunFacts| !run.isolation_gaps.is_empty();
        if evidence.runs.iter().any(gaps) {
            return (Verdict::Reject, "not_isolated");
        }
        if evidence.folded.contains(&property.id) {
            return (Verdict::Reject, "folded_id");
        }
    }
    (property.verdict, &property.reason)
}

/// What the scored runs say against a decision that is no reject. Rows are made from these runs, so
/// this speaks only when rows and runs do not belong together.
fn contradicted(evidence: &Evidence, id: &TestId) -> Option<&'static str> {
    if evidence.runs.is_empty() {
        return None;
    }
    let outcomes = |side| -> Vec<Option<Outcome>> {
        let scored = runs(evidence, side, RunKind::Scored);
        scored.map(|run| run.results.get(id).copied()).collect()
    };
    let (parent, patch) = (outcomes(SideName::Parent), outcomes(SideName::Patch));
    let failed = |side: &[Option<Outcome>]| side.contains(&Some(Outcome::Fail));
    let lacking = |side: &[Option<Outcome>]| {
        side.is_empty()
            || side
                .iter()
                .any(|outcome| matches!(outcome, None | Some(Outcome::Skip)))
    };
    if failed(&patch) && !failed(&parent) {
        Some("regression")
    } else if lacking(&parent) || lacking(&patch) {
        Some("missing_seed")
    } else {
        None
    }
}
