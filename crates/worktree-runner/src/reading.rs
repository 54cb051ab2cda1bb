//! From the files one run left behind to facts and rows.

mod channel;

use std::collections::{BTreeMap, BTreeSet};

use differential_gate::{WitnessText, witness_class};
use junit_parse::{Case, Completeness, Limits, Report, WarningKind};
use patch_verdict_core::{
    CaseResult, Ended, Forgery, Outcome, ReportState, RunResults, StableIds, TestId, fold_cases,
};
use test_frameworks::Inventory;

use crate::channel::Streamed;

/// A run's report, read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RunReading {
    /// Whether the report can prove anything.
    pub report: ReportState,
    /// Results by test, under the ids of the contract; only failures where the report proves no more.
    pub results: RunResults,
    /// Files that the report says could not be collected, sorted, without doubles.
    pub uncollectable: Vec<String>,
    /// How the report differs from what the framework streamed; the tests it names are not in
    /// `results`.
    pub forged: Option<Forgery>,
    /// The test in which the run ended before its time, as the framework calls it.
    pub running: Option<String>,
    /// Whether the framework streamed every result of the report while it ran.
    pub streamed: bool,
}

impl RunReading {
    /// Leaves failures alone: what a run of which something is amiss still proves.
    pub fn keep_failures(&mut self) {
        self.results
            .retain(|_, result| result.status == Outcome::Fail);
    }

    fn nothing(report: ReportState) -> Self {
        Self {
            report,
            results: RunResults::new(),
            uncollectable: Vec::new(),
            forged: None,
            running: None,
            streamed: false,
        }
    }
}

/// What is needed to read a run beside its files.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct ReadingContext<'a> {
    /// Ids that change from run to run, normalised; `None` takes all as they are.
    pub stable: Option<&'a StableIds>,
    /// Renamed tests of this side: their id here to the parent's.
    pub renames: Option<&'a BTreeMap<TestId, TestId>>,
    /// Files with equal bytes on both sides: their lines may stand in a witness (RULES §4).
    pub equal_files: Option<&'a BTreeSet<String>>,
    /// Cases of each test that a discovery run showed: with fewer of them a result is missing,
    /// unless one failed (RULES §2). `None` where there was no such run.
    pub cases: Option<&'a BTreeMap<TestId, u32>>,
    /// How the run ended: one that was stopped at its timeout proves failures, never passes. `None`
    /// where that is not known.
    pub ended: Option<&'a Ended>,
    /// What the framework streamed while it ran, where it does: report and stream must agree.
    pub streamed: Option<&'a Streamed>,
}

/// Reads a run from the bytes of its report (`None` where it wrote none) and from what the plugin of
/// its framework listed, where it has one.
///
/// A report that is cut off, or that needed a repair of its structure, proves failures alone.
///
/// ```
/// use patch_verdict_core::{Outcome, ReportState};
/// use worktree_runner::{ReadingContext, read_run};
///
/// let report = br#"<testsuite name="s"><testcase classname="a" name="b"/></testsuite>"#;
/// let reading = read_run(Some(report), None, ReadingContext::default());
/// assert_eq!(reading.report, ReportState::Complete);
/// assert_eq!(reading.results["a::b"].status, Outcome::Pass);
///
/// let cut_off = &report[..report.len() - 12];
/// assert!(read_run(Some(cut_off), None, ReadingContext::default()).results.is_empty());
/// ```
pub fn read_run(
    report: Option<&[u8]>,
    inventory: Option<&Inventory>,
    context: ReadingContext<'_>,
) -> RunReading {
    let mut reading = match report {
        Some(bytes) => read_report(bytes, inventory, &context),
        None => RunReading::nothing(ReportState::Missing),
    };
    // Before anything is left out: all that is in the report was streamed, and the other way round.
    let compared = channel::compare(
        context.streamed,
        (&reading.report, context.ended),
        &mut reading.results,
    );
    reading.forged = compared.forged;
    reading.running = compared.running;
    reading.streamed = compared.agrees;
    if context.ended == Some(&Ended::TimedOut) && reading.report == ReportState::Complete {
        reading.report = ReportState::Broken("the run was stopped at its timeout".to_owned());
    }
    if reading.report != ReportState::Complete {
        // Half a report proves failures, never passes.
        reading.keep_failures();
    }
    if let Some(cases) = context.cases {
        reading.results.retain(|id, result| {
            let shown = cases.get(id).copied().unwrap_or(1);
            result.status == Outcome::Fail || result.cases >= shown
        });
    }
    reading
}

/// All that the report says.
fn read_report(
    bytes: &[u8],
    inventory: Option<&Inventory>,
    context: &ReadingContext<'_>,
) -> RunReading {
    let mut limits = Limits::unlimited_text();
    // These are reports of a run of one's own: large suites are no attack.
    limits.max_bytes = 1_000_000_000;
    limits.max_cases = 2_000_000;
    limits.max_suites = 2_000_000;
    let report = match junit_parse::parse(bytes, &limits) {
        Ok(report) => report,
        Err(error) => return RunReading::nothing(ReportState::Broken(error.to_string())),
    };
    let state = state_of(&report);
    let files = files_by_node(inventory);
    let mut unreadable = BTreeSet::new();
    let mut cases = Vec::new();
    for case in &report.cases {
        let own = TestId::from_junit(&case.suite, &case.name);
        let id = context
            .renames
            .and_then(|renames| renames.get(&own).cloned())
            .unwrap_or(own);
        let node = node_of(case);
        if let (None, Some(file)) = (node, uncollectable_file(case, inventory)) {
            unreadable.insert(file.to_owned());
            continue;
        }
        let spec_files = spec_files(node, &files, context.equal_files);
        cases.push(case_result(case, &id, &spec_files, context.stable));
    }
    RunReading {
        results: fold_cases(cases),
        uncollectable: unreadable.into_iter().collect(),
        ..RunReading::nothing(state)
    }
}

fn state_of(report: &Report) -> ReportState {
    match report.completeness() {
        Completeness::Complete => ReportState::Complete,
        Completeness::Truncated { offset } => {
            ReportState::Broken(format!("it is cut off at byte {offset}"))
        }
        Completeness::Recovered => recovered(report),
    }
}

/// Bytes that no XML may hold change no structure; any other repair may have swallowed a case.
fn recovered(report: &Report) -> ReportState {
    let harmless = [
        WarningKind::IllegalChar,
        WarningKind::IllegalCharRef,
        WarningKind::UndecodableBytes,
    ];
    let structural = report
        .warnings
        .iter()
        .find(|warning| warning.kind.is_repair() && !harmless.contains(&warning.kind));
    match structural {
        None if report.warnings_omitted == 0 => ReportState::Complete,
        None => ReportState::Broken("it needed more repairs than are listed".to_owned()),
        Some(warning) => ReportState::Broken(format!("line {}: {}", warning.line, warning.message)),
    }
}

fn case_result(
    case: &Case,
    id: &TestId,
    spec_files: &[&str],
    stable: Option<&StableIds>,
) -> CaseResult {
    let id = stable.map_or_else(|| id.clone(), |stable| stable.stable(id));
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
    let duration_ms = case
        .duration
        .map(|duration| duration.as_secs_f64() * 1000.0);
    CaseResult {
        node: node_of(case).map(str::to_owned),
        id,
        status,
        witness,
        failure_text,
        duration_ms,
    }
}

/// `error` is a fail, and so is a failed attempt, whatever came after (RULES §3).
fn status_of(case: &Case) -> Outcome {
    if case.ever_failed() {
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
    case.properties
        .iter()
        .find(|(name, _)| name == "pv.nodeid")
        .map(|(_, value)| value.as_str())
}

/// Node id to the files that define the test: its own, and those of its base classes.
fn files_by_node(inventory: Option<&Inventory>) -> BTreeMap<&str, Vec<&str>> {
    let mut files = BTreeMap::new();
    for item in inventory.into_iter().flat_map(|inventory| &inventory.items) {
        let bases = item.bases.iter().map(|base| base.file.as_str());
        let all = std::iter::once(item.file.as_str()).chain(bases).collect();
        files.insert(item.property_id.as_str(), all);
    }
    files
}

fn spec_files<'a>(
    node: Option<&str>,
    files: &BTreeMap<&str, Vec<&'a str>>,
    equal_files: Option<&BTreeSet<String>>,
) -> Vec<&'a str> {
    let Some(equal_files) = equal_files else {
        return Vec::new();
    };
    let of_node = node
        .and_then(|node| files.get(node))
        .into_iter()
        .flatten()
        .copied();
    of_node.filter(|file| equal_files.contains(*file)).collect()
}

/// The file that a case stands for when it says that a file could not be collected. The suite's own
/// name takes the place of an empty class name, so the attribute itself is compared.
fn uncollectable_file<'a>(case: &Case, inventory: Option<&'a Inventory>) -> Option<&'a str> {
    let mut entries = inventory?.uncollectable.iter();
    let class = case.classname.as_deref().unwrap_or_default();
    let found = entries.find(|entry| entry.name == case.name && entry.suite == class);
    found.map(|entry| entry.file.as_str())
}
