//! What holds for all evidence, whatever a patch's runs look like.
use std::collections::{BTreeMap, BTreeSet};

use patch_verdict_core::{
    CaseResult, Ended, Evidence, Exclusion, Finding, GateAnswer, Outcome, PropertyDecision,
    RunFacts, RunKind, SideName, StableIds, TestId, Verdict, derive_seeds, fold_cases, judge,
    normalised,
};
use proptest::prelude::*;

use crate::judgement::{id, run};

/// Two properties, a new, a changed, a skipped, an unjudged and an unlisted test.
const TESTS: [&str; 7] = ["a", "b", "n", "c", "s", "o", "u"];
const SEEDS: usize = 2;

/// Results of one run; most tests pass, so that accepts occur.
fn results(listed: usize) -> impl Strategy<Value = String> {
    let sign = prop_oneof![8 => Just("+"), 1 => Just("-"), 1 => Just("?"), 1 => Just("")];
    prop::collection::vec(sign, listed).prop_map(|signs| {
        let words = TESTS.into_iter().zip(signs);
        let told = words.filter(|(_, sign)| !sign.is_empty());
        told.map(|(name, sign)| format!("{name}{sign}"))
            .collect::<Vec<_>>()
            .join(" ")
    })
}

fn runs() -> impl Strategy<Value = Vec<RunFacts>> {
    let side = |listed| prop::collection::vec(results(listed), SEEDS);
    (side(6), side(7), side(7)).prop_map(|(parent, patch, whole)| {
        let of = |side, kind, texts: Vec<String>| {
            texts
                .into_iter()
                .zip(1..)
                .map(move |(text, seed)| RunFacts {
                    seed,
                    ..run(side, kind, &text)
                })
        };
        of(SideName::Parent, RunKind::Scored, parent)
            .map(without_new)
            .chain(of(SideName::Patch, RunKind::Scored, patch).map(without_new))
            .chain(of(SideName::Patch, RunKind::Whole, whole))
            .collect()
    })
}

/// Scored runs collect no new tests.
fn without_new(mut run: RunFacts) -> RunFacts {
    run.results.remove(&id("n"));
    run.ended = exit(&run);
    run
}

/// The exit that agrees with the results.
fn exit(run: &RunFacts) -> Ended {
    if run.results.values().any(|one| *one == Outcome::Fail) {
        Ended::TestsFailed
    } else {
        Ended::Passed
    }
}

/// The table of RULES §5 for one property, written anew and as plainly as can be; one witness.
fn naive(parent: &[Option<Outcome>], patch: &[Option<Outcome>]) -> (Verdict, &'static str) {
    use Outcome::{Fail, Pass};
    let given = |side: &[Option<Outcome>]| side.iter().all(|one| matches!(one, Some(Pass | Fail)));
    let has = |side: &[Option<Outcome>], wanted| side.contains(&Some(wanted));
    if !given(parent) || !given(patch) {
        return (Verdict::Reject, "missing_seed");
    }
    match (has(parent, Fail), has(patch, Fail)) {
        (false, false) => (Verdict::Accept, "both_pass"),
        (false, true) => (Verdict::Reject, "regression"),
        (true, false) => (Verdict::Accept, "parent_fail_cleared"),
        (true, true) if has(parent, Pass) || has(patch, Pass) => {
            (Verdict::ProposeFreeze, "shared_variant_fail")
        }
        (true, true) => (Verdict::Reject, "uniform_fail"),
    }
}

fn outcomes(runs: &[RunFacts], side: SideName, wanted: &TestId) -> Vec<Option<Outcome>> {
    let scored = runs
        .iter()
        .filter(|run| run.side == side && run.kind == RunKind::Scored);
    scored.map(|run| run.results.get(wanted).copied()).collect()
}

fn failed(runs: &[RunFacts], side: SideName, wanted: &TestId) -> bool {
    runs.iter()
        .any(|run| run.side == side && run.results.get(wanted) == Some(&Outcome::Fail))
}

fn evidence(runs: Vec<RunFacts>) -> Evidence {
    let mut evidence = Evidence::default();
    let buckets = &mut evidence.buckets;
    buckets.properties.extend([id("a"), id("b")]);
    buckets.new.insert(id("n"));
    buckets.not_run.insert(id("s"));
    buckets.out_of_scope.insert(id("o"));
    let properties: Vec<PropertyDecision> = ["a", "b"]
        .into_iter()
        .map(|name| {
            let parent = outcomes(&runs, SideName::Parent, &id(name));
            let patch = outcomes(&runs, SideName::Patch, &id(name));
            let count = |side: &[Option<Outcome>]| {
                side.iter()
                    .map(|one| u64::from(*one == Some(Outcome::Fail)))
                    .sum()
            };
            let (verdict, reason) = naive(&parent, &patch);
            PropertyDecision {
                id: id(name),
                verdict,
                reason: reason.to_owned(),
                parent_failed: count(&parent),
                patch_failed: count(&patch),
            }
        })
        .collect();
    let top = properties.iter().max_by_key(|one| one.verdict).unwrap();
    evidence.gate = Some(GateAnswer {
        verdict: top.verdict,
        reason: top.reason.clone(),
        properties,
    });
    evidence.runs = runs;
    evidence
}

/// With a changed test in the gate's stead where `changed` says so.
fn with_changed(mut evidence: Evidence, changed: bool) -> Evidence {
    if changed {
        let parts = vec!["function".to_owned()];
        let bucket = (Exclusion::Changed, parts);
        evidence.buckets.excluded.insert(id("c"), bucket);
    } else {
        evidence.buckets.out_of_scope.insert(id("c"));
    }
    evidence
}

fn any_evidence() -> impl Strategy<Value = Evidence> {
    (runs(), any::<bool>()).prop_map(|(runs, changed)| with_changed(evidence(runs), changed))
}

/// The same evidence after one result of one run changed; exits follow the results.
fn altered(before: &Evidence, index: usize, name: &str, outcome: Option<Outcome>) -> Evidence {
    let mut runs = before.runs.clone();
    let place = index % runs.len();
    if let Some(one) = runs.get_mut(place) {
        match outcome {
            Some(outcome) => one.results.insert(id(name), outcome),
            None => one.results.remove(&id(name)),
        };
        one.ended = exit(one);
    }
    let changed = before.buckets.excluded.contains_key(&id("c"));
    with_changed(evidence(runs), changed)
}

proptest! {
    #[test]
    fn an_accept_has_nothing_that_fails_is_missing_or_is_unknown(evidence in any_evidence()) {
        let judgement = judge(&evidence);
        if judgement.verdict == Verdict::Accept {
            prop_assert!(judgement.new_failures.is_empty());
            for name in ["a", "b"] {
                for side in [SideName::Parent, SideName::Patch] {
                    let rows = outcomes(&evidence.runs, side, &id(name));
                    prop_assert_eq!(rows.len(), SEEDS);
                    let given = rows.iter().all(|one| matches!(one, Some(Outcome::Pass | Outcome::Fail)));
                    prop_assert!(given, "{} has no row for a seed", name);
                }
            }
            for run in &evidence.runs {
                prop_assert!(!run.results.contains_key(&id("u")), "an unlisted id was accepted");
            }
        }
    }

    #[test]
    fn one_more_failure_of_the_patch_is_never_milder(
        before in any_evidence(),
        index in 2_usize..6,
        name in prop::sample::select(TESTS.to_vec()),
    ) {
        let after = altered(&before, index, name, Some(Outcome::Fail));
        prop_assert!(judge(&after).verdict >= judge(&before).verdict);
    }

    #[test]
    fn one_result_less_is_never_a_pass(
        before in any_evidence(),
        index in 0_usize..4,
        name in prop::sample::select(vec!["a", "b"]),
    ) {
        let after = altered(&before, index, name, None);
        prop_assert!(judge(&after).verdict >= judge(&before).verdict);
        prop_assert_eq!(judge(&after).verdict, Verdict::Reject);
    }

    #[test]
    fn a_new_test_passes_in_every_whole_run_of_an_accept(
        before in any_evidence(),
        index in 4_usize..6,
        outcome in prop::sample::select(vec![None, Some(Outcome::Skip), Some(Outcome::Fail)]),
    ) {
        let after = altered(&before, index, "n", outcome);
        prop_assert!(judge(&after).verdict >= Verdict::SpecReview);
    }

    #[test]
    fn the_order_of_runs_decides_nothing(
        (evidence, turned) in any_evidence().prop_flat_map(|evidence| {
            let runs = Just(evidence.runs.clone()).prop_shuffle();
            (Just(evidence), runs)
        }),
    ) {
        let mut other = evidence.clone();
        other.runs = turned;
        prop_assert_eq!(judge(&evidence), judge(&other));
    }

    #[test]
    fn a_finding_never_makes_a_verdict_milder(
        mut evidence in any_evidence(),
        gate in any::<bool>(),
        verdict in prop::sample::select(vec![
            Verdict::Accept,
            Verdict::ProposeFreeze,
            Verdict::SpecReview,
            Verdict::NotApplicable,
            Verdict::Reject,
        ]),
    ) {
        if !gate {
            evidence.gate = None;
        }
        let mut graver = evidence.clone();
        graver.before.push(Finding::new(verdict, "x", "x", Vec::new()));
        prop_assert!(judge(&graver).verdict >= judge(&evidence).verdict.max(verdict));
    }

    #[test]
    fn without_a_gate_there_is_no_accept(mut evidence in any_evidence()) {
        evidence.gate = None;
        prop_assert!(judge(&evidence).verdict >= Verdict::SpecReview);
    }

    #[test]
    fn whatever_the_gate_says_the_runs_are_heard(mut evidence in any_evidence()) {
        if let Some(gate) = &mut evidence.gate {
            gate.verdict = Verdict::Accept;
            for property in &mut gate.properties {
                property.verdict = Verdict::Accept;
                property.reason = "both_pass".to_owned();
            }
        }
        let judgement = judge(&evidence);
        prop_assert!(judgement.verdict != Verdict::Accept || judgement.new_failures.is_empty());
    }

    #[test]
    fn what_fails_on_the_patch_alone_is_a_new_failure(evidence in any_evidence()) {
        let judgement = judge(&evidence);
        for wanted in TESTS.map(id) {
            let on = |side| failed(&evidence.runs, side, &wanted);
            let alone = on(SideName::Patch) && !on(SideName::Parent);
            prop_assert_eq!(judgement.new_failures.contains(&wanted), alone, "{}", wanted);
        }
    }

    #[test]
    fn a_reject_names_its_reason(evidence in any_evidence()) {
        let judgement = judge(&evidence);
        if judgement.verdict != Verdict::Accept {
            let first = judgement.findings.first().unwrap();
            prop_assert_eq!((first.verdict, &first.code), (judgement.verdict, &judgement.reason));
        }
        prop_assert!(!judgement.headline.contains("1 tests") && !judgement.headline.contains("1 test fail "));
        prop_assert!(!judgement.headline.starts_with("0 "), "{}", judgement.headline);
    }
}

fn cases() -> impl Strategy<Value = Vec<CaseResult>> {
    let outcome = prop::sample::select(vec![Outcome::Pass, Outcome::Skip, Outcome::Fail]);
    let case = (0_u8..3, outcome, "[xy]?", "[pq]?", 0_u8..9).prop_map(
        |(name, status, witness, text, milliseconds)| CaseResult {
            id: TestId::from_junit("s", &format!("t{name}")),
            node: Some(format!("n{milliseconds}")),
            status,
            witness,
            failure_text: text,
            duration_ms: Some(f64::from(milliseconds)),
        },
    );
    prop::collection::vec(case, 0..8)
}

/// Ids, some of which hold a time of day or an address.
fn ids() -> impl Strategy<Value = BTreeSet<TestId>> {
    let id = prop_oneof![
        "s::t\\[[a-c]\\]",
        "s::t\\[1[0-9]:[0-5][0-9]:[0-5][0-9]\\]",
        "s::t\\[0x7f[0-9a-f]{8}\\]",
        "s::t\\[2026-0[1-9]-1[0-9]([T ]1[0-9]:00:00)?\\]",
        "[ -~]{0,12}",
    ];
    prop::collection::btree_set(id.prop_map(TestId::from_text), 0..6)
}

proptest! {
    #[test]
    fn the_order_of_cases_decides_nothing(
        (cases, turned) in cases().prop_flat_map(|cases| {
            let turned = Just(cases.clone()).prop_shuffle();
            (Just(cases), turned)
        }),
    ) {
        prop_assert_eq!(fold_cases(cases), fold_cases(turned));
    }

    #[test]
    fn stable_ids_stay_and_lose_no_failure(parent in ids(), patch in ids(), run in ids()) {
        let stable = StableIds::new(&parent, &patch, None);
        for one in parent.union(&patch).chain(&run) {
            let once = stable.stable(one);
            prop_assert_eq!(&stable.stable(&once), &once);
            if parent.contains(one) && patch.contains(one) {
                prop_assert_eq!(&once, one);
            }
        }
        let case = |one: &TestId, status| CaseResult {
            id: stable.stable(one),
            node: None,
            status,
            witness: String::new(),
            failure_text: String::new(),
            duration_ms: None,
        };
        // One of the run's tests fails: its row fails, whatever else folds into it.
        for failing in &run {
            let results = fold_cases(run.iter().map(|one| {
                case(one, if one == failing { Outcome::Fail } else { Outcome::Pass })
            }));
            prop_assert_eq!(results[&stable.stable(failing)].status, Outcome::Fail);
            let cases: u32 = results.values().map(|result| result.cases).sum();
            prop_assert_eq!(cases as usize, run.len());
        }
        let folds: BTreeMap<TestId, u32> = stable.folds(run.iter());
        prop_assert!(folds.keys().all(|one| stable.is_folded(one)));
    }

    #[test]
    fn normalising_twice_is_normalising_once(text in "[ -~]{0,40}") {
        if let Some(once) = normalised(&TestId::from_text(text)) {
            prop_assert_eq!(normalised(&once), None, "{}", once);
        }
    }

    #[test]
    fn a_longer_schedule_extends_a_shorter_one(
        parent in "[0-9a-f]{40}",
        patch in "[0-9a-f]{40}",
        short in 0_usize..20,
        more in 0_usize..20,
    ) {
        let long = derive_seeds(&parent, &patch, short + more);
        let first: Vec<i64> = long.iter().copied().take(short).collect();
        prop_assert_eq!(derive_seeds(&parent, &patch, short), first);
        let distinct: BTreeSet<i64> = long.iter().copied().collect();
        prop_assert_eq!(distinct.len(), long.len());
        prop_assert!(long.iter().all(|seed| (0..1 << 31).contains(seed)));
    }
}

#[test]
fn no_case_is_no_result() {
    assert!(fold_cases([]).is_empty());
}

#[test]
fn the_naive_table_is_the_table() {
    use Outcome::{Fail, Pass, Skip};
    for (parent, patch, wanted) in [
        (
            [Some(Pass), Some(Pass)],
            [Some(Pass), Some(Pass)],
            "both_pass",
        ),
        (
            [Some(Pass), Some(Pass)],
            [Some(Pass), Some(Fail)],
            "regression",
        ),
        (
            [Some(Fail), Some(Fail)],
            [Some(Pass), Some(Pass)],
            "parent_fail_cleared",
        ),
        (
            [Some(Fail), Some(Fail)],
            [Some(Fail), Some(Fail)],
            "uniform_fail",
        ),
        (
            [Some(Fail), Some(Pass)],
            [Some(Fail), Some(Fail)],
            "shared_variant_fail",
        ),
        ([Some(Fail), None], [Some(Fail), Some(Fail)], "missing_seed"),
        (
            [Some(Pass), Some(Pass)],
            [Some(Skip), Some(Fail)],
            "missing_seed",
        ),
    ] {
        assert_eq!(naive(&parent, &patch).1, wanted);
    }
}

proptest! {
    /// The identity of a case is the text of its parts, and reading it back changes nothing.
    #[test]
    fn an_id_survives_every_spelling(suite in ".{0,12}", name in ".{0,12}") {
        let id = TestId::from_junit(&suite, &name);
        prop_assert_eq!(id.as_str(), format!("{suite}::{name}"));
        prop_assert_eq!(&TestId::from_text(id.as_str()), &id);
        let json = serde_json::to_string(&id).unwrap();
        prop_assert_eq!(serde_json::from_str::<TestId>(&json).unwrap(), id);
    }

    /// Two cases are one test only where their parts, joined, are one text; then they fold, and a
    /// failure of either stays one.
    #[test]
    fn two_cases_of_one_id_never_hide_each_other(
        parts in ("[a:]{0,3}", "[a:]{0,3}"), others in ("[a:]{0,3}", "[a:]{0,3}"), second in any::<bool>(),
    ) {
        let case = |(suite, name): &(String, String), failed: bool| CaseResult {
            id: TestId::from_junit(suite, name),
            node: Some(format!("{suite} {name}")),
            status: if failed { Outcome::Fail } else { Outcome::Pass },
            witness: String::new(),
            failure_text: String::new(),
            duration_ms: None,
        };
        let folded = fold_cases([case(&parts, !second), case(&others, second)]);
        let one = format!("{}::{}", parts.0, parts.1) == format!("{}::{}", others.0, others.1);
        prop_assert_eq!(folded.len(), if one { 1 } else { 2 });
        prop_assert_eq!(folded.values().map(|result| result.cases).sum::<u32>(), 2);
        let failed = folded.values().filter(|result| result.status == Outcome::Fail).count();
        prop_assert_eq!(failed, 1);
        if one && parts != others {
            // Both of the framework's own ids are still told.
            prop_assert_eq!(folded.values().map(|result| result.nodes.len()).sum::<usize>(), 2);
        }
    }
}
