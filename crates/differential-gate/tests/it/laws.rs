//! Laws that hold for all inputs.
use differential_gate::{
    Contract, ContractDraft, Decision, Property, Reason, Row, Side, Status, decide, write_row,
};
use proptest::prelude::*;

const PROPS: [&str; 3] = ["a", "b|c", "d::e"];
const SEEDS: [i64; 4] = [0, 1, 2, 3];

fn contract() -> Contract {
    let properties = PROPS.map(|id| {
        Property::new(id, "passes")
            .with_spec_hash("s")
            .with_fixture_closure_hash("f")
    });
    ContractDraft::new("aa", "bb", SEEDS.to_vec(), properties.to_vec())
        .build()
        .unwrap()
}

/// A row that the reader accepts; whatever property, seed and result.
fn any_row() -> impl Strategy<Value = Row> {
    let prop = prop_oneof![
        9 => proptest::sample::select(PROPS.to_vec()),
        1 => Just("unknown"),
    ];
    (prop, 0..5_i64, 0..4_u8).prop_map(|(prop, seed, result)| match result {
        0 | 1 => Row::new(prop, seed, Status::Pass, ""),
        2 => Row::new(prop, seed, Status::Fail, ""),
        _ => Row::new(
            prop,
            seed,
            Status::Fail,
            format!("{}E|x", differential_gate::witness_prefix(prop)),
        ),
    })
}

/// A whole side: a result for every property and seed.
fn whole_side() -> impl Strategy<Value = Vec<Row>> {
    proptest::collection::vec(0..4_u8, PROPS.len() * SEEDS.len()).prop_map(|results| {
        let mut rows = Vec::new();
        for (at, result) in results.into_iter().enumerate() {
            let prop = PROPS[at / SEEDS.len()];
            let seed = SEEDS[at % SEEDS.len()];
            let prefix = differential_gate::witness_prefix(prop);
            rows.push(match result {
                0 | 1 => Row::new(prop, seed, Status::Pass, ""),
                2 => Row::new(prop, seed, Status::Fail, format!("{prefix}E|x")),
                _ => Row::new(prop, seed, Status::Fail, format!("{prefix}E|y")),
            });
        }
        rows
    })
}

fn lines(side: Side, rows: &[Row]) -> Vec<u8> {
    let (contract, mut out) = (contract(), Vec::new());
    for row in rows {
        write_row(&mut out, &contract, side, row).unwrap();
    }
    out
}

fn judge(parent: &[Row], patch: &[Row]) -> differential_gate::GateDecision {
    let (parent, patch) = (lines(Side::Parent, parent), lines(Side::Patch, patch));
    decide(&contract(), parent.as_slice(), patch.as_slice())
}

proptest! {
    #[test]
    fn a_passing_parent_never_excuses_a_failing_patch(patch in whole_side(), at in 0..12_usize) {
        let parent: Vec<Row> = patch
            .iter()
            .map(|row| Row::new(&row.prop, row.seed, Status::Pass, ""))
            .collect();
        let mut patch = patch;
        patch[at] = Row::new(&patch[at].prop, patch[at].seed, Status::Fail, "");
        let decision = judge(&parent, &patch);
        prop_assert_eq!(decision.reason(), Reason::Regression);
    }

    #[test]
    fn how_properties_interleave_does_not_matter(
        parent in whole_side(), patch in whole_side(),
        order in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        // Any merge of the properties' own sequences: take their next row in a drawn order.
        let mixed = |rows: &[Row]| {
            let mut next = [0_usize; 3];
            order.iter().map(|at| {
                let prop = at % PROPS.len();
                let row = rows[prop * SEEDS.len() + next[prop]].clone();
                next[prop] += 1;
                row
            }).collect::<Vec<_>>()
        };
        prop_assert_eq!(judge(&mixed(&parent), &mixed(&patch)), judge(&parent, &patch));
    }

    #[test]
    fn no_bytes_make_it_panic_or_accept(
        parent in proptest::collection::vec(any::<u8>(), 0..300),
        patch in "[\\[\\]{}\":,a-z0-9\\\\ \n]{0,300}",
    ) {
        let decision = decide(&contract(), parent.as_slice(), patch.as_bytes());
        prop_assert_eq!(decision.decision(), Decision::Reject);
    }

    #[test]
    fn a_torn_patch_never_reads_better(parent in whole_side(), patch in whole_side(), cut in 0..5_000_usize) {
        let whole = judge(&parent, &patch);
        let mut bytes = lines(Side::Patch, &patch);
        bytes.truncate(cut.min(bytes.len().saturating_sub(2)));
        let torn = decide(&contract(), lines(Side::Parent, &parent).as_slice(), bytes.as_slice());
        prop_assert_eq!(torn.decision(), Decision::Reject, "{:?}", whole.reason());
    }

    #[test]
    fn no_further_row_turns_a_complete_reject_into_anything_else(
        parent in whole_side(), patch in whole_side(), row in any_row(), at in 0..13_usize, on_patch: bool,
    ) {
        // A complete side has every row it may have: one more is a double, a stranger, or out of
        // the schedule.
        let (mut longer_parent, mut longer_patch) = (parent, patch);
        let side = if on_patch { &mut longer_patch } else { &mut longer_parent };
        side.insert(at.min(side.len()), row);
        prop_assert_eq!(judge(&longer_parent, &longer_patch).decision(), Decision::Reject);
    }

    #[test]
    fn adding_rows_one_by_one_accepts_only_what_is_complete(rows in proptest::collection::vec(any_row(), 0..40)) {
        let parent: Vec<Row> = PROPS
            .iter()
            .flat_map(|prop| SEEDS.map(|seed| Row::new(*prop, seed, Status::Pass, "")))
            .collect();
        let decision = judge(&parent, &rows);
        if decision.decision() != Decision::Reject {
            prop_assert_eq!(rows.len(), PROPS.len() * SEEDS.len());
            prop_assert!(rows.iter().all(|row| row.status == Status::Pass));
        }
    }
}
