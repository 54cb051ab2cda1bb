//! From everything a check learnt to the document of its verdict.
use std::collections::{BTreeMap, BTreeSet};

use differential_gate::{Decision, GateDecision, Side};
use patch_verdict_core::wire::{
    Excluded, Gate, GateResult, RowCounts, SideCounts, UnscoredCounts, UnscoredTest,
};
use patch_verdict_core::{
    Buckets, Exclusion, GateAnswer, Outcome, PropertyDecision, RunFacts, RunKind, SideName, TestId,
    Verdict,
};

/// The gate's answer for the judgement.
pub(crate) fn answer(decision: &GateDecision) -> GateAnswer {
    let properties = decision.results().iter().map(|result| PropertyDecision {
        id: TestId::from_text(&result.prop),
        verdict: verdict(result.decision),
        reason: result.reason.as_str().to_owned(),
        parent_failed: result.parent.fail,
        patch_failed: result.patch.fail,
    });
    GateAnswer {
        verdict: verdict(decision.decision()),
        reason: decision.reason().as_str().to_owned(),
        properties: properties.collect(),
    }
}

const fn verdict(decision: Decision) -> Verdict {
    match decision {
        Decision::Accept => Verdict::Accept,
        Decision::ProposeFreeze => Verdict::ProposeFreeze,
        Decision::Reject => Verdict::Reject,
    }
}

/// The gate's answer for the document: everything but what passed on both sides.
pub(crate) fn gate(decision: &GateDecision, excerpts: &BTreeMap<TestId, String>) -> Gate {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for result in decision.results() {
        *reasons
            .entry(result.reason.as_str().to_owned())
            .or_default() += 1;
    }
    let told = decision
        .results()
        .iter()
        .filter(|result| result.reason.as_str() != "both_pass");
    let results = told.map(|result| {
        let id = TestId::from_text(&result.prop);
        GateResult {
            decision: verdict(result.decision),
            reason: result.reason.as_str().to_owned(),
            parent: counts(&result.parent),
            patch: counts(&result.patch),
            bounds: result.sentence(),
            excerpt: excerpts.get(&id).cloned(),
            id,
        }
    });
    let results = results.collect();
    let passing = decision
        .results()
        .iter()
        .find(|result| result.reason.as_str() == "both_pass");
    let bounds = passing.map(|result| {
        differential_gate::bounds("both_pass", result.parent.counts(), result.patch.counts())
    });
    let rows = Side::BOTH.map(|side| (side.name().to_owned(), row_counts(decision, side)));
    Gate {
        decision: verdict(decision.decision()),
        reason: decision.reason().as_str().to_owned(),
        rows: rows.into_iter().collect(),
        reasons,
        results,
        passing_rate_upper: bounds.and_then(|bounds| bounds.patch_rate_upper),
        confidence: bounds.map_or(0.95, |bounds| bounds.confidence),
    }
}

fn counts(side: &differential_gate::SideSummary) -> SideCounts {
    SideCounts {
        pass: side.pass,
        fail: side.fail,
        witnesses: side.witnesses.clone(),
    }
}

fn row_counts(decision: &GateDecision, side: Side) -> RowCounts {
    let rows = decision.rows(side);
    RowCounts {
        lines: rows.lines,
        counted: rows.counted,
        ignored: rows.ignored,
        pass: rows.pass,
        fail: rows.fail,
    }
}

/// Tests outside the gate, sorted by id.
pub(crate) fn excluded(buckets: &Buckets) -> Vec<Excluded> {
    let excluded = buckets.excluded.iter().map(|(id, (why, parts))| Excluded {
        id: id.clone(),
        reason: why.name().to_owned(),
        parts: parts.clone(),
    });
    let touched = buckets.not_run_touched.iter().map(|(id, parts)| Excluded {
        id: id.clone(),
        reason: "changed".to_owned(),
        parts: parts.clone(),
    });
    let mut all: Vec<Excluded> = excluded.chain(touched).collect();
    all.sort_by(|left, right| left.id.cmp(&right.id));
    all
}

/// New tests by the patch's whole-suite runs.
pub(crate) fn new_tests(buckets: &Buckets, runs: &[RunFacts]) -> Vec<UnscoredTest> {
    let ids = buckets.new.iter().cloned().collect();
    unscored(ids, runs, RunKind::Whole)
}

/// Changed tests by the scored runs of both sides.
pub(crate) fn changed_tests(buckets: &Buckets, runs: &[RunFacts]) -> Vec<UnscoredTest> {
    unscored(
        buckets.excluded_as(Exclusion::Changed).cloned().collect(),
        runs,
        RunKind::Scored,
    )
}

fn unscored(ids: BTreeSet<TestId>, runs: &[RunFacts], kind: RunKind) -> Vec<UnscoredTest> {
    let count = |id: &TestId, side: SideName| {
        let mut counts = UnscoredCounts::default();
        for run in runs
            .iter()
            .filter(|run| run.kind == kind && run.side == side)
        {
            match run.results.get(id) {
                Some(Outcome::Pass) => counts.pass += 1,
                Some(Outcome::Fail) => counts.fail += 1,
                Some(Outcome::Skip) => counts.skip += 1,
                None => counts.missing += 1,
            }
        }
        counts
    };
    ids.into_iter()
        .map(|id| UnscoredTest {
            parent: count(&id, SideName::Parent),
            patch: count(&id, SideName::Patch),
            id,
        })
        .collect()
}
