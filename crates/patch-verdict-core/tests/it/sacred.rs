//! Ways in which a failing or missing result could have slipped into a pass.
use patch_verdict_core::{
    Evidence, Exclusion, Finding, GateAnswer, PropertyDecision, RunFacts, RunKind, SideName,
    Verdict, judge,
};

use crate::judgement::{id, run};

fn decision(name: &str, verdict: Verdict, reason: &str, failed: (u64, u64)) -> PropertyDecision {
    PropertyDecision {
        id: id(name),
        verdict,
        reason: reason.to_owned(),
        parent_failed: failed.0,
        patch_failed: failed.1,
    }
}

/// Evidence whose gate decided `decisions` for its properties and saw these scored runs.
fn evidence(decisions: Vec<PropertyDecision>, parent: &[&str], patch: &[&str]) -> Evidence {
    let mut evidence = Evidence::default();
    let ids = decisions.iter().map(|one| one.id.clone());
    evidence.buckets.properties.extend(ids);
    let top = decisions.iter().max_by_key(|one| one.verdict).unwrap();
    evidence.gate = Some(GateAnswer {
        verdict: top.verdict,
        reason: top.reason.clone(),
        properties: decisions,
    });
    let side = |side, texts: &[&str]| -> Vec<RunFacts> {
        let runs = texts.iter().map(|text| run(side, RunKind::Scored, text));
        runs.collect()
    };
    evidence.runs = side(SideName::Parent, parent);
    evidence.runs.extend(side(SideName::Patch, patch));
    evidence
}

fn both_pass() -> Vec<PropertyDecision> {
    vec![decision("a", Verdict::Accept, "both_pass", (0, 0))]
}

#[track_caller]
fn check(evidence: &Evidence, wanted: &str) -> String {
    let judgement = judge(evidence);
    let told = format!("{} {}", judgement.verdict, judgement.reason);
    assert_eq!(told, wanted, "{judgement:#?}");
    judgement.headline
}

#[test]
fn a_missing_row_is_missing_whatever_its_witness_would_be() {
    let missing = vec![decision("a", Verdict::Reject, "missing_seed", (1, 1))];
    let mut pixels = evidence(missing, &["a-", "a-"], &["a-", ""]);
    pixels.unstable_witness.insert(id("a"));
    check(&pixels, "reject missing_seed");
}

#[test]
fn failures_without_a_stable_witness_cannot_be_judged_however_the_table_reads_them() {
    for reason in ["witness_missing", "witness_mismatch", "uniform_fail"] {
        let failing = vec![decision("a", Verdict::Reject, reason, (1, 1))];
        let mut pixels = evidence(failing, &["a-"], &["a-"]);
        pixels.unstable_witness.insert(id("a"));
        check(&pixels, "not_applicable unstable_witness");
    }
    let regression = vec![decision("a", Verdict::Reject, "regression", (0, 1))];
    let mut pixels = evidence(regression, &["a+"], &["a-"]);
    pixels.unstable_witness.insert(id("a"));
    check(&pixels, "reject regression");
}

#[test]
fn a_test_that_the_parent_skips_may_not_fail_on_the_patch() {
    for (parent, patch, wanted) in [
        ("a+ s?", "a+ s?", "accept both_pass"),
        ("a+ s?", "a+ s+", "accept both_pass"),
        ("a+ s?", "a+ s-", "reject new_test_failed"),
        ("a+ s+", "a+ s-", "reject new_test_failed"),
        ("a+ s-", "a+ s-", "accept both_pass"),
    ] {
        let mut evidence = evidence(both_pass(), &[parent], &[patch]);
        evidence.buckets.not_run.insert(id("s"));
        check(&evidence, wanted);
    }
    let mut touched = evidence(both_pass(), &["a+ s?"], &["a+ s-"]);
    let parts = vec!["function".to_owned()];
    touched.buckets.not_run_touched.insert(id("s"), parts);
    check(&touched, "spec_review changed");
}

#[test]
fn a_failure_outside_the_scope_is_shown_to_a_person() {
    for (whole, wanted) in [
        ("a+ n+ o+", "accept both_pass"),
        ("a+ n+ o-", "spec_review unjudged_failure"),
    ] {
        let mut evidence = evidence(both_pass(), &["a+"], &["a+"]);
        evidence.buckets.new.insert(id("n"));
        evidence.buckets.out_of_scope.insert(id("o"));
        evidence
            .runs
            .push(run(SideName::Patch, RunKind::Whole, whole));
        check(&evidence, wanted);
    }
}

#[test]
fn a_frozen_test_cannot_reject_but_one_that_broke_for_good_is_shown() {
    for (parent, patch, wanted) in [
        (
            ["a+ f+", "a+ f+"],
            ["a+ f-", "a+ f-"],
            "spec_review frozen_failed",
        ),
        (["a+ f+", "a+ f-"], ["a+ f-", "a+ f-"], "accept both_pass"),
        (["a+ f+", "a+ f+"], ["a+ f-", "a+ f+"], "accept both_pass"),
        (["a+ f+", "a+"], ["a+ f-", "a+ f-"], "accept both_pass"),
    ] {
        let mut evidence = evidence(both_pass(), &parent, &patch);
        let frozen = (Exclusion::Frozen, Vec::new());
        evidence.buckets.excluded.insert(id("f"), frozen);
        check(&evidence, wanted);
    }
}

#[test]
fn a_changed_test_that_no_run_of_the_patch_shows_gave_no_result() {
    let mut evidence = evidence(both_pass(), &["a+ c+"], &[]);
    evidence
        .buckets
        .excluded
        .insert(id("c"), (Exclusion::Changed, vec!["function".to_owned()]));
    check(&evidence, "reject changed_test_failed");
}

#[test]
fn a_property_without_a_decision_is_no_pass() {
    let mut evidence = evidence(both_pass(), &["a+"], &["a+"]);
    evidence.buckets.properties.insert(id("b"));
    check(&evidence, "reject missing_seed");
}

#[test]
fn a_gate_that_contradicts_the_runs_is_not_believed() {
    check(
        &evidence(both_pass(), &["a+"], &["a-"]),
        "reject regression",
    );
    check(
        &evidence(both_pass(), &["a+"], &[""]),
        "reject missing_seed",
    );
    check(
        &evidence(both_pass(), &["a+"], &["a?"]),
        "reject missing_seed",
    );
    check(
        &evidence(both_pass(), &[""], &["a+"]),
        "reject missing_seed",
    );
}

#[test]
fn an_accept_without_a_table_is_none() {
    let mut evidence = evidence(both_pass(), &["a+"], &["a+"]);
    evidence.buckets.properties.clear();
    evidence.buckets.out_of_scope.insert(id("a"));
    evidence.gate = Some(GateAnswer {
        verdict: Verdict::Accept,
        reason: "both_pass".to_owned(),
        properties: Vec::new(),
    });
    check(&evidence, "reject incomplete_contract");
}

#[test]
fn what_was_found_before_does_not_stand_in_for_a_property() {
    for (verdict, wanted) in [
        (Verdict::Accept, "spec_review no_property_left"),
        (Verdict::ProposeFreeze, "spec_review no_property_left"),
        (Verdict::NotApplicable, "not_applicable earlier"),
        (Verdict::Reject, "reject earlier"),
    ] {
        let mut evidence = Evidence::default();
        let finding = Finding::new(verdict, "earlier", "said before", Vec::new());
        evidence.before.push(finding);
        check(&evidence, wanted);
    }
}

#[test]
fn nothing_new_is_only_said_where_nothing_is() {
    // What an earlier contract said names no tests.
    let mut earlier = evidence(both_pass(), &["a+"], &["a+"]);
    let detail = "an earlier contract said reject uniform_fail, and it stands";
    let finding = Finding::new(Verdict::Reject, "uniform_fail", detail, Vec::new());
    earlier.before.push(finding);
    assert_eq!(check(&earlier, "reject uniform_fail"), detail);
    // A frozen test that fails on the patch alone is a new failure, though it cannot reject.
    let failing = vec![decision("a", Verdict::Reject, "uniform_fail", (1, 1))];
    let mut frozen = evidence(failing, &["a- f+"], &["a- f-"]);
    let bucket = (Exclusion::Frozen, Vec::new());
    frozen.buckets.excluded.insert(id("f"), bucket);
    let headline = check(&frozen, "reject uniform_fail");
    assert!(!headline.contains("nothing new"), "{headline}");
}

#[test]
fn a_result_of_this_run_leads() {
    let new_failure = vec![decision("a", Verdict::Reject, "regression", (0, 1))];
    let mut again = evidence(new_failure, &["a+"], &["a-"]);
    let detail = "an earlier contract said reject regression, and it stands";
    let finding = Finding::new(Verdict::Reject, "regression", detail, Vec::new());
    again.before.push(finding);
    let headline = check(&again, "reject regression");
    assert!(!headline.starts_with("an earlier contract"), "{headline}");
}
