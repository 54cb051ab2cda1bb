//! One run of a test command under its framework's plan, and what it left to be read.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use differential_gate::Side;
use patch_verdict_core::Ended;
use test_frameworks::{ExitMeaning, Framework, Inventory, Mode, Plan, PlanRequest};

use crate::error::{RunError, RunErrorKind};
use crate::options::RunRequest;
use crate::outcome::{Exit, RunOutcome};
use crate::workspace::Workspace;

const REPORT: &str = "report.xml";

/// A test command and the framework that plans and reads its runs.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TestCommand<'a> {
    /// The adapter.
    pub framework: &'a dyn Framework,
    /// Program and arguments; the adapter fills the placeholders in.
    pub command: &'a [String],
    /// The suite's folder relative to the tree; the root is `""`.
    pub directory: &'a str,
    /// Variables of every run; `{seed}` in a value becomes the seed.
    pub set: &'a BTreeMap<String, String>,
}

impl<'a> TestCommand<'a> {
    /// A command in a folder of the tree.
    pub const fn new(
        framework: &'a dyn Framework,
        command: &'a [String],
        directory: &'a str,
        set: &'a BTreeMap<String, String>,
    ) -> Self {
        Self {
            framework,
            command,
            directory,
            set,
        }
    }
}

/// One run of a test command, as asked for.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers build it; a new field must be decided by each"
)]
pub struct TestRun<'a> {
    /// Which tree it runs in.
    pub side: Side,
    /// What it is for.
    pub mode: Mode<'a>,
    /// Its seed.
    pub seed: i64,
    /// A short name for the log file and for progress.
    pub label: &'a str,
    /// How long it may take.
    pub timeout: Duration,
    /// 1-based place in the schedule and its length, for progress.
    pub place: Option<(usize, usize)>,
    /// How long it will probably take, for progress.
    pub expected: Option<Duration>,
}

/// What a run of a test command left behind.
#[derive(Debug)]
#[non_exhaustive]
pub struct TestRunLeft {
    /// How it ended, its log, what it was isolated from.
    pub outcome: RunOutcome,
    /// The end in the framework's terms.
    pub ended: Ended,
    /// The bytes of its report; `None` where it wrote none.
    pub report: Option<Vec<u8>>,
    /// Whether the command could not be kept to the tests it was asked for.
    pub ignores_ids: bool,
    /// What the framework's plugin listed, if its session came to a proper end.
    pub inventory: Option<Inventory>,
    /// Why there is no inventory although the framework makes one.
    pub inventory_fault: Option<String>,
}

impl Workspace<'_> {
    /// Makes one run of a test command and collects what it left.
    ///
    /// # Errors
    /// `InvalidRequest` for a command the framework cannot plan, `Cancelled`, and whatever
    /// [`run`](Self::run) says; how the command ended is an outcome.
    pub fn run_tests(
        &mut self,
        command: &TestCommand<'_>,
        run: &TestRun<'_>,
    ) -> Result<TestRunLeft, RunError> {
        let (request, plan) = self.planned(command, run)?;
        let outcome = self.run(&request)?;
        let control = self.paths().control.display().to_string();
        collect(command.framework, run.label, outcome, (&plan, &control))
    }

    /// Makes runs of a test command, up to `jobs` at once as [`run_all`](Self::run_all) does, and hands
    /// over what each left as it ends, with its index.
    ///
    /// # Errors
    /// As [`run_tests`](Self::run_tests), or what `ended` returned.
    pub fn run_all_tests<E: From<RunError>>(
        &mut self,
        command: &TestCommand<'_>,
        runs: &[TestRun<'_>],
        jobs: usize,
        mut ended: impl FnMut(usize, TestRunLeft) -> Result<(), E>,
    ) -> Result<(), E> {
        let planned = runs.iter().map(|run| self.planned(command, run));
        let planned: Result<Vec<_>, RunError> = planned.collect();
        let (requests, plans): (Vec<_>, Vec<_>) = planned?.into_iter().unzip();
        let control = self.paths().control.display().to_string();
        self.run_all(&requests, jobs, |index, outcome| {
            let (Some(run), Some(plan)) = (runs.get(index), plans.get(index)) else {
                return Ok(());
            };
            let left = collect(command.framework, run.label, outcome, (plan, &control))?;
            ended(index, left)
        })
    }

    fn planned(
        &self,
        command: &TestCommand<'_>,
        run: &TestRun<'_>,
    ) -> Result<(RunRequest, Plan), RunError> {
        let control = self.paths().control.display().to_string();
        let environment = command.environment(run.seed);
        let plan = command
            .framework
            .plan(&PlanRequest {
                command: command.command,
                mode: run.mode,
                seed: run.seed,
                nonce: &nonce(),
                report: &format!("{control}/{REPORT}"),
                control: &control,
                tree: &self.paths().tree.display().to_string(),
                directory: command.directory,
                environment: &environment,
            })
            .map_err(|error| RunError::new(RunErrorKind::InvalidRequest, error.to_string()))?;
        let request = run.request(command.directory, environment, &plan);
        Ok((request, plan))
    }
}

impl TestCommand<'_> {
    fn environment(&self, seed: i64) -> BTreeMap<String, String> {
        let replace = |value: &String| value.replace("{seed}", &seed.to_string());
        self.set
            .iter()
            .map(|(name, value)| (name.clone(), replace(value)))
            .collect()
    }
}

impl TestRun<'_> {
    fn request(
        &self,
        folder: &str,
        environment: BTreeMap<String, String>,
        plan: &Plan,
    ) -> RunRequest {
        let mut request = RunRequest::new(self.side, plan.argv.clone());
        request.directory = directory(folder);
        request.environment = environment;
        request.environment.extend(plan.environment.clone());
        request.channel.clone_from(&plan.channel);
        request.files = plan
            .files
            .iter()
            .map(|file| (file.name.clone(), file.contents.clone().into_bytes()))
            .collect();
        request.timeout = self.timeout;
        request.seed = self.seed;
        self.label.clone_into(&mut request.label);
        request.place = self.place;
        request.expected = self.expected;
        request
    }
}

fn collect(
    framework: &dyn Framework,
    label: &str,
    outcome: RunOutcome,
    (plan, control): (&Plan, &str),
) -> Result<TestRunLeft, RunError> {
    let read = |name: &str| {
        outcome.read_control(name).map_err(|error| {
            let action = format!("cannot read what the run `{label}` left at");
            RunError::io(&action, Path::new(name), error)
        })
    };
    let report = read(REPORT)?;
    let (mut inventory, mut fault) = (None, None);
    if let Some(path) = plan.inventory.as_deref() {
        let name = path
            .strip_prefix(control)
            .unwrap_or(path)
            .trim_start_matches('/');
        let parse = |bytes: &[u8]| framework.read_inventory(bytes);
        match read(name)?.as_deref().map(parse) {
            Some(Ok(parsed)) if parsed.complete => inventory = Some(parsed),
            Some(Ok(_)) => fault = Some("its session did not come to a proper end".to_owned()),
            Some(Err(error)) => fault = Some(error.to_string()),
            None => fault = Some("the run left no inventory".to_owned()),
        }
    }
    Ok(TestRunLeft {
        ended: ended(framework, &outcome.exit),
        outcome,
        report,
        ignores_ids: plan.ignores_ids,
        inventory,
        inventory_fault: fault,
    })
}

fn directory(text: &str) -> PathBuf {
    Path::new(text)
        .components()
        .filter(|component| matches!(component, Component::Normal(_)))
        .collect()
}

fn ended(framework: &dyn Framework, exit: &Exit) -> Ended {
    match exit {
        Exit::Code(code) => match framework.exit_meaning(*code) {
            ExitMeaning::Passed => Ended::Passed,
            ExitMeaning::TestsFailed => Ended::TestsFailed,
            ExitMeaning::NothingCollected => Ended::NothingCollected,
            _ => Ended::Other(format!("exit code {code}")),
        },
        Exit::Signal(signal) => Ended::Other(format!("signal {signal}")),
        Exit::TimedOut => Ended::TimedOut,
        Exit::NotStarted(why) => Ended::Other(format!("it could not start: {why}")),
        other => Ended::Other(format!("{other:?}")),
    }
}

/// A name that nothing in a tree can know beforehand.
fn nonce() -> String {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    format!("{:016x}", hasher.finish())
}
