//! From the files one run left behind to facts and rows.
use std::collections::{BTreeMap, BTreeSet};

use differential_gate::{WitnessText, witness_class};
use junit_parse::{Case, Completeness, Limits, Report};
use patch_verdict_core::{CaseResult, Outcome, ReportState, RunResults, StableIds, TestId, fold_cases};
use test_frameworks::Inventory;

/// A run's report, read.
#[derive(Debug)]
pub(crate) struct RunReading {
    pub(crate) report: ReportState,
    pub(crate) results: RunResults,
    pub(crate) uncollectable: Vec<String>,
}

/// What is needed to read a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadingContext<'a> {
    pub(crate) stable: Option<&'a StableIds>,
    /// Files with equal bytes on both sides: their lines may stand in a witness.
    pub(crate) equal_files: &'a BTreeSet<String>,
}

/// Reads `report` and `inventory` (bytes of the files, `None` where there was none).
pub(crate) fn read_run(
    report: Option<&[u8]>,
    inventory: Option<&Inventory>,
    context: ReadingContext<'_>,
) -> RunReading {
    let missing = |state| RunReading { report: state, results: RunResults::new(), uncollectable: Vec::new() };
    let Some(bytes) = report else { return missing(ReportState::Missing) };
    let report = match junit_parse::parse(bytes, &Limits::unlimited_text()) {
        Ok(report) => report,
        Err(error) => return missing(ReportState::Broken(error.to_string())),
    };
    let state = state_of(&report);
    let files = files_by_node(inventory);
    let uncollectable = uncollectable_names(inventory);
    let mut unreadable = BTreeSet::new();
    let mut cases = Vec::new();
    for case in &report.cases {
        let id = TestId::from_junit(&case.suite, &case.name);
        let node = node_of(case);
        if node.is_none() && uncollectable.contains_key(id.as_str()) {
            unreadable.extend(uncollectable.get(id.as_str()).cloned());
            continue;
        }
        let spec_files = spec_files(node, &files, context.equal_files);
        cases.push(case_result(case, id, &spec_files, context.stable));
    }
    let mut results = fold_cases(cases);
    if state != ReportState::Complete {
        // Half a report proves failures, never passes.
        results.retain(|_, result| result.status == Outcome::Fail);
    }
    RunReading { report: state, results, uncollectable: unreadable.into_iter().collect() }
}

fn state_of(report: &Report) -> ReportState {
    match report.completeness() {
        Completeness::Complete | Completeness::Recovered => ReportState::Complete,
        other => ReportState::Broken(format!("{other:?}")),
    }
}

fn case_result(
    case: &Case,
    id: TestId,
    spec_files: &[&str],
    stable: Option<&StableIds>,
) -> CaseResult {
    let id = stable.map_or_else(|| id.clone(), |stable| stable.stable(&id));
    let status = status_of(case);
    let text = WitnessText {
        prop: id.as_str(),
        kind: case.kind.as_deref(),
        message: case.message.as_deref(),
        detail: case.detail.as_deref().unwrap_or_default(),
    };
    let (witness, failure_text) = match status {
        Outcome::Fail => (witness_class(&text, spec_files), failure_text(case)),
        Outcome::Pass | Outcome::Skip => (String::new(), String::new()),
    };
    let duration_ms = case.duration.map(|duration| duration.as_secs_f64() * 1000.0);
    CaseResult { node: node_of(case).map(str::to_owned), id, status, witness, failure_text, duration_ms }
}

/// `error` is a fail, and so is a failed attempt, whatever came after (RULES §3).
fn status_of(case: &Case) -> Outcome {
    let failed = |outcome| matches!(outcome, junit_parse::Outcome::Failed | junit_parse::Outcome::Error);
    if failed(case.outcome) || case.attempts.iter().any(|attempt| failed(attempt.outcome)) {
        return Outcome::Fail;
    }
    match case.outcome {
        junit_parse::Outcome::Passed => Outcome::Pass,
        _ => Outcome::Skip,
    }
}

fn failure_text(case: &Case) -> String {
    match (case.message.as_deref(), case.detail.as_deref()) {
        (_, Some(detail)) if !detail.trim().is_empty() => detail.to_owned(),
        (Some(message), _) => message.to_owned(),
        (None, _) => String::new(),
    }
}

fn node_of(case: &Case) -> Option<&str> {
    case.properties.iter().find(|(name, _)| name == "pv.nodeid").map(|(_, value)| value.as_str())
}

/// Node id to the files that define the test: its own, and those of its base classes.
fn files_by_node(inventory: Option<&Inventory>) -> BTreeMap<&str, Vec<&str>> {
    let mut files = BTreeMap::new();
    for item in inventory.into_iter().flat_map(|inventory| &inventory.items) {
        let bases = item.bases.iter().map(|base| base.file.as_str());
        let all = std::iter::once(item.file.as_str()).chain(bases).collect();
        files.insert(item.id.as_str(), all);
    }
    files
}

fn spec_files<'a>(
    node: Option<&str>,
    files: &BTreeMap<&str, Vec<&'a str>>,
    equal_files: &BTreeSet<String>,
) -> Vec<&'a str> {
    let of_node = node.and_then(|node| files.get(node)).into_iter().flatten().copied();
    of_node.filter(|file| equal_files.contains(*file)).collect()
}

/// The id under which pytest reports a file that it cannot collect, with the file.
fn uncollectable_names(inventory: Option<&Inventory>) -> BTreeMap<String, String> {
    let entries = inventory.into_iter().flat_map(|inventory| &inventory.uncollectable);
    entries
        .map(|entry| {
            let module = entry.id.trim_end_matches(".py").replace('/', ".");
            (TestId::from_junit("", &module).as_str().to_owned(), entry.file.clone())
        })
        .collect()
}
