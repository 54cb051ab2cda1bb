//! One run of a side under the framework's plan.
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

use differential_gate::Side;
use patch_verdict_core::Ended;
use test_frameworks::{ExitMeaning, Inventory, Mode, PlanRequest};
use worktree_runner::{Exit, RunOutcome, RunRequest, Workspace};

use crate::CheckError;
use crate::error::CheckErrorKind;
use crate::suite::Suite;

const REPORT: &str = "report.xml";

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Launched {
    pub(crate) outcome: RunOutcome,
    pub(crate) ended: Ended,
    pub(crate) report: Option<Vec<u8>>,
    /// Whether the command could not be kept to the tests it was asked for.
    pub(crate) ignores_ids: bool,
    pub(crate) inventory: Option<Inventory>,
    /// Why there is no inventory although the framework makes one.
    pub(crate) inventory_fault: Option<String>,
}

/// One run, as asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Launch<'a> {
    pub(crate) side: Side,
    pub(crate) mode: Mode<'a>,
    pub(crate) seed: i64,
    pub(crate) label: &'a str,
    pub(crate) timeout: Duration,
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) expected: Option<Duration>,
}

/// Starts runs in one workspace.
pub(crate) struct Launcher<'a> {
    pub(crate) workspace: Workspace<'a>,
    pub(crate) suite: &'a Suite,
    /// Variables that the base's configuration sets, `{seed}` not yet replaced.
    pub(crate) set: &'a BTreeMap<String, String>,
}

impl Launcher<'_> {
    pub(crate) fn launch(&mut self, launch: &Launch<'_>) -> Result<Launched, CheckError> {
        let paths = self.workspace.paths();
        let control = paths.control.display().to_string();
        let tree = paths.tree.display().to_string();
        let report = format!("{control}/{REPORT}");
        let environment = self.environment(launch.seed);
        let plan = self
            .suite
            .framework
            .plan(&PlanRequest {
                command: &self.suite.command,
                mode: launch.mode,
                seed: launch.seed,
                nonce: &nonce(),
                report: &report,
                control: &control,
                tree: &tree,
                directory: &self.suite.config.directory,
                environment: &environment,
            })
            .map_err(|error| CheckError::request(error.to_string()))?;
        let mut request = RunRequest::new(launch.side, plan.argv);
        request.directory = directory(&self.suite.config.directory);
        request.environment = environment.into_iter().chain(plan.environment).collect();
        request.files = plan
            .files
            .into_iter()
            .map(|file| (file.name, file.contents.into_bytes()))
            .collect();
        request.channel = plan.channel;
        request.timeout = launch.timeout;
        request.seed = launch.seed;
        launch.label.clone_into(&mut request.label);
        request.place = launch.place;
        request.expected = launch.expected;
        let outcome = self.workspace.run(&request).map_err(CheckError::from)?;
        if outcome.exit == Exit::Cancelled {
            return Err(CheckError::of_kind(
                CheckErrorKind::Interrupted,
                "interrupted",
            ));
        }
        let left = self.collect(launch, outcome, plan.inventory.as_deref(), &control)?;
        Ok(Launched {
            ignores_ids: plan.ignores_ids,
            ..left
        })
    }

    fn collect(
        &self,
        launch: &Launch<'_>,
        outcome: RunOutcome,
        inventory: Option<&str>,
        control: &str,
    ) -> Result<Launched, CheckError> {
        let read = |name: &str| {
            outcome.read_control(name).map_err(|error| {
                let label = launch.label;
                CheckError::surroundings(
                    format!("cannot read `{name}` of the run `{label}`"),
                    error,
                )
            })
        };
        let report = read(REPORT)?;
        let (mut parsed, mut fault) = (None, None);
        if let Some(path) = inventory {
            let name = path
                .strip_prefix(control)
                .unwrap_or(path)
                .trim_start_matches('/');
            match read(name)?.as_deref().map(Inventory::parse) {
                Some(Ok(inventory)) if inventory.complete => parsed = Some(inventory),
                Some(Ok(_)) => fault = Some("its session did not come to a proper end".to_owned()),
                Some(Err(error)) => fault = Some(error.to_string()),
                None => fault = Some("the run left no inventory".to_owned()),
            }
        }
        let ended = ended(self.suite, &outcome.exit);
        Ok(Launched {
            outcome,
            ended,
            report,
            ignores_ids: false,
            inventory: parsed,
            inventory_fault: fault,
        })
    }

    fn environment(&self, seed: i64) -> BTreeMap<String, String> {
        let replace = |value: &String| value.replace("{seed}", &seed.to_string());
        self.set
            .iter()
            .map(|(name, value)| (name.clone(), replace(value)))
            .collect()
    }
}

fn directory(text: &str) -> std::path::PathBuf {
    std::path::Path::new(text)
        .components()
        .filter(|component| matches!(component, std::path::Component::Normal(_)))
        .collect()
}

fn ended(suite: &Suite, exit: &Exit) -> Ended {
    match exit {
        Exit::Code(code) => match suite.framework.exit_meaning(*code) {
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
