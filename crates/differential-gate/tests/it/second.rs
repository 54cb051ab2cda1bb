//! A second and naive gate, written from the rules alone, beside the real one on generated files.
use std::collections::{BTreeMap, BTreeSet};

use differential_gate::{Contract, ContractDraft, Property, Side, decide};
use proptest::prelude::*;

use crate::made::STOP_ORDER;

const PROPS: [&str; 3] = ["a", "b|c", "d::e"];
const SEEDS: [i64; 3] = [5, -1, 9];

/// What a row may be wrong about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Nothing,
    Contract,
    Tree,
    Spec,
    Fixtures,
}

#[derive(Debug, Clone)]
enum Line {
    Blank,
    Malformed,
    Row {
        wrong: Wrong,
        prop: &'static str,
        seed: i64,
        /// `p` passes; `0`, `w` and `x` fail without a class; other signs are classes.
        sign: char,
    },
}

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

fn witness(prop: &str, sign: char) -> String {
    match sign {
        'p' | '0' => String::new(),
        'w' => "  ".to_owned(),
        'x' => "other|E|x".to_owned(),
        class => format!("{}|E|{class}", prop.replace('|', "\\|")),
    }
}

fn written(line: &Line, side: Side) -> String {
    let contract = contract();
    match line {
        Line::Blank => " \t\r\n".to_owned(),
        Line::Malformed => "{\"prop\":\"a\",\"seed\":5,\"status\":\"pass\"}\n".to_owned(),
        Line::Row {
            wrong,
            prop,
            seed,
            sign,
        } => {
            let pick = |kind: Wrong, right: &str| {
                if *wrong == kind {
                    "other".to_owned()
                } else {
                    right.to_owned()
                }
            };
            // The keys stand in another order than the writer's, with a further one between.
            let row = serde_json::json!({
                "seed": seed,
                "witness": witness(prop, *sign),
                "duration_ms": 1.5,
                "status": if *sign == 'p' { "pass" } else { "fail" },
                "prop": prop,
                "fixture_closure_hash": pick(Wrong::Fixtures, contract.fixture_closure_hash()),
                "spec_hash": pick(Wrong::Spec, contract.spec_hash()),
                "tree_sha": pick(Wrong::Tree, contract.tree_sha(side)),
                "contract_hash": pick(Wrong::Contract, contract.hash()),
            });
            format!("{row}\n")
        }
    }
}

/// What the naive gate knows of one side.
#[derive(Debug, Default)]
struct Known {
    stops: BTreeSet<&'static str>,
    /// Lines, counted, ignored, pass, fail.
    rows: [u64; 5],
    signs: BTreeMap<(&'static str, i64), char>,
}

fn known(lines: &[Line]) -> Known {
    let mut known = Known::default();
    let mut last = BTreeMap::new();
    for line in lines {
        let (wrong, prop, seed, sign) = match line {
            Line::Blank => continue,
            Line::Malformed => {
                known.rows[0] += 1;
                known.stops.insert("malformed_row");
                continue;
            }
            Line::Row {
                wrong,
                prop,
                seed,
                sign,
            } => (*wrong, *prop, *seed, *sign),
        };
        known.rows[0] += 1;
        if wrong == Wrong::Contract {
            known.rows[2] += 1;
            continue;
        }
        known.rows[1] += 1;
        known.rows[if sign == 'p' { 3 } else { 4 }] += 1;
        match wrong {
            Wrong::Tree => drop(known.stops.insert("wrong_tree")),
            Wrong::Spec => drop(known.stops.insert("spec_hash_mismatch")),
            Wrong::Fixtures => drop(known.stops.insert("fixture_hash_mismatch")),
            Wrong::Nothing | Wrong::Contract => {}
        }
        if !PROPS.contains(&prop) {
            known.stops.insert("unknown_property");
            continue;
        }
        let Some(place) = SEEDS.iter().position(|known| *known == seed) else {
            known.stops.insert("seed_schedule_mismatch");
            continue;
        };
        if known.signs.contains_key(&(prop, seed)) {
            known.stops.insert("duplicate_row");
            continue;
        }
        known.signs.insert((prop, seed), sign);
        let highest = last.entry(prop).or_insert(place);
        if place < *highest {
            known.stops.insert("seed_schedule_mismatch");
        }
        *highest = place.max(*highest);
    }
    if known.rows[1] == 0 {
        known.stops.insert("incomplete_contract");
    }
    known
}

fn judged(prop: &'static str, parent: &Known, patch: &Known) -> &'static str {
    let course = |side: &Known| -> Option<Vec<char>> {
        let signs = SEEDS.map(|seed| side.signs.get(&(prop, seed)).copied());
        signs.into_iter().collect()
    };
    let (Some(parent), Some(patch)) = (course(parent), course(patch)) else {
        return "missing_seed";
    };
    let classes = |signs: &[char]| -> BTreeSet<char> {
        signs.iter().copied().filter(|sign| *sign != 'p').collect()
    };
    let silent = |signs: &[char]| signs.iter().any(|sign| matches!(sign, '0' | 'w' | 'x'));
    let fails = |signs: &[char]| !classes(signs).is_empty();
    match (fails(&parent), fails(&patch)) {
        (false, false) => "both_pass",
        (false, true) => "regression",
        (true, false) => "parent_fail_cleared",
        (true, true) if silent(&parent) || silent(&patch) => "witness_missing",
        (true, true) if classes(&parent) != classes(&patch) => "witness_mismatch",
        (true, true) if parent.contains(&'p') || patch.contains(&'p') => "shared_variant_fail",
        (true, true) => "uniform_fail",
    }
}

const RANKS: [&str; 8] = [
    "regression",
    "witness_mismatch",
    "witness_missing",
    "uniform_fail",
    "missing_seed",
    "shared_variant_fail",
    "parent_fail_cleared",
    "both_pass",
];

/// The reason that speaks for the patch.
fn naive(parent: &Known, patch: &Known) -> &'static str {
    let stopped = STOP_ORDER
        .into_iter()
        .find(|code| parent.stops.contains(code) || patch.stops.contains(code));
    stopped.unwrap_or_else(|| {
        let judged: BTreeSet<_> = PROPS.map(|prop| judged(prop, parent, patch)).into();
        let speaks = RANKS.into_iter().find(|rank| judged.contains(rank));
        speaks.unwrap()
    })
}

/// A whole side with mostly good rows.
fn whole_side() -> impl Strategy<Value = Vec<Line>> {
    let sign = prop_oneof![6 => Just('p'), 4 => Just('A'), 1 => Just('B'), 1 => Just('0'), 1 => Just('w'), 1 => Just('x')];
    proptest::collection::vec(sign, PROPS.len() * SEEDS.len()).prop_map(|signs| {
        let row = |(at, sign): (usize, char)| Line::Row {
            wrong: Wrong::Nothing,
            prop: PROPS[at % PROPS.len()],
            seed: SEEDS[at / PROPS.len()],
            sign,
        };
        signs.into_iter().enumerate().map(row).collect()
    })
}

/// One thing that happens to a file: what, and where.
fn spoilt() -> impl Strategy<Value = (u8, usize, usize)> {
    (0..12_u8, 0..20_usize, 0..20_usize)
}

fn spoil(lines: &mut Vec<Line>, (what, at, other): (u8, usize, usize)) {
    let len = lines.len();
    if len == 0 {
        return;
    }
    let (at, other) = (at % len, other % len);
    let stranger = |prop: &'static str, seed: i64| Line::Row {
        wrong: Wrong::Nothing,
        prop,
        seed,
        sign: 'p',
    };
    let wrongs = [Wrong::Contract, Wrong::Tree, Wrong::Spec, Wrong::Fixtures];
    match what {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, Line::Malformed),
        2 => lines.insert(at, Line::Blank),
        3 => lines.insert(other, lines[at].clone()),
        4 => lines.swap(at, other),
        5 => lines.insert(at, stranger("stranger", 5)),
        6 => lines.insert(at, stranger("a", 6)),
        7 => lines.clear(),
        kind => {
            if let Line::Row { wrong, .. } = &mut lines[at] {
                *wrong = wrongs[usize::from(kind) % 4];
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn the_gate_and_the_naive_one_agree(
        parent in whole_side(), patch in whole_side(), alike: bool,
        spoilt_parent in proptest::collection::vec(spoilt(), 0..2),
        spoilt_patch in proptest::collection::vec(spoilt(), 0..3),
    ) {
        // Half of the time the patch fails as the parent does, or there would be few proposals.
        let (mut parent, mut patch) = (parent.clone(), if alike { parent } else { patch });
        for how in spoilt_parent {
            spoil(&mut parent, how);
        }
        for how in spoilt_patch {
            spoil(&mut patch, how);
        }
        let text = |lines: &[Line], side| lines.iter().map(|line| written(line, side)).collect::<String>();
        let (left, right) = (text(&parent, Side::Parent), text(&patch, Side::Patch));
        let decision = decide(&contract(), left.as_bytes(), right.as_bytes());
        let (parent, patch) = (known(&parent), known(&patch));
        let reason = naive(&parent, &patch);
        prop_assert_eq!(decision.reason().as_str(), reason, "{}\n{}", left, right);
        let word = match reason {
            "both_pass" | "parent_fail_cleared" => "accept",
            "shared_variant_fail" => "propose_freeze",
            _ => "reject",
        };
        prop_assert_eq!(decision.decision().as_str(), word);
        for (side, known) in [(Side::Parent, &parent), (Side::Patch, &patch)] {
            let rows = decision.rows(side);
            prop_assert_eq!([rows.lines, rows.counted, rows.ignored, rows.pass, rows.fail], known.rows);
        }
        let stopped = !parent.stops.is_empty() || !patch.stops.is_empty();
        prop_assert_eq!(decision.results().is_empty(), stopped);
        for result in decision.results() {
            let prop = PROPS.into_iter().find(|prop| *prop == result.prop).unwrap();
            prop_assert_eq!(result.reason.as_str(), judged(prop, &parent, &patch));
            for (summary, known) in [(&result.parent, &parent), (&result.patch, &patch)] {
                let signs: Vec<char> = known.signs.iter().filter(|((id, _), _)| *id == prop).map(|(_, sign)| *sign).collect();
                let fails = signs.iter().filter(|sign| **sign != 'p').count() as u64;
                prop_assert_eq!((summary.pass, summary.fail), (signs.len() as u64 - fails, fails));
                let texts: BTreeSet<String> = signs.iter().filter(|sign| **sign != 'p').map(|sign| witness(prop, *sign)).collect();
                prop_assert_eq!(&summary.witnesses, &texts.into_iter().collect::<Vec<_>>());
            }
        }
    }
}
