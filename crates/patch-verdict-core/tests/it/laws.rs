//! What holds for all evidence.
use patch_verdict_core::{Evidence, Finding, RunKind, SideName, Verdict, fold_cases, judge};
use proptest::prelude::*;

use crate::judgement::{id, run};

fn results() -> impl Strategy<Value = String> {
    let sign = prop::sample::select(vec!["+", "-", "?", ""]);
    prop::collection::vec(sign, 3).prop_map(|signs| {
        let words = ["a", "b", "n"].into_iter().zip(signs);
        let told = words.filter(|(_, sign)| !sign.is_empty());
        told.map(|(name, sign)| format!("{name}{sign}"))
            .collect::<Vec<_>>()
            .join(" ")
    })
}

fn evidence() -> impl Strategy<Value = Evidence> {
    let sides = prop::sample::select(vec![
        (SideName::Parent, RunKind::Scored),
        (SideName::Patch, RunKind::Scored),
        (SideName::Patch, RunKind::Whole),
    ]);
    prop::collection::vec((sides, results()), 0..6).prop_map(|runs| {
        let mut evidence = Evidence::default();
        evidence.buckets.properties.extend([id("a"), id("b")]);
        evidence.buckets.new.insert(id("n"));
        evidence.runs = runs
            .into_iter()
            .map(|((side, kind), text)| run(side, kind, &text))
            .collect();
        evidence
    })
}

proptest! {
    #[test]
    fn the_order_of_runs_decides_nothing(evidence in evidence()) {
        let mut turned = evidence.clone();
        turned.runs.reverse();
        let (one, other) = (judge(&evidence), judge(&turned));
        prop_assert_eq!((one.verdict, one.reason), (other.verdict, other.reason));
    }

    #[test]
    fn a_finding_never_makes_a_verdict_milder(evidence in evidence(), index in 0_usize..5) {
        let verdicts = [
            Verdict::Accept,
            Verdict::ProposeFreeze,
            Verdict::SpecReview,
            Verdict::NotApplicable,
            Verdict::Reject,
        ];
        let Some(verdict) = verdicts.get(index).copied() else { return Ok(()) };
        let mut graver = evidence.clone();
        graver.before.push(Finding::new(verdict, "x", "x", Vec::new()));
        // `no_property_left` gives way to what was found before any run.
        prop_assert!(judge(&graver).verdict >= judge(&evidence).verdict.min(verdict));
    }

    #[test]
    fn without_a_gate_there_is_no_accept(evidence in evidence()) {
        prop_assert_ne!(judge(&evidence).verdict, Verdict::Accept);
    }

    #[test]
    fn what_fails_on_the_patch_alone_is_a_new_failure(evidence in evidence()) {
        let judgement = judge(&evidence);
        for (name, wanted) in [("a", id("a")), ("b", id("b"))] {
            let failed = |side| evidence.runs.iter().any(|run| {
                run.side == side
                    && run.results.get(&wanted) == Some(&patch_verdict_core::Outcome::Fail)
            });
            let alone = failed(SideName::Patch) && !failed(SideName::Parent);
            prop_assert_eq!(judgement.new_failures.contains(&wanted), alone, "{}", name);
        }
    }
}

#[test]
fn no_case_is_no_result() {
    assert!(fold_cases([]).is_empty());
}
