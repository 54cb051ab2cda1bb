//! Puts the document of a verdict together.
use std::collections::BTreeSet;

use differential_gate::GateDecision;
use patch_verdict_core::wire::{Environment, Isolation, SCHEMA_VERSION, Scope, VerdictDocument};
use patch_verdict_core::{Evidence, Judgement};
use serde_json::json;

use crate::CheckOptions;
use crate::conclusion::Conclusion;
use crate::contract::environment_digest;
use crate::document::{changed_tests, excluded, gate, new_tests};
use crate::prepare::Prepared;

/// What is known when a verdict is put together.
pub(crate) struct Known<'a> {
    pub(crate) prepared: &'a Prepared,
    pub(crate) options: &'a CheckOptions,
    pub(crate) judgement: &'a Judgement,
    pub(crate) evidence: &'a Evidence,
    pub(crate) decision: Option<&'a GateDecision>,
    /// `None` when the check ended before its runs.
    pub(crate) conclusion: Option<&'a Conclusion>,
}

pub(crate) fn document(known: &Known<'_>) -> VerdictDocument {
    let (prepared, judgement) = (known.prepared, known.judgement);
    let buckets = &known.evidence.buckets;
    let mut notes = prepared.notes.clone();
    notes.extend(known.conclusion.map(Conclusion::notes).unwrap_or_default());
    VerdictDocument {
        schema_version: SCHEMA_VERSION,
        verdict: judgement.verdict,
        reason: judgement.reason.clone(),
        headline: judgement.headline.clone(),
        parent_sha: prepared.revisions.parent.as_str().to_owned(),
        patch_sha: prepared.revisions.patch.as_str().to_owned(),
        contract_hash: None,
        scope: scope(known),
        gate: known
            .decision
            .zip(known.conclusion)
            .map(|(decision, conclusion)| gate(decision, &conclusion.executed.excerpts)),
        new_failures: judgement.new_failures.iter().cloned().collect(),
        failing_on_both: judgement.failing_on_both.iter().cloned().collect(),
        excluded: excluded(buckets),
        not_run: buckets.not_run.iter().cloned().collect(),
        new_tests: new_tests(buckets, &known.evidence.runs),
        changed_tests: changed_tests(buckets, &known.evidence.runs),
        frozen: Vec::new(),
        guard: json!({"checked": false, "instead": "digests of the tests' source"}),
        history: json!({"checked": false}),
        environment: environment(known.conclusion),
        earlier: Vec::new(),
        findings: judgement.findings.clone(),
        isolation: isolation(known.conclusion),
        notes,
        review_dir: None,
        exit_zero: known.options.exit_zero,
        tool: known.options.tool.clone(),
    }
}

fn scope(known: &Known<'_>) -> Scope {
    let prepared = known.prepared;
    let buckets = &known.evidence.buckets;
    Scope {
        kind: prepared.scope.kind().to_owned(),
        narrowed: !buckets.out_of_scope.is_empty(),
        suite: prepared.suite.config.name.clone(),
        framework: prepared.suite.framework.name().to_owned(),
        command: prepared.suite.command.clone(),
        directory: prepared.suite.config.directory.clone(),
        seeds: prepared.seeds.clone(),
        discovered: known.conclusion.map_or(0, Conclusion::discovered),
        properties: buckets.properties.len(),
        not_judged: buckets.out_of_scope.len(),
        base_from: prepared.revisions.base_from.clone(),
        parent_subject: prepared.parent_subject.clone(),
        patch_subject: prepared.patch_subject.clone(),
    }
}

fn environment(conclusion: Option<&Conclusion>) -> Environment {
    conclusion.map_or_else(Environment::default, |conclusion| Environment {
        parent: environment_digest(&conclusion.exploration.parent),
        patch: environment_digest(&conclusion.exploration.patch),
    })
}

fn isolation(conclusion: Option<&Conclusion>) -> Isolation {
    let Some(conclusion) = conclusion else {
        return Isolation::default();
    };
    let list = |set: &BTreeSet<String>| set.iter().cloned().collect();
    Isolation {
        runs: list(&conclusion.executed.isolation),
        gaps: list(&conclusion.executed.gaps),
        seeded: list(&conclusion.executed.seeded),
    }
}
