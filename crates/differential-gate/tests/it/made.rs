//! Contracts and rows made to show given reasons: several properties, or two faults at once.
use differential_gate::{Contract, ContractDraft, Property, Row, Side, Status, write_row};

/// What stops the gate, in the order of the rules.
pub(crate) const STOP_ORDER: [&str; 9] = [
    "invalid_contract",
    "malformed_row",
    "wrong_tree",
    "spec_hash_mismatch",
    "fixture_hash_mismatch",
    "incomplete_contract",
    "unknown_property",
    "seed_schedule_mismatch",
    "duplicate_row",
];

/// The files of one decision.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    pub(crate) contract: String,
    pub(crate) parent: String,
    pub(crate) patch: String,
}

impl Files {
    fn rows(&mut self, side: Side) -> &mut String {
        match side {
            Side::Parent => &mut self.parent,
            Side::Patch => &mut self.patch,
        }
    }
}

/// Both sides' rows for one property to be judged so: `p` passes, `-` is missing, `0` fails
/// without a witness, another sign fails with that class.
fn signs(reason: &str) -> [&'static str; 2] {
    match reason {
        "both_pass" => ["pp", "pp"],
        "parent_fail_cleared" => ["pA", "pp"],
        "shared_variant_fail" => ["pA", "Ap"],
        "missing_seed" => ["pp", "p-"],
        "uniform_fail" => ["AA", "AA"],
        "witness_missing" => ["pA", "p0"],
        "witness_mismatch" => ["pA", "pB"],
        "regression" => ["pp", "pA"],
        other => panic!("{other} is no reason of a property"),
    }
}

/// One property for each reason, with rows for which the table gives just that one.
pub(crate) fn folded(reasons: &[&str]) -> Files {
    // Ids that sort against the order of the reasons, so that the order cannot decide.
    let id = |at: usize| format!("suite::p{:02}", 99 - at);
    let properties = (0..reasons.len())
        .map(|at| {
            Property::new(id(at), "passes")
                .with_spec_hash("s")
                .with_fixture_closure_hash("f")
        })
        .collect();
    let contract = ContractDraft::new("1".repeat(40), "2".repeat(40), vec![7, 3], properties)
        .build()
        .unwrap();
    let side = |side: Side| {
        let mut out = Vec::new();
        for (place, seed) in [(0, 7), (1, 3)] {
            for (at, reason) in reasons.iter().enumerate() {
                let [parent, patch] = signs(reason);
                let of_side = match side {
                    Side::Parent => parent,
                    Side::Patch => patch,
                };
                let row = match of_side.chars().nth(place).unwrap() {
                    '-' => continue,
                    'p' => Row::new(id(at), seed, Status::Pass, ""),
                    '0' => Row::new(id(at), seed, Status::Fail, ""),
                    class => {
                        let witness = format!("{}|Error|{class}", id(at));
                        Row::new(id(at), seed, Status::Fail, witness)
                    }
                };
                write_row(&mut out, &contract, side, &row).unwrap();
            }
        }
        String::from_utf8(out).unwrap()
    };
    Files {
        parent: side(Side::Parent),
        patch: side(Side::Patch),
        contract: contract.to_json(),
    }
}

/// The files with a fault that stops the gate by `code`, on `side` where a side has it; the other
/// side is the one that has no rows for `incomplete_contract`.
pub(crate) fn with_fault(mut files: Files, code: &str, side: Side) -> Files {
    let contract = Contract::from_json(files.contract.as_bytes());
    // Each fault takes a row of its own, so that none hides another.
    let replace = |files: &mut Files, row: usize, key: &str, old: &str| {
        let (old, new) = (format!("\"{key}\":\"{old}\""), format!("\"{key}\":\"x\""));
        let rows = files.rows(side);
        let mut lines: Vec<String> = rows.lines().map(str::to_owned).collect();
        assert!(lines[row].contains(&old), "{}", lines[row]);
        lines[row] = lines[row].replace(&old, &new);
        *rows = lines.join("\n") + "\n";
    };
    let add = |files: &mut Files, prop: &str, seed: i64| {
        let mut out = Vec::new();
        let row = Row::new(prop, seed, Status::Pass, "");
        write_row(&mut out, contract.as_ref().unwrap(), side, &row).unwrap();
        files.rows(side).push_str(&String::from_utf8(out).unwrap());
    };
    match code {
        "invalid_contract" => files.contract.insert(0, 'x'),
        "malformed_row" => files.rows(side).push_str("{\"prop\":\"suite::p99\"}\n"),
        "wrong_tree" => {
            let sha = contract.as_ref().unwrap().tree_sha(side).to_owned();
            replace(&mut files, 0, "tree_sha", &sha);
        }
        "spec_hash_mismatch" => {
            let hash = contract.as_ref().unwrap().spec_hash().to_owned();
            replace(&mut files, 1, "spec_hash", &hash);
        }
        "fixture_hash_mismatch" => {
            let hash = contract.as_ref().unwrap().fixture_closure_hash().to_owned();
            replace(&mut files, 2, "fixture_closure_hash", &hash);
        }
        "incomplete_contract" => match side {
            Side::Parent => files.patch.clear(),
            Side::Patch => files.parent.clear(),
        },
        "unknown_property" => add(&mut files, "suite::stranger", 7),
        "seed_schedule_mismatch" => add(&mut files, "suite::p99", 1_000),
        "duplicate_row" => add(&mut files, "suite::p99", 3),
        other => panic!("{other} does not stop the gate"),
    }
    files
}

/// Every pair of codes that stop the gate: the files with both faults, the code that speaks, and
/// the other one.
pub(crate) fn every_pair_of_faults() -> Vec<(Files, &'static str, &'static str)> {
    let mut pairs = Vec::new();
    for (at, first) in STOP_ORDER.into_iter().enumerate() {
        for second in STOP_ORDER.into_iter().skip(at + 1) {
            for side in Side::BOTH {
                for reasons in [["both_pass", "both_pass"], ["both_pass", "regression"]] {
                    // The contract is broken last: the rows quote the whole one.
                    let files = with_fault(folded(&reasons), second, side);
                    pairs.push((with_fault(files, first, side), first, second));
                }
            }
        }
    }
    pairs
}
