//! From the cases of one report to one outcome a test.
use std::collections::BTreeMap;

use crate::{Outcome, TestId};

/// One case of a report, as the fold needs it.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built by whoever reads a report")]
pub struct CaseResult {
    /// The test it belongs to.
    pub id: TestId,
    /// The framework's own id, where it is known.
    pub node: Option<String>,
    /// What happened; a failed attempt makes it a fail, whatever came after.
    pub status: Outcome,
    /// The witness class of a failure; empty for none.
    pub witness: String,
    /// The unclipped failure text; empty for none.
    pub failure_text: String,
    /// Milliseconds, where the report has a time.
    pub duration_ms: Option<f64>,
}

/// One test of one run: the fold of its cases.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TestResult {
    /// Fail outranks skip, skip outranks pass.
    pub status: Outcome,
    /// Cases (attempts, repeated ids) that were folded.
    pub cases: u32,
    /// The smallest witness of the failing cases; empty when nothing failed, or one has none.
    pub witness: String,
    /// The failure text of that case.
    pub failure_text: String,
    /// Milliseconds of all cases together.
    pub duration_ms: Option<f64>,
    /// The framework's own ids of the cases, sorted, without doubles.
    pub nodes: Vec<String>,
}

/// All results of one run by test.
pub type RunResults = BTreeMap<TestId, TestResult>;

/// Folds cases into one result a test: a failure of either case counts (RULES §2, attempts).
pub fn fold_cases(cases: impl IntoIterator<Item = CaseResult>) -> RunResults {
    let mut results = RunResults::new();
    for case in cases {
        let result = results.entry(case.id).or_insert_with(|| TestResult {
            status: Outcome::Pass,
            cases: 0,
            witness: String::new(),
            failure_text: String::new(),
            duration_ms: None,
            nodes: Vec::new(),
        });
        result.cases += 1;
        if case.status == Outcome::Fail {
            keep_witness(result, case.witness, case.failure_text);
        }
        result.status = result.status.max(case.status);
        if let Some(milliseconds) = case.duration_ms {
            result.duration_ms = Some(result.duration_ms.unwrap_or(0.0) + milliseconds);
        }
        if let Some(node) = case.node
            && let Err(place) = result.nodes.binary_search(&node)
        {
            result.nodes.insert(place, node);
        }
    }
    results
}

/// Several failing cases of one id have several witnesses: the row holds the smallest, so that the
/// order of cases in a report decides nothing, and an empty one wins, so that it counts as missing.
fn keep_witness(result: &mut TestResult, witness: String, failure_text: String) {
    let first = result.status != Outcome::Fail;
    if first || (&witness, &failure_text) < (&result.witness, &result.failure_text) {
        result.witness = witness;
        result.failure_text = failure_text;
    }
}
