//! A small verdict for examples and tests.
use std::collections::BTreeMap;

use patch_verdict_core::wire::{
    Environment, Gate, GateResult, Isolation, RowCounts, SCHEMA_VERSION, Scope, SideCounts, Tool,
    VerdictDocument,
};
use patch_verdict_core::{Finding, TestId, Verdict};

/// A rejected patch with one regression among five tests.
pub fn example() -> VerdictDocument {
    let id = TestId::from_junit("tests.test_cart.TestTotal", "test_rounds_up");
    let counts = |pass, fail| SideCounts {
        pass,
        fail,
        witnesses: Vec::new(),
    };
    let detail = "1 test passed on the parent and fails with the patch";
    VerdictDocument {
        schema_version: SCHEMA_VERSION,
        verdict: Verdict::Reject,
        reason: "regression".to_owned(),
        headline: detail.to_owned(),
        parent_sha: "1111111111111111111111111111111111111111".to_owned(),
        patch_sha: "2222222222222222222222222222222222222222".to_owned(),
        contract_hash: Some(format!("sha256:{}", "ab".repeat(32))),
        scope: Scope {
            kind: "suite".to_owned(),
            suite: "default".to_owned(),
            framework: "pytest".to_owned(),
            command: vec!["pytest".to_owned()],
            directory: ".".to_owned(),
            seeds: vec![11, 12, 13],
            discovered: 5,
            properties: 5,
            parent_subject: "cart: add totals".to_owned(),
            patch_subject: "cart: round half to even".to_owned(),
            ..Scope::default()
        },
        gate: Some(Gate {
            decision: Verdict::Reject,
            reason: "regression".to_owned(),
            rows: BTreeMap::from([("parent".to_owned(), RowCounts::default())]),
            reasons: BTreeMap::from([("both_pass".to_owned(), 4), ("regression".to_owned(), 1)]),
            results: vec![GateResult {
                id: id.clone(),
                decision: Verdict::Reject,
                reason: "regression".to_owned(),
                parent: counts(3, 0),
                patch: counts(0, 3),
                bounds: "parent 0/3 failed, patch 3/3 failed".to_owned(),
                excerpt: Some("AssertionError: assert 2 == 3".to_owned()),
            }],
            passing_rate_upper: Some(0.631_596),
            confidence: 0.95,
        }),
        new_failures: vec![id.clone()],
        failing_on_both: Vec::new(),
        excluded: Vec::new(),
        not_run: Vec::new(),
        new_tests: Vec::new(),
        changed_tests: Vec::new(),
        frozen: Vec::new(),
        guard: serde_json::json!({"checked": false}),
        history: serde_json::json!({"checked": false}),
        environment: Environment::default(),
        earlier: Vec::new(),
        findings: vec![Finding::new(
            Verdict::Reject,
            "regression",
            detail,
            vec![id],
        )],
        isolation: Isolation::default(),
        notes: Vec::new(),
        review_dir: Some(".patch-verdict/reviews/abababababababab".to_owned()),
        exit_zero: false,
        tool: Tool::default(),
    }
}
