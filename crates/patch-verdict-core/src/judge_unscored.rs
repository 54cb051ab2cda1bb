//! What tests outside the gate say in its runs: changed, skipped, frozen and unjudged ones.
use std::collections::BTreeSet;

use crate::judge::tests;
use crate::judge_runs::runs;
use crate::{Evidence, Exclusion, Finding, Outcome, RunFacts, RunKind, SideName, TestId, Verdict};

pub(crate) fn findings(evidence: &Evidence) -> Vec<Finding> {
    let mut findings = Vec::new();
    changed_tests(evidence, &mut findings);
    skipped_tests(evidence, &mut findings);
    unjudged_tests(evidence, &mut findings);
    frozen_tests(evidence, &mut findings);
    findings
}

/// A changed test that fails, or gives no result, on the patch and never on the parent.
fn changed_tests(evidence: &Evidence, findings: &mut Vec<Finding>) {
    if evidence.runs.is_empty() {
        return;
    }
    let passes = |id: &TestId, run: &RunFacts| run.results.get(id) == Some(&Outcome::Pass);
    let bad_on_patch = |id: &TestId| {
        let mut scored = runs(evidence, SideName::Patch, RunKind::Scored).peekable();
        scored.peek().is_none() || scored.any(|run| !passes(id, run))
    };
    let bad_on_parent =
        |id: &TestId| runs(evidence, SideName::Parent, RunKind::Scored).any(|run| !passes(id, run));
    let ids: Vec<TestId> = evidence
        .buckets
        .excluded_as(Exclusion::Changed)
        .filter(|id| bad_on_patch(id) && !bad_on_parent(id))
        .cloned()
        .collect();
    let (fail, give) = match ids.len() {
        1 => ("fails", "gives"),
        _ => ("fail", "give"),
    };
    let detail = format!(
        "{} that the patch changed {fail} on it, or {give} no result, and never on the parent",
        tests(ids.len())
    );
    push(
        findings,
        Verdict::Reject,
        "changed_test_failed",
        detail,
        ids,
    );
}

/// A test that the parent skips has no baseline, like a new one: failing on the patch it rejects.
fn skipped_tests(evidence: &Evidence, findings: &mut Vec<Finding>) {
    let ids = failing_on_patch_alone(evidence, &evidence.buckets.not_run);
    let fail = if ids.len() == 1 { "fails" } else { "fail" };
    let detail = format!(
        "{} that the parent skips {fail} with the patch",
        tests(ids.len())
    );
    push(findings, Verdict::Reject, "new_test_failed", detail, ids);
}

/// Tests outside the scope decide nothing, but a failure that was seen is not kept quiet.
fn unjudged_tests(evidence: &Evidence, findings: &mut Vec<Finding>) {
    let ids = failing_on_patch_alone(evidence, &evidence.buckets.out_of_scope);
    let (fail, was) = match ids.len() {
        1 => ("fails", "was"),
        _ => ("fail", "were"),
    };
    let detail = format!(
        "{} outside the scope {fail} with the patch and {was} not judged",
        tests(ids.len())
    );
    push(
        findings,
        Verdict::SpecReview,
        "unjudged_failure",
        detail,
        ids,
    );
}

/// Frozen tests cannot reject; one that always passed and now always fails goes to a person (RULES §9).
fn frozen_tests(evidence: &Evidence, findings: &mut Vec<Finding>) {
    let always = |id: &TestId, side, wanted: Outcome| {
        let mut scored = runs(evidence, side, RunKind::Scored).peekable();
        scored.peek().is_some() && scored.all(|run| run.results.get(id) == Some(&wanted))
    };
    let ids: Vec<TestId> = evidence
        .buckets
        .excluded_as(Exclusion::Frozen)
        .filter(|id| {
            always(id, SideName::Parent, Outcome::Pass)
                && always(id, SideName::Patch, Outcome::Fail)
        })
        .cloned()
        .collect();
    let (pass, fail) = match ids.len() {
        1 => ("passes", "fails"),
        _ => ("pass", "fail"),
    };
    let detail = format!(
        "{}, frozen, always {pass} on the parent and always {fail} with the patch",
        tests(ids.len())
    );
    push(findings, Verdict::SpecReview, "frozen_failed", detail, ids);
}

/// Those of `ids` that fail in any run of the patch and in none of the parent.
fn failing_on_patch_alone(evidence: &Evidence, ids: &BTreeSet<TestId>) -> Vec<TestId> {
    let failed_on = |id: &TestId, side: SideName| {
        let mut runs = evidence.runs.iter().filter(|run| run.side == side);
        runs.any(|run| run.results.get(id) == Some(&Outcome::Fail))
    };
    ids.iter()
        .filter(|id| failed_on(id, SideName::Patch) && !failed_on(id, SideName::Parent))
        .cloned()
        .collect()
}

fn push(
    findings: &mut Vec<Finding>,
    verdict: Verdict,
    code: &str,
    detail: String,
    ids: Vec<TestId>,
) {
    if !ids.is_empty() {
        findings.push(Finding::new(verdict, code, detail, ids));
    }
}
