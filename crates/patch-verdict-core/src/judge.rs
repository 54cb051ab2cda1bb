//! From gate, buckets and runs to one verdict: a pure function anyone can run again.
use std::collections::{BTreeMap, BTreeSet};

use crate::verdict::rank;
use crate::{Buckets, Exclusion, Finding, HarnessChange, RunFacts, SideName, TestId, Verdict};
use crate::{judge_gate, judge_runs, judge_unscored};

/// What the gate decided for one property, counts included.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "mirrors a result of the gate")]
pub struct PropertyDecision {
    /// The property.
    pub id: TestId,
    /// What it makes of the verdict.
    pub verdict: Verdict,
    /// The table's reason.
    pub reason: String,
    /// Failing runs on the parent.
    pub parent_failed: u64,
    /// Failing runs on the patch.
    pub patch_failed: u64,
}

/// The gate's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "mirrors a decision of the gate")]
pub struct GateAnswer {
    /// Accept, propose freeze or reject.
    pub verdict: Verdict,
    /// The top reason.
    pub reason: String,
    /// One entry a property, sorted by id; empty when the gate stopped as a whole.
    pub properties: Vec<PropertyDecision>,
}

/// Everything a verdict rests on.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Evidence {
    /// The gate's answer; `None` without a property.
    pub gate: Option<GateAnswer>,
    /// Where every id went.
    pub buckets: Buckets,
    /// All runs.
    pub runs: Vec<RunFacts>,
    /// Files that the parent could not collect, at discovery.
    pub uncollectable_on_parent: BTreeSet<String>,
    /// Files that the patch could not collect.
    pub uncollectable_on_patch: BTreeSet<String>,
    /// Ids that stand for several volatile ones.
    pub folded: BTreeSet<TestId>,
    /// Properties whose failures have no stable witness, by the base's configuration.
    pub unstable_witness: BTreeSet<TestId>,
    /// Differences between the sides' harnesses.
    pub harness: Vec<HarnessChange>,
    /// Where the output of a run stands beside the evidence, by side and seed of a scored run.
    pub logs: BTreeMap<(SideName, i64), String>,
    /// Findings made before any run (set-up, discovery, foreign code).
    pub before: Vec<Finding>,
}

/// The verdict and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judgement {
    /// The answer.
    pub verdict: Verdict,
    /// Its reason's code.
    pub reason: String,
    /// One sentence for a person.
    pub headline: String,
    /// All findings, gravest first.
    pub findings: Vec<Finding>,
    /// Ids that fail on the patch and never on the parent.
    pub new_failures: BTreeSet<TestId>,
    /// Ids that fail on both sides.
    pub failing_on_both: BTreeSet<TestId>,
}

/// Folds everything; the gravest finding decides, and nothing can lower it.
pub fn judge(evidence: &Evidence) -> Judgement {
    let mut findings = evidence.before.clone();
    findings.extend(judge_runs::findings(evidence));
    findings.extend(judge_unscored::findings(evidence));
    findings.extend(review_findings(evidence));
    findings.extend(judge_gate::findings(evidence));
    findings.sort_by(|left, right| {
        (right.verdict.cmp(&left.verdict))
            .then_with(|| rank(&left.code).cmp(&rank(&right.code)))
            .then_with(|| left.code.cmp(&right.code))
            // Of one code, what names tests leads: it tells more than what an earlier contract said.
            .then_with(|| left.tests.is_empty().cmp(&right.tests.is_empty()))
    });
    let (new_failures, failing_on_both) = failures(&evidence.runs);
    let (verdict, reason) = match findings.first() {
        Some(first) => (first.verdict, first.code.clone()),
        None => match &evidence.gate {
            Some(gate) => (gate.verdict, gate.reason.clone()),
            // Nothing judged and nothing found cannot be an accept.
            None => (Verdict::NotApplicable, "no_evidence".to_owned()),
        },
    };
    let headline = crate::headline::headline(&crate::headline::Known {
        evidence,
        verdict,
        reason: &reason,
        findings: &findings,
        breaks_something: !new_failures.is_empty(),
    });
    Judgement {
        verdict,
        reason,
        headline,
        findings,
        new_failures,
        failing_on_both,
    }
}

/// Ids by where they failed, over all runs of either side.
fn failures(runs: &[RunFacts]) -> (BTreeSet<TestId>, BTreeSet<TestId>) {
    let mut failed: BTreeMap<&TestId, (bool, bool)> = BTreeMap::new();
    for run in runs {
        for (id, outcome) in &run.results {
            if *outcome == crate::Outcome::Fail {
                let sides = failed.entry(id).or_default();
                match run.side {
                    SideName::Parent => sides.0 = true,
                    SideName::Patch => sides.1 = true,
                }
            }
        }
    }
    let pick = |parent: bool| {
        let matching = failed
            .iter()
            .filter(move |(_, sides)| **sides == (parent, true));
        matching.map(|(id, _)| (*id).clone()).collect()
    };
    (pick(false), pick(true))
}

fn review_findings(evidence: &Evidence) -> Vec<Finding> {
    let buckets = &evidence.buckets;
    let mut findings = Vec::new();
    let mut review = |code: &str, detail: String, tests: Vec<TestId>| {
        if !tests.is_empty() {
            findings.push(Finding::new(Verdict::SpecReview, code, detail, tests));
        }
    };
    let changed: Vec<TestId> = buckets.excluded_as(Exclusion::Changed).cloned().collect();
    let detail = format!("the patch changed {} it is judged by", tests(changed.len()));
    review("changed", detail, changed);
    let removed: Vec<TestId> = buckets.excluded_as(Exclusion::Removed).cloned().collect();
    let detail = format!("the patch removed {}", tests(removed.len()));
    review("removed", detail, removed);
    let touched: Vec<TestId> = buckets.not_run_touched.keys().cloned().collect();
    let detail = format!(
        "the patch changed or removed {} that the parent skips",
        tests(touched.len())
    );
    review("changed", detail, touched);
    if !evidence.harness.is_empty() {
        let differences: Vec<String> = evidence.harness.iter().map(ToString::to_string).collect();
        let detail = format!(
            "the sides run different test tools: {}",
            differences.join(", ")
        );
        findings.push(Finding::new(
            Verdict::SpecReview,
            "harness_changed",
            detail,
            Vec::new(),
        ));
    }
    findings.extend(meddling(&evidence.runs));
    // What stopped the check before its contract says so itself; anything milder leaves the question.
    let stopped = evidence
        .before
        .iter()
        .any(|finding| finding.verdict >= Verdict::NotApplicable);
    if evidence.gate.is_none() && !stopped {
        let detail = "no test is left that both sides share unchanged";
        findings.push(Finding::new(
            Verdict::SpecReview,
            "no_property_left",
            detail,
            Vec::new(),
        ));
    }
    findings
}

/// Code that reaches into the framework with the patch alone: no digest of a test shows it.
fn meddling(runs: &[RunFacts]) -> Option<Finding> {
    let of = |side| -> BTreeSet<&str> {
        let runs = runs.iter().filter(|run| run.side == side);
        runs.flat_map(|run| run.meddling.iter().map(String::as_str))
            .collect()
    };
    let (parent, patch) = (of(SideName::Parent), of(SideName::Patch));
    let new: Vec<&str> = patch.difference(&parent).copied().collect();
    (!new.is_empty()).then(|| {
        let detail = format!(
            "with the patch alone, code of the tree changes how tests run: {}",
            new.join(", ")
        );
        Finding::new(Verdict::SpecReview, "harness_changed", detail, Vec::new())
    })
}

/// `1 test`, `2 tests`.
pub(crate) fn tests(count: usize) -> String {
    format!("{count} {}", if count == 1 { "test" } else { "tests" })
}
