//! The decision table, whole, against a second and naive implementation.
use std::collections::BTreeSet;

use differential_gate::{
    ContractDraft, Decision, Property, Reason, Row, Side, Status, decide, write_row,
};

/// What one seed gave on one side.
const SIGNS: [char; 5] = ['-', 'p', 'A', 'B', '0'];

/// The table of the rules, word by word.
fn naive(parent: &[char], patch: &[char]) -> &'static str {
    let failed = |side: &[char]| side.iter().any(|sign| !matches!(sign, '-' | 'p'));
    let passed = |side: &[char]| side.contains(&'p');
    let classes = |side: &[char]| {
        let failing = side.iter().filter(|sign| !matches!(sign, '-' | 'p'));
        failing.copied().collect::<BTreeSet<_>>()
    };
    if parent.contains(&'-') || patch.contains(&'-') {
        return "missing_seed";
    }
    match (failed(parent), failed(patch)) {
        (false, false) => "both_pass",
        (false, true) => "regression",
        (true, false) => "parent_fail_cleared",
        (true, true) if parent.contains(&'0') || patch.contains(&'0') => "witness_missing",
        (true, true) if classes(parent) != classes(patch) => "witness_mismatch",
        (true, true) if !passed(parent) && !passed(patch) => "uniform_fail",
        (true, true) => "shared_variant_fail",
    }
}

fn every_course(length: usize) -> Vec<Vec<char>> {
    let mut courses = vec![Vec::new()];
    for _ in 0..length {
        courses = courses
            .into_iter()
            .flat_map(|course| {
                SIGNS.map(|sign| {
                    let mut longer = course.clone();
                    longer.push(sign);
                    longer
                })
            })
            .collect();
    }
    courses
}

#[test]
fn every_combination_up_to_three_seeds_is_decided_by_the_table() {
    for length in 1..=3 {
        let courses = every_course(length);
        // One property for each pair: one decision judges them all, and none disturbs another.
        let pairs: Vec<_> = courses
            .iter()
            .flat_map(|parent| courses.iter().map(move |patch| (parent, patch)))
            .collect();
        let properties = (0..pairs.len())
            .map(|at| {
                Property::new(format!("p{at:05}"), "passes")
                    .with_spec_hash("s")
                    .with_fixture_closure_hash("f")
            })
            .collect();
        let seeds: Vec<i64> = (0..i64::try_from(length).unwrap()).collect();
        let contract = ContractDraft::new("aa", "bb", seeds.clone(), properties)
            .build()
            .unwrap();
        let (mut parent, mut patch) = (Vec::new(), Vec::new());
        for (at, (left, right)) in pairs.iter().enumerate() {
            let id = format!("p{at:05}");
            for (out, side, course) in [
                (&mut parent, Side::Parent, left),
                (&mut patch, Side::Patch, right),
            ] {
                for (seed, sign) in seeds.iter().zip(course.iter()) {
                    let (status, witness) = match sign {
                        '-' => continue,
                        'p' => (Status::Pass, String::new()),
                        '0' => (Status::Fail, String::new()),
                        class => (Status::Fail, format!("{id}|Error|{class}")),
                    };
                    let row = Row::new(&id, *seed, status, witness);
                    write_row(out, &contract, side, &row).unwrap();
                }
            }
        }
        let decision = decide(&contract, parent.as_slice(), patch.as_slice());
        assert_eq!(decision.results().len(), pairs.len());
        assert_eq!(decision.reason(), Reason::Regression);
        for ((left, right), result) in pairs.iter().zip(decision.results()) {
            assert_eq!(
                result.reason.as_str(),
                naive(left, right),
                "{left:?} {right:?}"
            );
            assert_eq!(result.decision, result.reason.decision());
        }
    }
}

#[test]
fn only_three_reasons_do_not_reject() {
    let kind = |decision: Decision| {
        let all = Reason::ALL.into_iter();
        all.filter(|reason| reason.decision() == decision)
            .map(Reason::as_str)
            .collect::<Vec<_>>()
    };
    assert_eq!(kind(Decision::Accept), ["parent_fail_cleared", "both_pass"]);
    assert_eq!(kind(Decision::ProposeFreeze), ["shared_variant_fail"]);
}

#[test]
fn words_parse_back() {
    for reason in Reason::ALL {
        assert_eq!(reason.as_str().parse(), Ok(reason));
    }
    assert!("passed".parse::<Decision>().is_err());
}
