//! The reasons that `check` finds in runs, around the gate's table (RULES §2, §3, §5).
use std::collections::BTreeSet;

use crate::judge::tests;
use crate::{
    Bucket, Evidence, Finding, Forgery, Outcome, RunFacts, RunKind, SideName, TestId, Verdict,
};

pub(crate) fn findings(evidence: &Evidence) -> Vec<Finding> {
    let mut findings = Vec::new();
    uncollectable(evidence, &mut findings);
    unknown_ids(evidence, &mut findings);
    exit_mismatch(evidence, &mut findings);
    forged(evidence, &mut findings);
    new_tests(evidence, &mut findings);
    findings
}

pub(crate) fn runs(
    evidence: &Evidence,
    side: SideName,
    kind: RunKind,
) -> impl Iterator<Item = &RunFacts> {
    evidence
        .runs
        .iter()
        .filter(move |run| run.side == side && run.kind == kind)
}

fn uncollectable(evidence: &Evidence, findings: &mut Vec<Finding>) {
    let on_parent = &evidence.uncollectable_on_parent;
    let mut on_patch = evidence.uncollectable_on_patch.clone();
    for run in evidence
        .runs
        .iter()
        .filter(|run| run.side == SideName::Patch)
    {
        on_patch.extend(run.uncollectable.iter().cloned());
    }
    let only_patch: Vec<&str> = on_patch.difference(on_parent).map(String::as_str).collect();
    if !only_patch.is_empty() {
        let detail = format!(
            "cannot be collected on the patch: {}",
            only_patch.join(", ")
        );
        findings.push(Finding::new(
            Verdict::Reject,
            "uncollectable",
            detail,
            Vec::new(),
        ));
    }
    if !on_parent.is_empty() {
        let files: Vec<&str> = on_parent.iter().map(String::as_str).collect();
        let detail = format!(
            "cannot be collected on the parent, so without a baseline: {}",
            files.join(", ")
        );
        findings.push(Finding::new(
            Verdict::SpecReview,
            "uncollectable",
            detail,
            Vec::new(),
        ));
    }
}

fn unknown_ids(evidence: &Evidence, findings: &mut Vec<Finding>) {
    let mut unaccounted = BTreeSet::new();
    let mut unstable = BTreeSet::new();
    for run in &evidence.runs {
        for id in run.results.keys() {
            match (run.side, evidence.buckets.of(id)) {
                (SideName::Patch, None) => {
                    unaccounted.insert(id.clone());
                }
                (SideName::Parent, None | Some(Bucket::New)) => {
                    unstable.insert(id.clone());
                }
                (_, Some(_)) => {}
            }
        }
    }
    if !unaccounted.is_empty() {
        let detail = format!(
            "{} of the patch's runs stood in no list before them",
            tests(unaccounted.len())
        );
        let ids = unaccounted.into_iter().collect();
        findings.push(Finding::new(Verdict::Reject, "unaccounted_id", detail, ids));
    }
    if !unstable.is_empty() {
        let detail = format!(
            "{} of the parent's runs did not appear in its discovery run: ids change from run to run",
            tests(unstable.len())
        );
        let ids = unstable.into_iter().collect();
        findings.push(Finding::new(
            Verdict::NotApplicable,
            "unstable_ids",
            detail,
            ids,
        ));
    }
}

fn exit_mismatch(evidence: &Evidence, findings: &mut Vec<Finding>) {
    for (side, name, verdict) in [
        (SideName::Patch, "patch", Verdict::Reject),
        (SideName::Parent, "parent", Verdict::NotApplicable),
    ] {
        let runs = evidence.runs.iter();
        let mut disagreeing: Vec<&RunFacts> = runs
            .filter(|run| run.side == side && !run.exit_agrees())
            .collect();
        // Whichever run came in first: the sentence is about the first of the schedule.
        disagreeing.sort_by_key(|run| (run.kind, run.seed));
        let Some(run) = disagreeing.first() else {
            continue;
        };
        let failed = run
            .results
            .values()
            .filter(|outcome| **outcome == Outcome::Fail)
            .count();
        let more = match disagreeing.len() - 1 {
            0 => String::new(),
            1 => ", and another of its runs disagrees with its report".to_owned(),
            more => format!(", and {more} more of its runs disagree with their reports"),
        };
        let detail = format!(
            "the {name}'s run with seed {} ended with `{}` while its report has {} failed{more}",
            run.seed,
            ended(run),
            tests(failed),
        );
        findings.push(Finding::new(verdict, "exit_mismatch", detail, Vec::new()));
    }
}

/// A report that was rewritten is the parent's fault as little as the patch's, and evidence for
/// neither: whichever run it was, nothing may be accepted.
fn forged(evidence: &Evidence, findings: &mut Vec<Finding>) {
    let mut runs: Vec<(&RunFacts, &Forgery)> = evidence
        .runs
        .iter()
        .filter_map(|run| Some((run, run.forged.as_ref()?)))
        .collect();
    runs.sort_by_key(|(run, _)| (std::cmp::Reverse(run.side), run.kind, run.seed));
    let Some((run, first)) = runs.first() else {
        return;
    };
    let ids: BTreeSet<TestId> = runs.iter().flat_map(|(_, one)| one.tests.clone()).collect();
    let side = match run.side {
        SideName::Parent => "parent",
        SideName::Patch => "patch",
    };
    let what = if first.fault.is_empty() {
        format!(
            "the report of the {side}'s run with seed {} says something else about {} than the run itself",
            run.seed,
            tests(first.tests.len()),
        )
    } else {
        let fault = &first.fault;
        format!(
            "the report of the {side}'s run with seed {} cannot be believed: {fault}",
            run.seed
        )
    };
    let more = match runs.len() - 1 {
        0 => String::new(),
        1 => ", and so does another run's".to_owned(),
        more => format!(", and so do those of {more} more runs"),
    };
    let ids = ids.into_iter().collect();
    findings.push(Finding::new(
        Verdict::Reject,
        "forged_report",
        format!("{what}{more}"),
        ids,
    ));
}

/// `stopped at its timeout while X was running`, of the first run of a side that was.
pub(crate) fn stopped_in(evidence: &Evidence) -> Option<String> {
    let mut runs: Vec<(&RunFacts, &str)> = evidence
        .runs
        .iter()
        .filter_map(|run| Some((run, run.running.as_deref()?)))
        .collect();
    runs.sort_by_key(|(run, _)| (std::cmp::Reverse(run.side), run.kind, run.seed));
    let (run, test) = runs.first()?;
    let side = match run.side {
        SideName::Parent => "parent",
        SideName::Patch => "patch",
    };
    let how = match &run.ended {
        crate::Ended::TimedOut => "was stopped at its timeout".to_owned(),
        other => format!("ended with `{}`", words(other)),
    };
    Some(format!(
        "the {side}'s run with seed {} {how} in `{test}`",
        run.seed
    ))
}

fn ended(run: &RunFacts) -> String {
    words(&run.ended)
}

pub(crate) fn words(ended: &crate::Ended) -> String {
    match ended {
        crate::Ended::Passed => "all passed".to_owned(),
        crate::Ended::TestsFailed => "tests failed".to_owned(),
        crate::Ended::NothingCollected => "nothing collected".to_owned(),
        crate::Ended::TimedOut => "timed out".to_owned(),
        crate::Ended::Other(words) => words.clone(),
    }
}

fn new_tests(evidence: &Evidence, findings: &mut Vec<Finding>) {
    let mut failed = BTreeSet::new();
    let mut only_there = BTreeSet::new();
    let mut silent = BTreeSet::new();
    let mut skipped = BTreeSet::new();
    for run in runs(evidence, SideName::Patch, RunKind::Whole) {
        for id in &evidence.buckets.new {
            match run.results.get(id) {
                Some(Outcome::Fail) => failed.insert(id.clone()),
                Some(Outcome::Skip) => skipped.insert(id.clone()),
                None => silent.insert(id.clone()),
                Some(Outcome::Pass) => false,
            };
        }
        for (id, outcome) in &run.results {
            let property = evidence.buckets.of(id) == Some(Bucket::Property);
            if property && *outcome == Outcome::Fail && !fails_in_scored(evidence, id) {
                only_there.insert(id.clone());
            }
        }
    }
    let whole_runs = runs(evidence, SideName::Patch, RunKind::Whole).count();
    if whole_runs == 0 && !evidence.buckets.new.is_empty() && !evidence.runs.is_empty() {
        silent.extend(evidence.buckets.new.iter().cloned());
    }
    for (ids, one, many) in [
        (
            failed,
            "is new and fails with the patch",
            "are new and fail with the patch",
        ),
        (
            only_there,
            "fails only when the patch's whole suite runs",
            "fail only when the patch's whole suite runs",
        ),
        (
            silent,
            "is new and gave no result",
            "are new and gave no result",
        ),
    ] {
        if !ids.is_empty() {
            let detail = format!(
                "{} {}",
                tests(ids.len()),
                if ids.len() == 1 { one } else { many }
            );
            let ids = ids.into_iter().collect();
            findings.push(Finding::new(
                Verdict::Reject,
                "new_test_failed",
                detail,
                ids,
            ));
        }
    }
    if !skipped.is_empty() {
        let detail = format!(
            "{} new and skipped",
            if skipped.len() == 1 {
                "1 test is".to_owned()
            } else {
                format!("{} tests are", skipped.len())
            }
        );
        let ids = skipped.into_iter().collect();
        findings.push(Finding::new(
            Verdict::SpecReview,
            "new_test_skipped",
            detail,
            ids,
        ));
    }
}

fn fails_in_scored(evidence: &Evidence, id: &TestId) -> bool {
    let scored = evidence
        .runs
        .iter()
        .filter(|run| run.kind == RunKind::Scored);
    scored
        .into_iter()
        .any(|run| run.results.get(id) == Some(&Outcome::Fail))
}
