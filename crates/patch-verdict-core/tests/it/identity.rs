//! Ids: attempts and repeated cases, ids that hold a time, seeds.
use std::collections::BTreeSet;

use patch_verdict_core::{
    CaseResult, Outcome, StableIds, TestId, derive_seeds, fold_cases, normalised,
};

fn case(name: &str, status: Outcome, witness: &str) -> CaseResult {
    CaseResult {
        id: TestId::from_junit("s", name),
        node: None,
        status,
        witness: witness.to_owned(),
        failure_text: witness.to_owned(),
        duration_ms: Some(1.0),
    }
}

#[test]
fn a_failure_of_either_case_counts() {
    use Outcome::{Fail, Pass, Skip};
    for (cases, wanted) in [
        (&[Pass][..], Pass),
        (&[Pass, Fail], Fail),
        (&[Fail, Pass], Fail),
        (&[Skip, Fail], Fail),
        (&[Pass, Skip], Skip),
        (&[Skip, Pass, Pass], Skip),
    ] {
        let folded = fold_cases(cases.iter().map(|status| case("a", *status, "")));
        let result = folded.values().next().unwrap();
        assert_eq!(
            (result.status, result.cases as usize),
            (wanted, cases.len()),
            "{cases:?}"
        );
    }
}

#[test]
fn the_order_of_failing_cases_decides_nothing() {
    let witness = |first, second| {
        let cases = [
            case("a", Outcome::Fail, first),
            case("a", Outcome::Fail, second),
        ];
        fold_cases(cases).into_values().next().unwrap().witness
    };
    assert_eq!(witness("x", "y"), witness("y", "x"));
    assert_eq!(
        witness("x", ""),
        "",
        "a failure that does not say how stays without a witness"
    );
}

#[test]
fn times_and_addresses_in_ids_are_recognised() {
    for (text, wanted) in [
        ("s::t[2026-03-01 10:11:12.123456]", Some("s::t[<volatile>]")),
        ("s::t[2026-03-01T10:11:12+00:00]", Some("s::t[<volatile>]")),
        (
            "s::t[<C object at 0x7f3b5c0a1d90>]",
            Some("s::t[<C object at <volatile>>]"),
        ),
        ("s::t[10:11:12]", Some("s::t[<volatile>]")),
        ("s::t[1-2-3]", None),
        ("s::t[v1.2.3]", None),
        ("s::t[deadbeef]", None),
        ("s::t[12345]", None),
    ] {
        let stable = normalised(&TestId::from_text(text));
        assert_eq!(stable.as_ref().map(TestId::as_str), wanted, "{text}");
    }
}

#[test]
fn only_ids_that_the_sides_do_not_share_are_folded() {
    let ids = |texts: &[&str]| -> BTreeSet<TestId> {
        texts.iter().map(|text| TestId::from_text(*text)).collect()
    };
    let fixed = "s::t[2026-03-01]";
    let parent = ids(&[fixed, "s::u[10:00:01]"]);
    let patch = ids(&[fixed, "s::u[10:00:02]"]);
    let stable = StableIds::new(&parent, &patch, None);
    assert_eq!(stable.stable(&TestId::from_text(fixed)).as_str(), fixed);
    // Also an id that neither list holds: a later run has another time.
    let later = stable.stable(&TestId::from_text("s::u[10:00:09]"));
    assert_eq!(later.as_str(), "s::u[<volatile>]");
    assert!(stable.is_folded(&later));
    assert_eq!(stable.stable(&later), later);
}

#[test]
fn a_longer_schedule_extends_a_shorter_one() {
    let long = derive_seeds("a", "b", 500);
    assert_eq!(
        derive_seeds("a", "b", 7),
        long.iter().copied().take(7).collect::<Vec<_>>()
    );
    let distinct: BTreeSet<i64> = long.iter().copied().collect();
    assert_eq!(distinct.len(), 500);
    assert!(long.iter().all(|seed| (0..1 << 31).contains(seed)));
    assert_ne!(derive_seeds("b", "a", 7), derive_seeds("a", "b", 7));
}

#[test]
fn an_id_that_only_looks_like_a_time_is_not_folded() {
    let ids = |texts: &[&str]| -> BTreeSet<TestId> {
        texts.iter().map(|text| TestId::from_text(*text)).collect()
    };
    let parent = ids(&["s::t[12:00:01]"]);
    let patch = ids(&["s::t[12:00:03]"]);
    assert!(StableIds::any(&parent, &patch));
    let again = StableIds::new(&parent, &patch, Some(&parent));
    let before = TestId::from_text("s::t[12:00:01]");
    assert_eq!(
        again.stable(&before),
        before,
        "the parent lists it verbatim a second time"
    );
    let moved = ids(&["s::t[12:00:09]"]);
    let changing = StableIds::new(&parent, &patch, Some(&moved));
    assert!(changing.is_folded(&changing.stable(&before)));
}
