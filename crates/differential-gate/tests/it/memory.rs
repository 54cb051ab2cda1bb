//! Texts that do not fit: what is left out is said, and never changes a decision.
use differential_gate::{
    Contract, ContractDraft, GateDecision, Property, Reason, Row, Side, Status, decide, wire,
    write_row,
};

const SEEDS: i64 = 12;

fn contract() -> Contract {
    let property = |id: &str| {
        Property::new(id, "passes")
            .with_spec_hash("s")
            .with_fixture_closure_hash("f")
    };
    let seeds = (0..SEEDS).collect();
    ContractDraft::new("aa", "bb", seeds, vec![property("p"), property("q")])
        .build()
        .unwrap()
}

/// Every seed fails in a way of its own, and in `length` bytes; `number` spells the way of a seed.
/// The last seed passes, so that the failures are a flake.
fn rows(side: Side, length: usize, number: impl Fn(i64) -> i64) -> Vec<u8> {
    let (contract, mut out) = (contract(), Vec::new());
    for seed in 0..SEEDS {
        for prop in ["p", "q"] {
            let row = if seed == SEEDS - 1 {
                Row::new(prop, seed, Status::Pass, "")
            } else {
                let (number, filler) = (number(seed), "x".repeat(length));
                let class = format!("{prop}|E|{number:03}{filler}{number:03}");
                Row::new(prop, seed, Status::Fail, class)
            };
            write_row(&mut out, &contract, side, &row).unwrap();
        }
    }
    out
}

fn judge(length: usize, parent: fn(i64) -> i64, patch: fn(i64) -> i64) -> GateDecision {
    let (parent, patch) = (
        rows(Side::Parent, length, parent),
        rows(Side::Patch, length, patch),
    );
    decide(&contract(), parent.as_slice(), patch.as_slice())
}

/// More than a side may keep: 11 ways, two properties, half a megabyte each.
const LONG: usize = 500_000;

#[test]
fn what_is_kept_are_the_first_texts_in_order_and_what_is_not_is_said() {
    // Falling on the parent, rising on the patch: the order of arrival does not matter.
    let long = judge(LONG, |seed| 900 - seed, |seed| 890 + seed);
    let short = judge(3, |seed| 900 - seed, |seed| 890 + seed);
    assert_eq!(long.reason(), Reason::SharedVariantFail);
    assert_eq!(short.reason(), Reason::SharedVariantFail);
    let heads = |texts: &[String]| -> Vec<String> {
        texts
            .iter()
            .map(|text| text.chars().take(7).collect())
            .collect()
    };
    for (long, short) in long.results().iter().zip(short.results()) {
        for (long, short) in [(&long.parent, &short.parent), (&long.patch, &short.patch)] {
            assert_eq!((long.pass, long.fail), (short.pass, short.fail));
            assert!(long.witnesses_cut && !short.witnesses_cut);
            assert_eq!(short.witnesses.len(), 11);
            let kept = heads(&long.witnesses);
            assert!((1..11).contains(&kept.len()), "{}", kept.len());
            assert_eq!(kept, heads(&short.witnesses)[..kept.len()]);
        }
    }
    let tool: wire::Tool =
        serde_json::from_str(r#"{"name":"t","version":"0","commit":"c"}"#).unwrap();
    let written = serde_json::to_value(long.document(&tool)).unwrap();
    assert_eq!(written["results"][0]["patch"]["witnesses_cut"], true);
    let written = serde_json::to_value(short.document(&tool)).unwrap();
    assert!(written["results"][0]["patch"]["witnesses_cut"].is_null());
}

#[test]
fn a_way_of_failing_that_is_not_kept_is_still_told_apart() {
    // The ways differ in the last one alone, whose text has no room on either side.
    let other = judge(
        LONG,
        |seed| 100 + seed,
        |seed| if seed == 10 { 999 } else { 100 + seed },
    );
    assert_eq!(other.reason(), Reason::WitnessMismatch);
    let fewer = judge(LONG, |seed| 100 + seed, |seed| 100 + seed.min(9));
    assert_eq!(fewer.reason(), Reason::WitnessMismatch);
    let more = judge(LONG, |seed| 100 + seed.min(9), |seed| 100 + seed);
    assert_eq!(more.reason(), Reason::WitnessMismatch);
}

#[test]
fn one_text_larger_than_the_room_leaves_an_empty_list_that_says_so() {
    let side = |side: Side, length: usize| {
        let mut out = Vec::new();
        for prop in ["p", "q"] {
            for seed in 0..SEEDS {
                let class = format!("{prop}|E|{}", "y".repeat(length));
                let row = Row::new(prop, seed, Status::Fail, class);
                write_row(&mut out, &contract(), side, &row).unwrap();
            }
        }
        out
    };
    // Below the cap on a line, above the room for texts.
    let (parent, patch) = (side(Side::Parent, 8_100_000), side(Side::Patch, 8_100_000));
    let decision = decide(&contract(), parent.as_slice(), patch.as_slice());
    assert_eq!(decision.reason(), Reason::UniformFail);
    let summary = &decision.results()[0].patch;
    assert!(summary.witnesses_cut && summary.witnesses.is_empty());
}
