//! The handed folds and the stop order, each through a whole decision.
use std::fs;

use differential_gate::{Contract, GateDecision, decide, decide_invalid};
use serde_json::Value;

use crate::made::{Files, STOP_ORDER, every_pair_of_faults, folded};
use crate::shared_cases::{exit_code, shared};

fn decided(files: &Files) -> GateDecision {
    match Contract::from_json(files.contract.as_bytes()) {
        Ok(contract) => decide(&contract, files.parent.as_bytes(), files.patch.as_bytes()),
        Err(error) => decide_invalid(&error),
    }
}

fn handed() -> Option<Value> {
    let file = shared()?.join("cases/decision-table.json");
    Some(serde_json::from_slice(&fs::read(file).unwrap()).unwrap())
}

#[test]
fn every_handed_fold_of_properties_is_decided_as_it_says() {
    let Some(table) = handed() else { return };
    let folds = table["patch_fold"].as_array().unwrap();
    assert!(folds.len() >= 255);
    for fold in folds {
        let reasons: Vec<&str> = fold["reasons"]
            .as_array()
            .unwrap()
            .iter()
            .map(|reason| reason.as_str().unwrap())
            .collect();
        let decision = decided(&folded(&reasons));
        assert_eq!(fold["decision"], decision.decision().as_str(), "{fold}");
        assert_eq!(fold["reason"], decision.reason().as_str(), "{fold}");
        assert_eq!(fold["exit_code"], exit_code(decision.decision()), "{fold}");
        // The properties themselves are what the fold is made of.
        let mut own: Vec<&str> = decision
            .results()
            .iter()
            .map(|result| result.reason.as_str())
            .collect();
        own.reverse();
        assert_eq!(own, reasons);
    }
}

/// What is decided of one property alone, without the order of the reasons' type.
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

#[test]
fn of_any_two_properties_the_graver_one_speaks() {
    for (at, first) in RANKS.into_iter().enumerate() {
        for second in RANKS.into_iter().skip(at) {
            for reasons in [[first, second], [second, first]] {
                let decision = decided(&folded(&reasons));
                assert_eq!(decision.reason().as_str(), first, "{reasons:?}");
            }
        }
    }
}

#[test]
fn of_any_two_faults_the_first_in_stop_order_speaks() {
    let pairs = every_pair_of_faults();
    assert_eq!(pairs.len(), 36 * 2 * 2);
    for (files, first, second) in pairs {
        let decision = decided(&files);
        assert_eq!(decision.reason().as_str(), first, "{first} {second}");
        assert_eq!(decision.decision().as_str(), "reject", "{first} {second}");
        assert!(decision.results().is_empty(), "{first} {second}");
        let codes: Vec<_> = decision.issues().iter().map(|i| i.code.as_str()).collect();
        // Without a contract nothing is known of the rows.
        if first != "invalid_contract" {
            assert!(codes.contains(&second), "{first} {second} {codes:?}");
        }
    }
}

#[test]
fn the_handed_stop_order_is_the_one_tested() {
    let Some(table) = handed() else { return };
    let handed = table["stop_order"].as_array().unwrap();
    let codes: Vec<&str> = handed
        .iter()
        .map(|entry| entry["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, STOP_ORDER);
    assert!(handed.iter().all(|entry| entry["exit_code"] == 1));
}
