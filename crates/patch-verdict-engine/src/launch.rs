//! One run of a side under the framework's plan.
use std::hash::{BuildHasher as _, Hasher as _};
use std::time::Duration;

use differential_gate::Side;
use patch_verdict_core::Ended;
use test_frameworks::{ExitMeaning, Inventory, Mode, PlanRequest};
use worktree_runner::{CancelFlag, Exit, Observer, RunOutcome, RunRequest, Workspace};

use crate::error::CheckErrorKind;
use crate::suite::Suite;
use crate::{CheckError, CheckOptions};

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Launched {
    pub(crate) outcome: RunOutcome,
    pub(crate) ended: Ended,
    pub(crate) report: Option<Vec<u8>>,
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

const REPORT: &str = "report.xml";

/// Starts runs in one workspace.
pub(crate) struct Launcher<'a> {
    pub(crate) workspace: Workspace<'a>,
    pub(crate) suite: &'a Suite,
    pub(crate) options: &'a CheckOptions,
    pub(crate) set: &'a std::collections::BTreeMap<String, String>,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) cancel: &'a CancelFlag,
}
