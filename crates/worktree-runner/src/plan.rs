//! What the driver tells a supervisor, and what it hears back: one JSON line each way.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::isolation::{Confinement, Namespaces};
use crate::options::Service;
use crate::outcome::Exit;

/// The whole order for one supervisor.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SupervisorPlan {
    pub(crate) namespaces: Namespaces,
    /// Ask the driver to write the id maps (it may map every id; the process itself only its own).
    pub(crate) driver_maps_ids: bool,
    pub(crate) mounts: Option<MountPlan>,
    pub(crate) command: CommandPlan,
}

/// What stands where inside a run's mount namespace.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct MountPlan {
    /// Made read-only where they are.
    pub(crate) read_only: Vec<PathBuf>,
    /// Covered by an empty, read-only folder.
    pub(crate) hidden: Vec<PathBuf>,
    /// Covered by an empty folder in memory that is gone with the run.
    pub(crate) volatile: Vec<PathBuf>,
    /// Covered by an empty folder in memory, in which these folders are made to be bound over.
    pub(crate) emptied: Vec<(PathBuf, Vec<PathBuf>)>,
    /// Files that are covered by `/dev/null`; what is not there is passed over.
    pub(crate) covered: Vec<PathBuf>,
    /// Bound from the first to the second path, writable.
    pub(crate) bound: Vec<(PathBuf, PathBuf)>,
    /// A fresh layer over a side's tree, mounted after everything bound.
    pub(crate) layer: Option<LayerPlan>,
    /// Of the bound targets, those that are read-only.
    pub(crate) sealed: Vec<PathBuf>,
}

/// One overlay: what is written at the target goes into `upper`, `lower` stays as it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LayerPlan {
    pub(crate) lower: PathBuf,
    pub(crate) upper: PathBuf,
    /// An empty folder that the kernel needs, on the file system of `upper`.
    pub(crate) work: PathBuf,
    pub(crate) target: PathBuf,
    /// Change it in every way at once: a probe.
    pub(crate) trial: bool,
}

/// The command itself; it names no side and no worktree.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct CommandPlan {
    /// Empty for a probe: isolate, report, end.
    pub(crate) argv: Vec<String>,
    pub(crate) directory: PathBuf,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) timeout_ms: u64,
    pub(crate) interrupt_grace_ms: u64,
    pub(crate) terminate_grace_ms: u64,
    pub(crate) log_limit_bytes: u64,
    /// Mount a fresh `/proc` first (first process of a process namespace).
    pub(crate) fresh_proc: bool,
    /// Drop capabilities that undo the isolation (a run as root).
    pub(crate) drop_capabilities: bool,
    /// What the command is put into before it starts, where namespaces do not hold it.
    pub(crate) confine: Option<ConfinePlan>,
    /// Started before the command, in this order.
    pub(crate) services: Vec<Service>,
    /// How long each of them may take to be ready.
    pub(crate) service_limit_ms: u64,
    /// Where services start.
    pub(crate) service_directory: PathBuf,
}

/// What stands in for namespaces: a control group, landlock, or both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ConfinePlan {
    pub(crate) cgroup: Option<PathBuf>,
    pub(crate) landlock: Option<LandlockPlan>,
}

/// What landlock leaves open.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LandlockPlan {
    /// Folders that may be written, with what is below them; those that are not there are passed over.
    pub(crate) writable: Vec<PathBuf>,
    pub(crate) cut_network: bool,
}

/// A line from the supervisor.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    /// Please write the id maps of this process.
    MapIds(u32),
    /// The isolation was refused; nothing ran.
    NotIsolated(String),
    /// The command ended.
    Ended(Report),
}

/// How a supervised command ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) exit: Exit,
    pub(crate) duration_ms: u64,
    pub(crate) survivors_killed: u32,
    pub(crate) log_dropped_bytes: u64,
    /// Raw error number of the first failed write to the log.
    pub(crate) log_error: Option<i32>,
    /// Whether a process that the command left behind still held its output at the end.
    pub(crate) output_held: bool,
    /// What landlock refused the command, if it was asked to.
    pub(crate) confined: Option<Confinement>,
}

impl Report {
    pub(crate) const fn new(exit: Exit) -> Self {
        Self {
            exit,
            duration_ms: 0,
            survivors_killed: 0,
            log_dropped_bytes: 0,
            log_error: None,
            output_held: false,
            confined: None,
        }
    }
}

/// An order as it goes down a pipe: its length on a line of its own, then the order. The reader takes
/// it in two steps and nothing of what follows it.
pub(crate) fn framed(order: &impl Serialize) -> std::io::Result<Vec<u8>> {
    let order = serde_json::to_vec(order)?;
    let mut bytes = format!("{}\n", order.len()).into_bytes();
    bytes.extend(order);
    Ok(bytes)
}

/// Byte on the control pipe: the id maps are written.
pub(crate) const IDS_MAPPED: u8 = b'm';
/// Byte on the control pipe: end the run, it was cancelled.
pub(crate) const CANCEL: u8 = b'c';
