//! Verdicts of every kind, as a check would write them.
use std::collections::BTreeMap;

use patch_verdict_core::wire::{
    Earlier, Excluded, Gate, GateResult, SideCounts, UnscoredCounts, UnscoredTest, VerdictDocument,
};
use patch_verdict_core::{Finding, TestId, Verdict};
use verdict_report::example;

pub(crate) fn id(name: &str) -> TestId {
    TestId::from_junit("tests.test_cart", name)
}

pub(crate) fn result(
    name: &str,
    decision: Verdict,
    reason: &str,
    (parent_failed, patch_failed): (u64, u64),
) -> GateResult {
    let side = |fail: u64| SideCounts {
        pass: 3 - fail,
        fail,
        witnesses: Vec::new(),
    };
    GateResult {
        id: id(name),
        decision,
        reason: reason.to_owned(),
        parent: side(parent_failed),
        patch: side(patch_failed),
        bounds: format!("parent {parent_failed}/3 failed, patch {patch_failed}/3 failed"),
        excerpt: (patch_failed > 0).then(|| "AssertionError: assert 2 == 3".to_owned()),
    }
}

fn gate(passing: usize, results: Vec<GateResult>) -> Gate {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    if passing > 0 {
        reasons.insert("both_pass".to_owned(), passing);
    }
    for result in &results {
        *reasons.entry(result.reason.clone()).or_default() += 1;
    }
    let decision = results.iter().map(|one| one.decision).max();
    Gate {
        decision: decision.unwrap_or(Verdict::Accept),
        reason: "both_pass".to_owned(),
        rows: BTreeMap::new(),
        reasons,
        results,
        passing_rate_upper: Some(0.631_596),
        confidence: 0.95,
    }
}

/// A verdict with its findings; the first one decides.
fn told(
    verdict: Verdict,
    reason: &str,
    headline: &str,
    gate: Option<Gate>,
    findings: Vec<Finding>,
) -> VerdictDocument {
    let mut document = example();
    document.scope.properties = gate.as_ref().map_or(0, |gate| gate.reasons.values().sum());
    document.scope.discovered = document.scope.properties;
    if gate.is_none() {
        document.contract_hash = None;
    }
    document.new_failures = findings
        .iter()
        .filter(|finding| finding.code == "regression")
        .flat_map(|finding| finding.tests.clone())
        .collect();
    document.verdict = verdict;
    reason.clone_into(&mut document.reason);
    headline.clone_into(&mut document.headline);
    document.gate = gate;
    document.findings = findings;
    document
}

pub(crate) fn accept() -> VerdictDocument {
    told(
        Verdict::Accept,
        "both_pass",
        "nothing new fails in 5 tests",
        Some(gate(5, Vec::new())),
        Vec::new(),
    )
}

pub(crate) fn narrowed_accept() -> VerdictDocument {
    let mut document = accept();
    document.scope.narrowed = true;
    document.scope.kind = "failed_in".to_owned();
    document.scope.not_judged = 95;
    document
}

pub(crate) fn cleared_accept() -> VerdictDocument {
    let cleared = result("test_total", Verdict::Accept, "parent_fail_cleared", (3, 0));
    told(
        Verdict::Accept,
        "parent_fail_cleared",
        "nothing new fails in 5 tests; 1 failed before and passes now",
        Some(gate(4, vec![cleared])),
        Vec::new(),
    )
}

pub(crate) fn regressions(count: usize) -> VerdictDocument {
    let results: Vec<GateResult> = (0..count)
        .map(|number| {
            let name = format!("test_{number}");
            result(&name, Verdict::Reject, "regression", (0, 3))
        })
        .collect();
    let ids = results.iter().map(|one| one.id.clone()).collect();
    let detail = format!("{count} tests passed on the parent and fail with the patch");
    let finding = Finding::new(Verdict::Reject, "regression", &detail, ids);
    let gate = Some(gate(700, results));
    told(Verdict::Reject, "regression", &detail, gate, vec![finding])
}

pub(crate) fn propose_freeze() -> VerdictDocument {
    let name = "test_oldest_goes_first";
    let shared = result(name, Verdict::ProposeFreeze, "shared_variant_fail", (1, 2));
    let detail = "1 test fails now and then on both sides, in the same way";
    let reason = "shared_variant_fail";
    let finding = Finding::new(Verdict::ProposeFreeze, reason, detail, vec![id(name)]);
    let gate = Some(gate(4, vec![shared]));
    let mut document = told(Verdict::ProposeFreeze, reason, detail, gate, vec![finding]);
    document.failing_on_both = vec![id(name)];
    document.earlier = vec![Earlier {
        contract_hash: format!("sha256:{}", "cd".repeat(32)),
        verdict: Verdict::Reject,
        reason: "regression".to_owned(),
        seeds: vec![11],
        replaced: true,
    }];
    document
}

pub(crate) fn spec_review() -> VerdictDocument {
    let finding = |code: &str, detail: &str, name: &str| {
        Finding::new(Verdict::SpecReview, code, detail, vec![id(name)])
    };
    let mut document = told(
        Verdict::SpecReview,
        "changed",
        "the patch changed 1 test it is judged by (and one more reason)",
        Some(gate(3, Vec::new())),
        vec![
            finding(
                "changed",
                "the patch changed 1 test it is judged by",
                "test_total",
            ),
            finding("removed", "the patch removed 1 test", "test_gone"),
        ],
    );
    let excluded = |name: &str, reason: &str, parts: &[&str]| Excluded {
        id: id(name),
        reason: reason.to_owned(),
        parts: parts.iter().map(|part| (*part).to_owned()).collect(),
    };
    document.excluded = vec![
        excluded("test_gone", "removed", &[]),
        excluded(
            "test_total",
            "changed",
            &["conftest:tests/conftest.py", "function"],
        ),
    ];
    document.changed_tests = vec![UnscoredTest {
        id: id("test_total"),
        parent: UnscoredCounts {
            pass: 3,
            ..UnscoredCounts::default()
        },
        patch: UnscoredCounts {
            pass: 3,
            ..UnscoredCounts::default()
        },
    }];
    document.not_run = vec![id("test_on_windows")];
    document
}

pub(crate) fn new_test_failed() -> VerdictDocument {
    let detail = "1 test is new and fails with the patch";
    let tests = vec![id("test_refund")];
    let finding = Finding::new(Verdict::Reject, "new_test_failed", detail, tests);
    let gate = Some(gate(5, Vec::new()));
    let mut document = told(
        Verdict::Reject,
        "new_test_failed",
        detail,
        gate,
        vec![finding],
    );
    document.new_tests = vec![UnscoredTest {
        id: id("test_refund"),
        parent: UnscoredCounts::default(),
        patch: UnscoredCounts {
            pass: 1,
            fail: 2,
            ..UnscoredCounts::default()
        },
    }];
    document.new_failures = vec![id("test_refund")];
    document
}

pub(crate) fn uniform_fail() -> VerdictDocument {
    let names = ["test_dns", "test_proxy"];
    let results: Vec<GateResult> = names
        .into_iter()
        .map(|name| result(name, Verdict::Reject, "uniform_fail", (3, 3)))
        .collect();
    let ids: Vec<TestId> = names.into_iter().map(id).collect();
    let detail = "2 tests fail in every run of both sides";
    let finding = Finding::new(Verdict::Reject, "uniform_fail", detail, ids.clone());
    let mut document = told(
        Verdict::Reject,
        "uniform_fail",
        "2 tests fail on both sides; this patch broke nothing new",
        Some(gate(3, results)),
        vec![finding],
    );
    document.failing_on_both = ids;
    document
}

pub(crate) fn foreign_code() -> VerdictDocument {
    let detail = "both sides loaded `shop` from `/srv/venv/lib/shop/__init__.py`, outside their trees: \
                  neither tested its own code";
    let finding = Finding::new(Verdict::NotApplicable, "foreign_code", detail, Vec::new());
    told(
        Verdict::NotApplicable,
        "foreign_code",
        detail,
        None,
        vec![finding],
    )
}

pub(crate) fn setup_failed() -> VerdictDocument {
    let detail =
        "the set-up passes on the parent and fails with the patch: `pip install -e .` ended with 1";
    let finding = Finding::new(Verdict::Reject, "setup_failed", detail, Vec::new());
    told(Verdict::Reject, "setup_failed", detail, None, vec![finding])
}

pub(crate) fn unaccounted_id() -> VerdictDocument {
    let ids = (10..24)
        .map(|number| id(&format!("test_spawned_{number}")))
        .collect();
    let detail = "14 tests of the patch's runs stood in no list before them";
    let finding = Finding::new(Verdict::Reject, "unaccounted_id", detail, ids);
    let gate = Some(gate(5, Vec::new()));
    told(
        Verdict::Reject,
        "unaccounted_id",
        detail,
        gate,
        vec![finding],
    )
}
