//! Before the contract: set-up, the parent's discovery run, the patch's collection.
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use differential_gate::Side;
use patch_verdict_core::{
    Ended, Finding, LoadedModule, ReportState, RunResults, StableIds, TestId, Verdict,
};
use test_frameworks::{Inventory, Mode};
use worktree_runner::{ReadingContext, RunReading, SetUpOutcome, TestRun, TestRunLeft, read_run};

use crate::CheckError;
use crate::launch::Launcher;

/// What both sides look like before the first scored run.
#[derive(Debug, Default)]
pub(crate) struct Exploration {
    pub(crate) parent: SideExploration,
    pub(crate) patch: SideExploration,
    /// The parent's ids of a second listing, made only when ids seem to change from run to run.
    pub(crate) parent_again: Option<BTreeSet<TestId>>,
    /// Findings that end the check here.
    pub(crate) stop: Vec<Finding>,
    /// How long the parent's run took.
    pub(crate) duration: Duration,
    pub(crate) isolation: Option<worktree_runner::Isolation>,
}

/// One side before the first scored run.
#[derive(Debug, Default)]
pub(crate) struct SideExploration {
    pub(crate) results: RunResults,
    pub(crate) inventory: Option<Inventory>,
    pub(crate) ids: BTreeSet<TestId>,
    /// The framework's own ids of each test.
    pub(crate) nodes: BTreeMap<TestId, Vec<String>>,
    pub(crate) uncollectable: BTreeSet<String>,
}

impl SideExploration {
    /// What lock files name, and over it what the run saw installed.
    pub(crate) fn versions(&self, locked: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let seen = self.inventory.iter().flat_map(|one| &one.versions);
        let seen = seen.map(|(name, version)| (name.clone(), version.clone()));
        locked.clone().into_iter().chain(seen).collect()
    }

    pub(crate) fn loaded(&self) -> Vec<LoadedModule> {
        self.inventory.iter().flat_map(loaded_modules).collect()
    }
}

/// The modules that a run had loaded at its end.
pub(crate) fn loaded_modules(inventory: &Inventory) -> Vec<LoadedModule> {
    let modules = inventory.loaded.iter();
    modules
        .map(|loaded| LoadedModule {
            module: loaded.module.clone(),
            file: loaded.file.clone(),
        })
        .collect()
}

/// Sets up both sides; a finding where one fails.
pub(crate) fn set_up(
    launcher: &mut Launcher<'_>,
    timeout: Duration,
) -> Result<Vec<Finding>, CheckError> {
    let commands = launcher.suite.config.setup.clone();
    if commands.is_empty() {
        return Ok(Vec::new());
    }
    for side in Side::BOTH {
        let outcome = launcher
            .workspace
            .set_up(side, &commands, timeout)
            .map_err(CheckError::from)?;
        if outcome.exit == worktree_runner::Exit::Cancelled {
            return Err(CheckError::of_kind(
                crate::error::CheckErrorKind::Interrupted,
                "interrupted during the set-up",
            ));
        }
        if !outcome.exit.success() {
            return Ok(vec![set_up_failed(side, &outcome)]);
        }
    }
    Ok(Vec::new())
}

fn set_up_failed(side: Side, outcome: &SetUpOutcome) -> Finding {
    let verdict = match side {
        Side::Parent => Verdict::NotApplicable,
        Side::Patch => Verdict::Reject,
    };
    let command = outcome.failed_command.as_deref().unwrap_or("set-up");
    let log = outcome
        .log
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let detail = format!(
        "the set-up fails on the {}: `{command}` ended with {} (logs/{log})",
        side.name(),
        exit_words(&outcome.exit)
    );
    Finding::new(verdict, "setup_failed", detail, Vec::new())
}

pub(crate) fn exit_words(exit: &worktree_runner::Exit) -> String {
    match exit {
        worktree_runner::Exit::Code(code) => format!("exit code {code}"),
        worktree_runner::Exit::Signal(signal) => format!("signal {signal}"),
        worktree_runner::Exit::TimedOut => "a timeout".to_owned(),
        worktree_runner::Exit::NotStarted(why) => format!("no start ({why})"),
        other => format!("{other:?}"),
    }
}

/// Runs the parent's suite once, unscored, and lists what the patch has.
pub(crate) fn explore(
    launcher: &mut Launcher<'_>,
    seed: i64,
    timeout: Duration,
) -> Result<Exploration, CheckError> {
    let mut exploration = Exploration::default();
    let ask = |side, mode, label| TestRun {
        side,
        mode,
        seed,
        label,
        timeout,
        place: None,
        expected: None,
    };
    let parent = launcher.launch(&ask(Side::Parent, Mode::Discover, "discovery-parent"))?;
    exploration.duration = parent.outcome.duration;
    exploration.isolation = Some(parent.outcome.isolation.clone());
    let reading = read(&parent);
    let framework = launcher.suite.framework.name();
    let incomplete = incomplete(&parent, &reading, framework);
    exploration.stop.extend(incomplete);
    exploration.parent = side(parent, reading);
    if exploration.stop.is_empty() && exploration.parent.ids.is_empty() {
        let detail = "the parent's discovery run found no test: check the command and its folder";
        exploration.stop.push(Finding::new(
            Verdict::NotApplicable,
            "no_tests",
            detail,
            Vec::new(),
        ));
    }
    if !exploration.stop.is_empty() {
        return Ok(exploration);
    }
    let lists = launcher.suite.framework.has_inventory();
    let mode = if lists { Mode::Collect } else { Mode::Discover };
    let patch = launcher.launch(&ask(Side::Patch, mode, "collection-patch"))?;
    let reading = read(&patch);
    if lists && patch.inventory.is_none() {
        let fault = patch.inventory_fault.clone().unwrap_or_default();
        let detail = format!(
            "the patch's tests cannot be listed: {fault}; the run ended with {} (logs/{})",
            exit_words(&patch.outcome.exit),
            log_name(&patch)
        );
        exploration.stop.push(Finding::new(
            Verdict::Reject,
            "uncollectable",
            detail,
            Vec::new(),
        ));
    }
    exploration.patch = side(patch, reading);
    if lists && StableIds::any(&exploration.parent.ids, &exploration.patch.ids) {
        // Later than the patch's listing: a time that differs between the sides has moved on.
        let again = launcher.launch(&ask(Side::Parent, mode, "collection-parent"))?;
        let reading = read(&again);
        exploration.parent_again = Some(side(again, reading).ids);
    }
    Ok(exploration)
}

/// The last line of a run's output, as a person would quote it.
fn last_words(launched: &TestRunLeft) -> String {
    let text = std::fs::read(&launched.outcome.log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map_or_else(String::new, |line| {
        let short: String = line.chars().take(160).collect();
        format!(", saying `{short}`")
    })
}

/// What mends a run without a report, where its end tells.
fn next_step(launched: &TestRunLeft, framework: &str) -> String {
    let log = std::fs::read(&launched.outcome.log).unwrap_or_default();
    let log = String::from_utf8_lossy(&log).into_owned();
    let words = format!("No module named {framework}");
    let lacks = log
        .lines()
        .any(|line| line.trim().replace('\'', "").ends_with(&words));
    match &launched.outcome.exit {
        worktree_runner::Exit::NotStarted(_) => {
            ": install it, name another command after `--`, or make it in a `setup` of patch-verdict.toml"
                .to_owned()
        }
        _ if lacks => format!(
            ": install {framework} for that Python, or name the project's own after `--` (`-- .venv/bin/python -m {framework}`)"
        ),
        worktree_runner::Exit::Code(_) if framework == "plain" => {
            ": the command must write JUnit XML to `{junit}`, which is in PATCH_VERDICT_JUNIT too".to_owned()
        }
        _ => String::new(),
    }
}

fn log_name(launched: &TestRunLeft) -> String {
    launched
        .outcome
        .log
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn read(launched: &TestRunLeft) -> RunReading {
    read_run(
        launched.report.as_deref(),
        launched.inventory.as_ref(),
        ReadingContext::default(),
    )
}

/// Discovery is complete when every collected item has a result.
fn incomplete(launched: &TestRunLeft, reading: &RunReading, framework: &str) -> Option<Finding> {
    let exit = exit_words(&launched.outcome.exit);
    let log = log_name(launched);
    let words = last_words(launched);
    let detail = match (&reading.report, &launched.inventory_fault, &launched.ended) {
        (ReportState::Missing, _, _) => {
            let step = next_step(launched, framework);
            format!(
                "the parent's discovery run wrote no report; it ended with {exit}{words}{step} (logs/{log})"
            )
        }
        (ReportState::Broken(why), _, _) => {
            format!("the report of the parent's discovery run is broken: {why} (logs/{log})")
        }
        (ReportState::Complete, Some(fault), _) => {
            format!("the parent's tests cannot be listed: {fault} (logs/{log})")
        }
        (ReportState::Complete, None, Ended::TimedOut | Ended::Other(_)) => {
            format!("the parent's discovery run ended with {exit}{words} (logs/{log})")
        }
        (ReportState::Complete, None, _) => {
            let silent = silent_items(launched, reading);
            let first = silent.first()?;
            format!(
                "{} collected tests of the parent gave no result, among them {first}",
                silent.len()
            )
        }
    };
    Some(Finding::new(
        Verdict::NotApplicable,
        "incomplete_discovery",
        detail,
        Vec::new(),
    ))
}

fn silent_items(launched: &TestRunLeft, reading: &RunReading) -> Vec<String> {
    let items = launched
        .inventory
        .iter()
        .flat_map(|inventory| &inventory.items);
    items
        .map(|item| TestId::from_junit(&item.suite, &item.name))
        .filter(|id| !reading.results.contains_key(id))
        .map(|id| id.to_string())
        .collect()
}

fn side(launched: TestRunLeft, reading: RunReading) -> SideExploration {
    let mut ids: BTreeSet<TestId> = reading.results.keys().cloned().collect();
    let mut nodes: BTreeMap<TestId, Vec<String>> = BTreeMap::new();
    let mut uncollectable: BTreeSet<String> = reading.uncollectable.iter().cloned().collect();
    if let Some(inventory) = &launched.inventory {
        for item in &inventory.items {
            let id = TestId::from_junit(&item.suite, &item.name);
            nodes.entry(id.clone()).or_default().push(item.id.clone());
            ids.insert(id);
        }
        uncollectable.extend(
            inventory
                .uncollectable
                .iter()
                .map(|entry| entry.file.clone()),
        );
    }
    SideExploration {
        results: reading.results,
        inventory: launched.inventory,
        ids,
        nodes,
        uncollectable,
    }
}
