//! What a workspace is made with.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::isolation::Containment;

/// Which network the runs get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Network {
    /// Only a loopback of their own, where the system allows it.
    #[default]
    Off,
    /// The host's.
    Host,
}

/// What the runs find in their environment beyond what is pinned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct EnvironmentPlan {
    /// Names of variables passed through from the caller's environment.
    pub pass: Vec<String>,
    /// Variables set to fixed values; they outrank the pinned ones.
    pub set: BTreeMap<String, String>,
}

impl EnvironmentPlan {
    /// A plan that passes and sets these.
    pub const fn new(pass: Vec<String>, set: BTreeMap<String, String>) -> Self {
        Self { pass, set }
    }
}

/// How a tree becomes again what set-up left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Pristine {
    /// Each run writes into a layer of its own over the tree; copies where the system refuses that.
    #[default]
    Overlay,
    /// The tree is brought back from copies after each run.
    Copies,
}

/// A service that tests talk to: started inside the run's network and processes before each run, and
/// ended with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Service {
    /// Shell line that starts it, from the root of the tree; it may stay in the foreground or return 0.
    pub start: String,
    /// Shell line that succeeds once the service is ready; asked again until it does.
    pub ready: String,
}

impl Service {
    /// A service of these two shell lines.
    pub fn new(start: impl Into<String>, ready: impl Into<String>) -> Self {
        Self {
            start: start.into(),
            ready: ready.into(),
        }
    }
}

/// What a workspace is made with.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WorkspaceOptions {
    /// Where worktrees live, e.g. `<repo>/.patch-verdict/work`; it ignores itself in git.
    pub state_dir: PathBuf,
    /// Where the logs of set-up and runs go; they stay when the workspace is gone.
    pub logs_dir: PathBuf,
    /// The network of scored runs (set-up always has the host's).
    pub network: Network,
    /// What the environment holds beyond what is pinned.
    pub environment: EnvironmentPlan,
    /// The strongest containment to try; weaker ones are for tests and for systems where a stronger one misbehaves.
    pub containment: Containment,
    /// How each run gets a tree as set-up left it.
    pub pristine: Pristine,
    /// Whether landlock stands in where namespaces are refused; without it only for tests.
    pub landlock: bool,
    /// Started inside each run before its command, in this order. One that ends with an error, or is not
    /// ready in time, makes the run one that could not start.
    pub services: Vec<Service>,
    /// How long each service may take to be ready.
    pub service_limit: Duration,
    /// `SOURCE_DATE_EPOCH` of both sides: seconds since 1970; the parent's commit time when `None`.
    pub source_date_epoch: Option<i64>,
    /// Bytes of output kept of each run: half from its head, half from its tail.
    pub log_limit_bytes: u64,
    /// Bytes of each side's files that are kept as a copy, smallest first, to bring back what a run
    /// changed; of no account where overlays are used.
    pub keep_limit_bytes: u64,
    /// How long a command may take to end after SIGINT before SIGTERM is sent.
    pub interrupt_grace: Duration,
    /// How long a command may take to end after SIGTERM before SIGKILL is sent.
    pub terminate_grace: Duration,
}

impl WorkspaceOptions {
    /// Network off, strongest containment, overlays, no services (60 s for each), 4 MB of log, 512 MB kept,
    /// 10 s and 3 s of grace.
    pub fn new(state_dir: impl Into<PathBuf>, logs_dir: impl Into<PathBuf>) -> Self {
        Self {
            state_dir: state_dir.into(),
            logs_dir: logs_dir.into(),
            network: Network::Off,
            environment: EnvironmentPlan::default(),
            containment: Containment::PidNamespace,
            pristine: Pristine::Overlay,
            landlock: true,
            services: Vec::new(),
            service_limit: Duration::from_secs(60),
            source_date_epoch: None,
            log_limit_bytes: 4_000_000,
            keep_limit_bytes: 512_000_000,
            interrupt_grace: Duration::from_secs(10),
            terminate_grace: Duration::from_secs(3),
        }
    }
}

/// The absolute paths every run of both sides sees.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunPaths {
    /// The side's files.
    pub tree: PathBuf,
    /// Files the adapter hands in, and what the run reports.
    pub control: PathBuf,
    /// `TMPDIR`, fresh for each run.
    pub temp: PathBuf,
    /// `HOME`, fresh for each run.
    pub home: PathBuf,
}

/// One run to make.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RunRequest {
    /// Which tree it runs in.
    pub side: differential_gate::Side,
    /// The command and its arguments; a relative program with a `/` in it is looked for in `directory`.
    pub argv: Vec<String>,
    /// Where it starts, relative to the tree; empty for the tree itself.
    pub directory: PathBuf,
    /// Variables on top of the pinned ones, the same on both sides.
    pub environment: BTreeMap<String, String>,
    /// Files put into the control folder before the start: relative name and content.
    pub files: Vec<(String, Vec<u8>)>,
    /// Name in the control folder of a named pipe to make before the start and to read while the
    /// run lasts: [`RunOutcome::streamed`](crate::RunOutcome::streamed).
    pub channel: Option<String>,
    /// How long it may take.
    pub timeout: Duration,
    /// The seed, exported as `PATCH_VERDICT_SEED` and `PYTHONHASHSEED`.
    pub seed: i64,
    /// A short name for the log file and for progress.
    pub label: String,
    /// 1-based place in the schedule and its length, for progress.
    pub place: Option<(usize, usize)>,
    /// How long it will probably take, for progress.
    pub expected: Option<Duration>,
}

impl RunRequest {
    /// A request that starts in the tree itself with a timeout of ten minutes and seed 0.
    pub fn new(side: differential_gate::Side, argv: Vec<String>) -> Self {
        Self {
            side,
            argv,
            directory: PathBuf::new(),
            environment: BTreeMap::new(),
            files: Vec::new(),
            channel: None,
            timeout: Duration::from_secs(600),
            seed: 0,
            label: String::new(),
            place: None,
            expected: None,
        }
    }
}
