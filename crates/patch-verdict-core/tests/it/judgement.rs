//! The reasons around the table, and which of several decides.
use std::collections::BTreeMap;

use patch_verdict_core::{
    Ended, Evidence, Exclusion, Finding, Forgery, GateAnswer, Judgement, Outcome, PropertyDecision,
    ReportState, RunFacts, RunKind, SideName, TestId, Verdict, judge,
};

pub(crate) fn id(name: &str) -> TestId {
    TestId::from_junit("s", name)
}

/// A run whose results are given as `name outcome` words: `a+ b- c?` pass, fail, skip.
pub(crate) fn run(side: SideName, kind: RunKind, results: &str) -> RunFacts {
    let results: BTreeMap<TestId, Outcome> = results
        .split_whitespace()
        .map(|word| {
            let (name, sign) = word.split_at(word.len() - 1);
            let outcome = match sign {
                "+" => Outcome::Pass,
                "-" => Outcome::Fail,
                _ => Outcome::Skip,
            };
            (id(name), outcome)
        })
        .collect();
    let failed = results.values().any(|outcome| *outcome == Outcome::Fail);
    RunFacts {
        side,
        kind,
        seed: 1,
        ended: if failed {
            Ended::TestsFailed
        } else {
            Ended::Passed
        },
        report: ReportState::Complete,
        results,
        uncollectable: Vec::new(),
        isolation_gaps: Vec::new(),
        forged: None,
        meddling: Vec::new(),
        running: None,
    }
}

/// Evidence with property `a` and what the two scored runs say.
fn evidence(parent: &str, patch: &str) -> Evidence {
    let mut evidence = Evidence::default();
    evidence.buckets.properties.insert(id("a"));
    evidence.gate = Some(answer(Verdict::Accept, "both_pass", (0, 0)));
    evidence.runs = vec![
        run(SideName::Parent, RunKind::Scored, parent),
        run(SideName::Patch, RunKind::Scored, patch),
    ];
    evidence
}

fn answer(verdict: Verdict, reason: &str, (parent_failed, patch_failed): (u64, u64)) -> GateAnswer {
    let property = PropertyDecision {
        id: id("a"),
        verdict,
        reason: reason.to_owned(),
        parent_failed,
        patch_failed,
    };
    GateAnswer {
        verdict,
        reason: reason.to_owned(),
        properties: vec![property],
    }
}

#[track_caller]
fn check(evidence: &Evidence, wanted: &str) -> Judgement {
    let judgement = judge(evidence);
    assert_eq!(
        format!("{} {}", judgement.verdict, judgement.reason),
        wanted,
        "{judgement:#?}"
    );
    judgement
}

#[test]
fn the_gate_decides_when_nothing_else_is_found() {
    check(&evidence("a+", "a+"), "accept both_pass");
    for (verdict, reason) in [
        (Verdict::Reject, "regression"),
        (Verdict::Reject, "missing_seed"),
        (Verdict::ProposeFreeze, "shared_variant_fail"),
        (Verdict::Accept, "parent_fail_cleared"),
    ] {
        let mut evidence = evidence("a+", "a+");
        evidence.gate = Some(answer(verdict, reason, (1, 1)));
        check(&evidence, &format!("{verdict} {reason}"));
    }
}

#[test]
fn nothing_judged_is_no_accept() {
    check(&Evidence::default(), "spec_review no_property_left");
}

#[test]
fn a_gate_that_stopped_rejects() {
    let mut evidence = evidence("a+", "a+");
    evidence.gate = Some(GateAnswer {
        verdict: Verdict::Reject,
        reason: "incomplete_contract".to_owned(),
        properties: Vec::new(),
    });
    check(&evidence, "reject incomplete_contract");
}

#[test]
fn only_uniform_failures_say_that_nothing_new_broke() {
    let mut evidence = evidence("a-", "a-");
    evidence.gate = Some(answer(Verdict::Reject, "uniform_fail", (1, 1)));
    let judgement = check(&evidence, "reject uniform_fail");
    assert_eq!(
        judgement.headline,
        "1 test fails on both sides; this patch broke nothing new"
    );
    assert!(judgement.new_failures.is_empty());
    assert_eq!(judgement.failing_on_both.len(), 1);
}

#[test]
fn ids_that_nobody_listed() {
    check(&evidence("a+", "a+ b+"), "reject unaccounted_id");
    check(&evidence("a+ b+", "a+"), "not_applicable unstable_ids");
    let mut known = evidence("a+", "a+ b+");
    known.buckets.out_of_scope.insert(id("b"));
    check(&known, "accept both_pass");
}

#[test]
fn exit_status_and_report_agree_or_it_is_said() {
    for (ended, results, agrees) in [
        (Ended::Passed, "a+", true),
        (Ended::Passed, "a-", false),
        (Ended::TestsFailed, "a-", true),
        (Ended::TestsFailed, "a+", false),
        (Ended::NothingCollected, "", true),
        (Ended::NothingCollected, "a+", false),
        (Ended::Other("signal 11".to_owned()), "a+", false),
    ] {
        for (side, wanted) in [
            (SideName::Patch, "reject exit_mismatch"),
            (SideName::Parent, "not_applicable exit_mismatch"),
        ] {
            let mut run = run(side, RunKind::Scored, results);
            run.ended = ended.clone();
            assert_eq!(run.exit_agrees(), agrees, "{ended:?} {results}");
            if !agrees {
                let mut evidence = evidence("a+", "a+");
                evidence.runs.push(run);
                check(&evidence, wanted);
            }
        }
    }
}

#[test]
fn a_report_that_differs_from_its_run_rejects() {
    for side in [SideName::Parent, SideName::Patch] {
        for forgery in [
            Forgery {
                fault: "nothing came".to_owned(),
                tests: Vec::new(),
            },
            Forgery {
                fault: String::new(),
                tests: vec![id("a")],
            },
            Forgery::default(),
        ] {
            let mut evidence = evidence("a+", "a+");
            let run = evidence.runs.iter_mut().find(|run| run.side == side);
            run.unwrap().forged = Some(forgery);
            check(&evidence, "reject forged_report");
        }
    }
}

#[test]
fn reaching_into_the_framework_with_the_patch_alone_goes_to_a_person() {
    let with = |parent: &[&str], patch: &[&str]| {
        let mut evidence = evidence("a+", "a+");
        for (run, words) in evidence.runs.iter_mut().zip([parent, patch]) {
            run.meddling = words.iter().map(|word| (*word).to_owned()).collect();
        }
        evidence
    };
    check(
        &with(&[], &["plugin shop.py"]),
        "spec_review harness_changed",
    );
    check(&with(&["a"], &["a", "b"]), "spec_review harness_changed");
    check(&with(&["a", "b"], &["a", "b"]), "accept both_pass");
    check(&with(&["a"], &[]), "accept both_pass");
}

#[test]
fn the_test_in_which_a_run_stopped_is_named_where_results_are_missing() {
    let mut evidence = evidence("a+", "");
    evidence.gate = Some(answer(Verdict::Reject, "missing_seed", (0, 0)));
    evidence.runs[1].ended = Ended::TimedOut;
    evidence.runs[1].report = ReportState::Missing;
    evidence.runs[1].running = Some("t.py::a".to_owned());
    let headline = check(&evidence, "reject missing_seed").headline;
    assert!(
        headline.contains("the patch's run with seed 1 was stopped at its timeout in `t.py::a`"),
        "{headline}"
    );
}

#[test]
fn a_run_without_a_whole_report_has_no_say() {
    let mut silent = run(SideName::Patch, RunKind::Scored, "");
    silent.ended = Ended::Other("signal 9".to_owned());
    silent.report = ReportState::Missing;
    assert!(silent.exit_agrees(), "its missing rows speak");
}

#[test]
fn new_tests_pass_or_the_patch_does_not() {
    let with = |whole: &[&str]| {
        let mut evidence = evidence("a+", "a+");
        evidence.buckets.new.insert(id("n"));
        evidence.runs.extend(
            whole
                .iter()
                .map(|text| run(SideName::Patch, RunKind::Whole, text)),
        );
        evidence
    };
    check(&with(&["a+ n+"]), "accept both_pass");
    check(&with(&["a+ n-"]), "reject new_test_failed");
    check(&with(&["a+ n+", "a+ n-"]), "reject new_test_failed");
    check(&with(&["a+"]), "reject new_test_failed");
    check(&with(&[]), "reject new_test_failed");
    check(&with(&["a+ n?"]), "spec_review new_test_skipped");
    check(&with(&["a- n+"]), "reject new_test_failed");
}

#[test]
fn a_property_that_fails_elsewhere_too_does_not_fail_only_in_the_whole_suite() {
    let mut evidence = evidence("a-", "a+");
    evidence.gate = Some(answer(Verdict::Accept, "parent_fail_cleared", (1, 0)));
    evidence
        .runs
        .push(run(SideName::Patch, RunKind::Whole, "a-"));
    check(&evidence, "accept parent_fail_cleared");
}

#[test]
fn a_changed_test_fails_on_the_patch_alone_or_not() {
    for (parent, patch, wanted) in [
        ("a+ c+", "a+ c+", "spec_review changed"),
        ("a+ c+", "a+ c-", "reject changed_test_failed"),
        ("a+ c+", "a+ c?", "reject changed_test_failed"),
        ("a+ c+", "a+", "reject changed_test_failed"),
        ("a+ c-", "a+ c-", "spec_review changed"),
        ("a+ c?", "a+ c-", "spec_review changed"),
        ("a+ c-", "a+ c+", "spec_review changed"),
    ] {
        let mut evidence = evidence(parent, patch);
        evidence
            .buckets
            .excluded
            .insert(id("c"), (Exclusion::Changed, vec!["function".to_owned()]));
        check(&evidence, wanted);
    }
}

#[test]
fn files_that_cannot_be_collected() {
    let with = |parent: &[&str], patch: &[&str]| {
        let mut evidence = evidence("a+", "a+");
        evidence.uncollectable_on_parent = parent.iter().map(|file| (*file).to_owned()).collect();
        evidence.uncollectable_on_patch = patch.iter().map(|file| (*file).to_owned()).collect();
        evidence
    };
    check(&with(&[], &["t.py"]), "reject uncollectable");
    check(&with(&["t.py"], &[]), "spec_review uncollectable");
    check(&with(&["t.py"], &["t.py"]), "spec_review uncollectable");
    check(&with(&["t.py"], &["t.py", "u.py"]), "reject uncollectable");
}

#[test]
fn a_freeze_needs_isolation_and_a_stable_id() {
    let mut evidence = evidence("a-", "a-");
    evidence.gate = Some(answer(
        Verdict::ProposeFreeze,
        "shared_variant_fail",
        (1, 1),
    ));
    check(&evidence, "propose_freeze shared_variant_fail");
    let mut open = evidence.clone();
    open.runs
        .iter_mut()
        .for_each(|run| run.isolation_gaps.push("the network was open".to_owned()));
    check(&open, "reject not_isolated");
    let mut folded = evidence.clone();
    folded.folded.insert(id("a"));
    check(&folded, "reject folded_id");
    let mut pixels = evidence;
    pixels.unstable_witness.insert(id("a"));
    check(&pixels, "not_applicable unstable_witness");
}

#[test]
fn the_gravest_finding_decides() {
    let order = [
        ("reject", "setup_failed"),
        ("reject", "uncollectable"),
        ("reject", "unaccounted_id"),
        ("reject", "exit_mismatch"),
        ("reject", "new_test_failed"),
        ("reject", "changed_test_failed"),
        ("reject", "not_isolated"),
        ("reject", "regression"),
        ("reject", "witness_mismatch"),
        ("reject", "witness_missing"),
        ("reject", "uniform_fail"),
        ("reject", "missing_seed"),
        ("not_applicable", "foreign_code"),
        ("spec_review", "changed"),
        ("propose_freeze", "shared_variant_fail"),
    ];
    let finding = |(verdict, code): (&str, &str)| {
        let verdicts = [
            Verdict::Reject,
            Verdict::NotApplicable,
            Verdict::SpecReview,
            Verdict::ProposeFreeze,
        ];
        let verdict = verdicts
            .into_iter()
            .find(|known| known.name() == verdict)
            .unwrap();
        Finding::new(verdict, code, code, Vec::new())
    };
    for (index, grave) in order.iter().enumerate() {
        let mut evidence = evidence("a+", "a+");
        evidence.before = order
            .iter()
            .skip(index)
            .rev()
            .map(|entry| finding(*entry))
            .collect();
        check(&evidence, &format!("{} {}", grave.0, grave.1));
    }
}
