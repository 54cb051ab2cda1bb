//! The gate: both sides counted, what stops it as a whole, then the table.
use std::io::BufRead;

use super::document::{GateDecision, PropertyResult, SideSummary};
use super::issues::Issues;
use super::registry::Registry;
use super::tally::{PropertyTally, Rules, Tally};
use super::{Issue, table};
use crate::contract::Schedule;
use crate::{Contract, ContractError, Reason, Side};

/// Decides from the rows of both sides under their contract.
///
/// Whatever the streams hold, there is a decision; what cannot be read is a reject. Memory is
/// bounded by properties times seeds, not by rows. A stream that ends with an error voids its side
/// like bytes that are not UTF-8.
pub fn decide<P: BufRead, Q: BufRead>(contract: &Contract, parent: P, patch: Q) -> GateDecision {
    let mut registry = Registry::closed(contract.properties().iter().map(|p| p.id.as_str()));
    let rules = |side| Rules::Bound { contract, side };
    let seeds = contract.seeds();
    let parent = Tally::count(rules(Side::Parent), seeds, &mut registry, None, parent);
    let beside = Some(&parent);
    let patch = Tally::count(rules(Side::Patch), seeds, &mut registry, beside, patch);
    let scheduled = seeds.len();
    conclude(contract.hash(), true, scheduled, &registry, (parent, patch))
}

/// Decides from bare rows that quote no contract: advice, never a green light.
///
/// The properties are those the schedule names and those that any row names. Any text that is not
/// blank is a witness.
pub fn decide_unbound<P: BufRead, Q: BufRead>(
    schedule: &Schedule,
    parent: P,
    patch: Q,
) -> GateDecision {
    let mut registry = Registry::open(schedule.properties().iter().map(String::as_str));
    let rules = |side| Rules::Unbound { side };
    let seeds = schedule.seeds();
    let parent = Tally::count(rules(Side::Parent), seeds, &mut registry, None, parent);
    let beside = Some(&parent);
    let patch = Tally::count(rules(Side::Patch), seeds, &mut registry, beside, patch);
    let scheduled = seeds.len();
    conclude(
        schedule.hash(),
        false,
        scheduled,
        &registry,
        (parent, patch),
    )
}

/// The decision over a file that is no contract: a reject, whatever the rows are.
pub fn decide_invalid(error: &ContractError) -> GateDecision {
    GateDecision {
        decision: Reason::InvalidContract.decision(),
        reason: Reason::InvalidContract,
        contract_hash: None,
        bound: true,
        scheduled: 0,
        rows: None,
        issues: vec![Issue {
            code: Reason::InvalidContract,
            side: None,
            line: None,
            prop: None,
            detail: Some(error.detail().to_owned()),
        }],
        issues_omitted: 0,
        results: Vec::new(),
    }
}

fn conclude(
    hash: &str,
    bound: bool,
    scheduled: usize,
    registry: &Registry<'_>,
    (parent, patch): (Tally, Tally),
) -> GateDecision {
    let rows = [parent.rows, patch.rows];
    let (issues, issues_omitted) = Issues::merged(parent.issues, patch.issues);
    let stopped = issues.first().map(|issue| issue.code);
    let results = if stopped.is_some() {
        Vec::new()
    } else {
        results(scheduled, registry, parent.properties, patch.properties)
    };
    let judged = results.iter().map(|result| result.reason).min();
    // Without an issue both sides counted a row, so there is a result; were there none, nothing
    // was proven.
    let reason = stopped.or(judged).unwrap_or(Reason::IncompleteContract);
    GateDecision {
        decision: reason.decision(),
        reason,
        contract_hash: Some(hash.to_owned()),
        bound,
        scheduled,
        rows: Some(rows),
        issues,
        issues_omitted,
        results,
    }
}

fn results(
    scheduled: usize,
    registry: &Registry<'_>,
    parent: Vec<PropertyTally>,
    patch: Vec<PropertyTally>,
) -> Vec<PropertyResult> {
    let mut parent = parent.into_iter();
    let mut patch = patch.into_iter();
    let mut results: Vec<_> = registry
        .ids()
        .map(|id| {
            // A side that never met the property has nothing for it: every row is missing.
            let parent = parent.next().unwrap_or_default();
            let patch = patch.next().unwrap_or_default();
            let reason = table::judge(scheduled, &parent, &patch);
            PropertyResult {
                prop: id.to_owned(),
                decision: reason.decision(),
                reason,
                scheduled,
                parent: SideSummary::from(parent),
                patch: SideSummary::from(patch),
            }
        })
        .collect();
    results.sort_unstable_by(|left, right| left.prop.cmp(&right.prop));
    results
}
