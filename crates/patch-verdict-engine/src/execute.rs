//! The scored runs of both sides, and the whole-suite runs of the patch for its new tests.
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use differential_gate::{Contract, Side};
use patch_verdict_core::{
    Bucket, Buckets, Outcome, RunFacts, RunKind, RunResults, SideName, StableIds, TestId,
};
use test_frameworks::{Inventory, Mode};
use worktree_runner::{
    Conductor, Confined, Exit, HandOver, Isolation, MadeRun, NetworkState, PlannedRun,
    ReadingContext, RunOutcome, RunReading, Segments, TestRun, TestRunLeft, conduct, planned_runs,
    read_run, rows,
};

use crate::CheckError;
use crate::launch::Launcher;
use crate::loading::Loading;

/// What the runs are about.
pub(crate) struct Schedule<'a> {
    pub(crate) contract: Option<&'a Contract>,
    pub(crate) seeds: &'a [i64],
    pub(crate) buckets: &'a Buckets,
    pub(crate) stable: &'a StableIds,
    /// Cases of each id that the discovery run showed.
    pub(crate) cases: &'a BTreeMap<TestId, u32>,
    pub(crate) equal_files: &'a BTreeSet<String>,
    /// Where the parent has its modules from.
    pub(crate) loading: &'a Loading,
    /// The framework's ids of the parent's tests in scope.
    pub(crate) nodes: &'a [String],
    /// The same on the patch, where renamed tests have other ids.
    pub(crate) patch_nodes: &'a [String],
    /// Renamed tests: the patch's id to the parent's.
    pub(crate) renames: &'a BTreeMap<TestId, TestId>,
    pub(crate) timeout: Duration,
    pub(crate) expected: Duration,
    /// How many runs are made at once.
    pub(crate) jobs: usize,
}

/// What the runs gave.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Executed {
    pub(crate) runs: Vec<RunFacts>,
    pub(crate) isolation: BTreeSet<String>,
    pub(crate) gaps: BTreeSet<String>,
    pub(crate) seeded: BTreeSet<String>,
    /// The lines of unscored.jsonl.
    #[serde(skip)]
    pub(crate) unscored: Vec<u8>,
    /// One failure text of a test on the patch.
    pub(crate) excerpts: BTreeMap<TestId, String>,
    pub(crate) notes: BTreeSet<String>,
    /// Whether new tests ran beside the others in scored runs, since the command cannot be kept to
    /// given tests.
    pub(crate) beside: bool,
}

/// Runs everything; each run's rows are on disk before the next starts.
pub(crate) fn execute(
    launcher: &mut Launcher<'_>,
    schedule: &Schedule<'_>,
    out: &Path,
) -> Result<Executed, CheckError> {
    let whole = if schedule.buckets.new.is_empty() {
        0
    } else {
        schedule.seeds.len()
    };
    let runs = planned_runs(schedule.seeds, &Side::BOTH);
    let segments = Segments::create(out, schedule.seeds.len()).map_err(CheckError::from)?;
    let mut conductor = Scored {
        launcher,
        schedule,
        ended: BTreeMap::new(),
        total: runs.len() + whole,
    };
    conduct(&segments, &runs, &mut conductor)?;
    segments.assemble().map_err(CheckError::from)?;
    let mut ended = conductor.ended;
    let labels: Vec<String> = (1..=whole).map(|k| format!("whole-patch-{k}")).collect();
    let named = schedule.seeds.iter().zip(&labels).enumerate();
    let asked: Vec<TestRun<'_>> = named
        .map(|(index, (seed, label))| TestRun {
            side: Side::Patch,
            mode: Mode::Whole,
            seed: *seed,
            label,
            timeout: schedule.timeout,
            place: Some((runs.len() + index + 1, runs.len() + whole)),
            expected: Some(schedule.expected),
        })
        .collect();
    launcher.launch_all(&asked, schedule.jobs, |index, left| {
        let mut one = Executed::default();
        if let Some(run) = asked.get(index) {
            one.record(schedule, run, &left, RunKind::Whole);
        }
        ended.insert(runs.len() + index + 1, one);
        Ok(())
    })?;
    let mut executed = Executed::default();
    // In the order of the schedule, whatever ended first.
    for one in ended.into_values() {
        executed.add(one);
    }
    if let (at_once, Some(why)) = launcher.workspace.at_once(schedule.jobs) {
        let wanted = schedule.jobs;
        executed
            .notes
            .insert(format!("{at_once} at once instead of {wanted} runs: {why}"));
    }
    Ok(executed)
}

/// Makes the scored runs and keeps what the judgement wants to know of them.
struct Scored<'a, 'l, 's> {
    launcher: &'a mut Launcher<'l>,
    schedule: &'a Schedule<'s>,
    /// What each gave, by its place in the schedule.
    ended: BTreeMap<usize, Executed>,
    total: usize,
}

/// One scored run as it is asked for.
fn scored<'s>(
    schedule: &Schedule<'s>,
    run: &PlannedRun,
    total: usize,
    label: &'s str,
) -> TestRun<'s> {
    TestRun {
        side: run.side,
        mode: Mode::Scored {
            ids: match run.side {
                Side::Parent => schedule.nodes,
                Side::Patch => schedule.patch_nodes,
            },
        },
        seed: run.seed,
        label,
        timeout: schedule.timeout,
        place: Some((run.place, total)),
        expected: Some(schedule.expected),
    }
}

/// What one run gives to the judgement, and its rows.
fn made(
    schedule: &Schedule<'_>,
    asked: &TestRun<'_>,
    left: &TestRunLeft,
) -> Result<(Executed, MadeRun), CheckError> {
    let mut one = Executed::default();
    let reading = one.record(schedule, asked, left, RunKind::Scored);
    let mut made = MadeRun::default();
    if let Some(contract) = schedule.contract {
        let seeded = left.inventory.as_ref().map(|listed| &*listed.seeded);
        let isolation = &left.outcome.isolation;
        let run = (asked.side, asked.seed);
        made.rows = rows(contract, run, &reading, seeded, isolation)?;
    }
    Ok((one, made))
}

impl Conductor for Scored<'_, '_, '_> {
    type Error = CheckError;

    fn make(&mut self, run: &PlannedRun) -> Result<MadeRun, CheckError> {
        let label = run.label();
        let asked = scored(self.schedule, run, self.total, &label);
        let left = self.launcher.launch(&asked)?;
        let (one, made) = made(self.schedule, &asked, &left)?;
        self.ended.insert(run.place, one);
        Ok(made)
    }

    fn make_all(
        &mut self,
        runs: &[PlannedRun],
        hand_over: &mut HandOver<'_, CheckError>,
    ) -> Result<(), CheckError> {
        let (schedule, total, ended) = (self.schedule, self.total, &mut self.ended);
        let labels: Vec<String> = runs.iter().map(PlannedRun::label).collect();
        let named = runs.iter().zip(&labels);
        let asked: Vec<TestRun<'_>> = named
            .map(|(run, label)| scored(schedule, run, total, label))
            .collect();
        self.launcher
            .launch_all(&asked, schedule.jobs, |index, left| {
                if let (Some(run), Some(asked)) = (runs.get(index), asked.get(index)) {
                    let (one, made) = made(schedule, asked, &left)?;
                    ended.insert(run.place, one);
                    hand_over(run, made)?;
                }
                Ok(())
            })
    }

    fn keep(&mut self, _run: &PlannedRun, _note: &str) -> bool {
        // A check starts its contract afresh: its segments are not sealed.
        false
    }
}

impl Executed {
    fn add(&mut self, one: Self) {
        self.runs.extend(one.runs);
        self.isolation.extend(one.isolation);
        self.gaps.extend(one.gaps);
        self.seeded.extend(one.seeded);
        self.unscored.extend(one.unscored);
        for (id, text) in one.excerpts {
            self.excerpts.entry(id).or_insert(text);
        }
        self.notes.extend(one.notes);
        self.beside |= one.beside;
    }

    fn record(
        &mut self,
        schedule: &Schedule<'_>,
        launch: &TestRun<'_>,
        launched: &TestRunLeft,
        kind: RunKind,
    ) -> RunReading {
        let mut context = ReadingContext::default();
        context.stable = Some(schedule.stable);
        context.renames = (launch.side == Side::Patch).then_some(schedule.renames);
        context.equal_files = Some(schedule.equal_files);
        context.cases = (kind == RunKind::Scored).then_some(schedule.cases);
        context.ended = Some(&launched.ended);
        context.streamed = launched.outcome.streamed.as_ref();
        let reading = read_run(
            launched.report.as_deref(),
            launched.inventory.as_ref(),
            context,
        );
        let isolation_gaps = gaps(&launched.outcome.isolation);
        self.isolation.insert(words(&launched.outcome.isolation));
        self.gaps.extend(isolation_gaps.iter().cloned());
        if let Some(inventory) = &launched.inventory {
            self.seeded.extend(inventory.seeded.iter().cloned());
        }
        self.notes.extend(told(launch.label, &launched.outcome));
        self.beside |= launched.ignores_ids && !schedule.buckets.new.is_empty();
        let uncollectable = uncollectable(launched, &reading.uncollectable);
        self.keep_unscored(schedule, launch, kind, &reading.results);
        if launch.side == Side::Patch {
            for (id, result) in reading
                .results
                .iter()
                .filter(|(_, r)| r.status == Outcome::Fail)
            {
                let text = excerpt(&result.failure_text);
                self.excerpts.entry(id.clone()).or_insert(text);
            }
        }
        self.runs.push(RunFacts {
            side: side_name(launch.side),
            kind,
            seed: launch.seed,
            ended: launched.ended.clone(),
            report: reading.report.clone(),
            results: reading
                .results
                .iter()
                .map(|(id, r)| (id.clone(), r.status))
                .collect(),
            uncollectable,
            isolation_gaps,
            forged: reading.forged.clone(),
            meddling: launched
                .inventory
                .as_ref()
                .map(|listed| meddling(listed, schedule.loading))
                .unwrap_or_default(),
            running: reading.running.clone(),
        });
        reading
    }

    fn keep_unscored(
        &mut self,
        schedule: &Schedule<'_>,
        launch: &TestRun<'_>,
        kind: RunKind,
        results: &RunResults,
    ) {
        for (id, result) in results {
            let bucket = match (kind, schedule.buckets.of(id)) {
                (RunKind::Scored, Some(Bucket::Property)) => continue,
                (_, Some(Bucket::Property)) => "property",
                (_, Some(Bucket::Excluded(exclusion))) => exclusion.name(),
                (_, Some(Bucket::New)) => "new",
                (_, Some(Bucket::NotRun)) => "not_run",
                (_, Some(Bucket::OutOfScope)) => "out_of_scope",
                (_, None) => "unaccounted",
            };
            let line = serde_json::json!({
                "side": launch.side.name(),
                "run": kind,
                "seed": launch.seed,
                "prop": id,
                "bucket": bucket,
                "status": result.status.name(),
                "witness": result.witness,
            });
            self.unscored.extend_from_slice(line.to_string().as_bytes());
            self.unscored.push(b'\n');
        }
    }
}

/// Files that the inventory or the report could not collect, sorted.
fn uncollectable(launched: &TestRunLeft, reported: &[String]) -> Vec<String> {
    let entries = launched.inventory.iter().flat_map(|one| &one.uncollectable);
    let mut files: BTreeSet<String> = entries.map(|entry| entry.file.clone()).collect();
    files.extend(reported.iter().cloned());
    files.into_iter().collect()
}

/// What code of the tree does to the framework and to installed modules, sorted.
fn meddling(inventory: &Inventory, loading: &Loading) -> Vec<String> {
    let plugins = inventory
        .plugins
        .iter()
        .map(|file| format!("plugin {file}"));
    let replaced = inventory.replaced.iter().cloned();
    plugins
        .chain(replaced)
        .chain(loading.taken_over(inventory))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

/// What a person should know of a run beyond its results.
fn told(label: &str, outcome: &RunOutcome) -> Vec<String> {
    let mut told = Vec::new();
    if outcome.survivors_killed > 0 {
        let held = if outcome.output_held {
            " (they held its output open)"
        } else {
            ""
        };
        told.push(format!(
            "processes that tests left behind were ended after the run {label}{held}"
        ));
    }
    if outcome.log_dropped_bytes > 0 {
        let dropped = outcome.log_dropped_bytes;
        told.push(format!(
            "{dropped} bytes of output were left out of the middle of the log of the run {label}"
        ));
    }
    if let Exit::NotStarted(why) = &outcome.exit {
        told.push(format!("the run {label} could not start: {why}"));
    }
    told
}

pub(crate) const fn side_name(side: Side) -> SideName {
    match side {
        Side::Parent => SideName::Parent,
        Side::Patch => SideName::Patch,
    }
}

/// What a run was not cut off from although a freeze would need it.
pub(crate) fn gaps(isolation: &Isolation) -> Vec<String> {
    let why = |what: &str| match &isolation.refused {
        Some(refused) => format!("{what} ({refused})"),
        None => what.to_owned(),
    };
    let mut gaps = Vec::new();
    if isolation.network == NetworkState::Open {
        let tcp_refused = isolation
            .landlock
            .as_ref()
            .is_some_and(|landlock| landlock.refuses(Confined::Tcp));
        gaps.push(why(if tcp_refused {
            "the network was open but for TCP to the ports of known services"
        } else {
            "the network was open"
        }));
    }
    if !isolation.path_shared {
        gaps.push(why("the sides ran at different paths"));
    }
    gaps
}

/// The isolation of a run in words.
pub(crate) fn words(isolation: &Isolation) -> String {
    let network = match isolation.network {
        NetworkState::Off => "network off",
        _ => "network open",
    };
    let path = if isolation.path_shared {
        "one path for both sides"
    } else {
        "a path a side"
    };
    let containment = serde_json::json!(isolation.containment);
    let containment = containment
        .as_str()
        .unwrap_or("process group")
        .replace('_', " ");
    let landlock = match &isolation.landlock {
        Some(landlock) => format!(", landlock refused {}", list(&landlock.refused)),
        None => String::new(),
    };
    format!("{containment}, {network}, {path}{landlock}")
}

/// What landlock refuses, as it stands in rows, with blanks.
fn list(what: &[Confined]) -> String {
    let names = what.iter().map(|one| serde_json::json!(one));
    let names: Vec<String> = names
        .filter_map(|name| Some(name.as_str()?.replace('_', " ")))
        .collect();
    names.join(", ")
}

/// The telling lines of a failure: pytest's `E` lines, else the last three.
fn excerpt(text: &str) -> String {
    let telling: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("E  "))
        .map(|line| line.trim_start_matches('E').trim())
        .filter(|line| !line.is_empty())
        .take(3)
        .collect();
    if !telling.is_empty() {
        return telling.join("\n");
    }
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    lines
        .get(lines.len().saturating_sub(3)..)
        .unwrap_or_default()
        .join("\n")
}
