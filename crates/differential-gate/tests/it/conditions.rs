//! The seven conditions of `propose_freeze`: only together do they make one.
use differential_gate::{Contract, ContractDraft, Property, Row, Side, Status, decide, write_row};

use crate::shared_cases::shared;

/// Same spec hash, same fixture closure hash, same schedule, parent fails, patch fails, same
/// witness class, not all-fail.
type Conditions = [bool; 7];

fn contract() -> Contract {
    let property = Property::new("t::a", "passes")
        .with_spec_hash("spec")
        .with_fixture_closure_hash("fix");
    ContractDraft::new("1".repeat(40), "2".repeat(40), vec![1, 2], vec![property])
        .build()
        .unwrap()
}

/// Rows of one side: `p` passes, another letter fails with that class.
fn rows(contract: &Contract, side: Side, signs: &str) -> Vec<String> {
    let lines = signs.chars().zip([1, 2]).map(|(sign, seed)| {
        let mut bytes = Vec::new();
        let row = match sign {
            'p' => Row::new("t::a", seed, Status::Pass, ""),
            class => Row::new("t::a", seed, Status::Fail, format!("t::a|E|{class}")),
        };
        write_row(&mut bytes, contract, side, &row).unwrap();
        String::from_utf8(bytes).unwrap()
    });
    lines.collect()
}

/// What the gate says when exactly these conditions hold.
fn decided(conditions: Conditions) -> (String, String) {
    let [
        spec,
        fixtures,
        schedule,
        parent_fails,
        patch_fails,
        same_class,
        mixed,
    ] = conditions;
    let contract = contract();
    let signs = |fails: bool, class: char| match (fails, mixed) {
        (false, _) => "pp".to_owned(),
        (true, true) => format!("p{class}"),
        (true, false) => format!("{class}{class}"),
    };
    let parent = rows(&contract, Side::Parent, &signs(parent_fails, 'A'));
    let class = if same_class { 'A' } else { 'B' };
    let mut patch = rows(&contract, Side::Patch, &signs(patch_fails, class));
    let alter = |lines: &mut Vec<String>, key: &str, hash: &str| {
        let (old, new) = (
            format!("\"{key}\":\"{hash}\""),
            format!("\"{key}\":\"other\""),
        );
        lines.iter_mut().take(1).for_each(|line| {
            assert!(line.contains(&old), "{line}");
            *line = line.replace(&old, &new);
        });
    };
    if !spec {
        alter(&mut patch, "spec_hash", contract.spec_hash());
    }
    if !fixtures {
        alter(
            &mut patch,
            "fixture_closure_hash",
            contract.fixture_closure_hash(),
        );
    }
    if !schedule {
        patch.reverse();
    }
    let decision = decide(
        &contract,
        parent.concat().as_bytes(),
        patch.concat().as_bytes(),
    );
    (
        decision.decision().as_str().to_owned(),
        decision.reason().as_str().to_owned(),
    )
}

fn every_combination() -> impl Iterator<Item = Conditions> {
    (0_u8..128).map(|bits| std::array::from_fn(|place| bits >> place & 1 == 1))
}

/// A schedule on which neither side fails cannot have seen both outcomes.
fn is_possible([.., parent_fails, patch_fails, _, mixed]: Conditions) -> bool {
    parent_fails || patch_fails || !mixed
}

#[test]
fn only_all_seven_together_propose_a_freeze() {
    for conditions in every_combination().filter(|conditions| is_possible(*conditions)) {
        let (decision, reason) = decided(conditions);
        let all = conditions.iter().all(|holds| *holds);
        assert_eq!(decision == "propose_freeze", all, "{conditions:?} {reason}");
        let [
            spec,
            fixtures,
            schedule,
            parent_fails,
            patch_fails,
            same_class,
            mixed,
        ] = conditions;
        let wanted = if !spec {
            "spec_hash_mismatch"
        } else if !fixtures {
            "fixture_hash_mismatch"
        } else if !schedule {
            "seed_schedule_mismatch"
        } else {
            match (parent_fails, patch_fails) {
                (false, false) => "both_pass",
                (false, true) => "regression",
                (true, false) => "parent_fail_cleared",
                (true, true) if !same_class => "witness_mismatch",
                (true, true) if !mixed => "uniform_fail",
                (true, true) => "shared_variant_fail",
            }
        };
        assert_eq!(reason, wanted, "{conditions:?}");
    }
}

#[test]
fn the_handed_conditions_are_decided_as_they_say() {
    let Some(folder) = shared() else { return };
    let file = folder.join("cases/decision-table.json");
    let table: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let keys = [
        "c1_spec_hash_equal",
        "c2_fixture_hash_equal",
        "c3_schedule_equal",
        "c4_parent_fail",
        "c5_patch_fail",
        "c6_same_class",
        "c7_not_uniform",
    ];
    let mut walked = 0;
    for entry in table["seven_conditions"].as_array().unwrap() {
        let conditions = keys.map(|key| entry[key].as_bool().unwrap());
        if entry["impossible"] == true {
            continue;
        }
        let (decision, reason) = decided(conditions);
        assert_eq!(entry["decision"], decision.as_str(), "{conditions:?}");
        assert_eq!(entry["reason"], reason.as_str(), "{conditions:?}");
        walked += 1;
    }
    assert!(walked > 100, "{walked}");
}
