//! What a run was really isolated from, as it is recorded in each row.

use serde::{Deserialize, Serialize};

use crate::plan::Report;
use crate::probe::Found;

/// How a run's processes are held together, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Containment {
    /// A process namespace: the kernel ends every descendant at once.
    PidNamespace,
    /// A control group (version 2) that may be killed as one, below a supervisor that inherits orphans.
    Cgroup,
    /// A supervisor that inherits orphans and kills them in a loop.
    Subreaper,
    /// A process group: descendants that leave it are only looked for by their environment.
    ProcessGroup,
}

/// Whether a run reaches the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NetworkState {
    /// Only a loopback of its own.
    Off,
    /// The host's network.
    Open,
}

/// How a side's files come to the shared path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TreeMount {
    /// Under a fresh writable layer that is mounted there for one run and thrown away after it.
    Overlay,
    /// Bound there inside a mount namespace.
    Bind,
    /// Renamed there for the time of the run.
    Rename,
}

/// Something that landlock can keep a run from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Confined {
    /// Making, writing, renaming and removing files outside what a run may write.
    Writes,
    /// Cutting a file outside it short.
    Truncation,
    /// Tracing other processes and reading their environment.
    OtherProcesses,
    /// Sending signals to other processes.
    Signals,
    /// Connecting to UNIX sockets without a file.
    AbstractSockets,
    /// Connecting to UNIX sockets in the file system.
    FileSockets,
    /// TCP connections, but to the ports that the system hands out to servers that ask for any.
    Tcp,
    /// UDP.
    Udp,
}

/// What landlock kept a run from, where there were no mounts to do it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Confinement {
    /// What it refuses, sorted.
    pub refused: Vec<Confined>,
    /// What this kernel's landlock cannot refuse, or was not asked to, sorted.
    pub open: Vec<Confined>,
}

impl Confinement {
    pub(crate) const fn new(refused: Vec<Confined>, open: Vec<Confined>) -> Self {
        Self { refused, open }
    }

    /// Whether this is refused.
    pub fn refuses(&self, what: Confined) -> bool {
        self.refused.contains(&what)
    }
}

/// Which clock a run sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClockMode {
    /// The system's own.
    Host,
}

/// What one run was really isolated from.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each answers a question of its own"
)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Isolation {
    /// How its processes were held together.
    pub containment: Containment,
    /// Whether it reached the network.
    pub network: NetworkState,
    /// How its files came to the shared path. Without an overlay the tree is brought back from copies
    /// after each run.
    pub mount: TreeMount,
    /// Why there was no overlay, where one was asked for.
    pub overlay_refused: Option<String>,
    /// Whether both sides run at one absolute path.
    pub path_shared: bool,
    /// Whether the other side's tree and earlier runs were hidden.
    pub other_side_hidden: bool,
    /// Whether the user's repository was read-only for the run.
    pub repository_read_only: bool,
    /// Whether `/tmp` and `/dev/shm` were empty at the start and gone at the end, but for what tools
    /// are reached by.
    pub private_tmp: bool,
    /// Whether processes outside the run could neither be traced nor their environment be read.
    #[serde(default)]
    pub processes_hidden: bool,
    /// Whether the host's UNIX sockets without a file were out of reach.
    #[serde(default)]
    pub abstract_sockets_hidden: bool,
    /// Whether `/run` and what listens elsewhere in the host's file system were out of reach.
    #[serde(default)]
    pub file_sockets_hidden: bool,
    /// What landlock kept it from, where it was needed and could be had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landlock: Option<Confinement>,
    /// Which clock the run saw.
    pub clock: ClockMode,
    /// Processes that the run left behind; all were ended.
    #[serde(default, skip_serializing_if = "is_none")]
    pub processes_left: u64,
    /// Bytes that were left out of the middle of its log.
    #[serde(default, skip_serializing_if = "is_none")]
    pub output_dropped_bytes: u64,
    /// Why a stronger level was not used, where one was refused.
    pub refused: Option<String>,
}

impl Isolation {
    /// What follows from the namespaces of a run and from its containment.
    pub(crate) fn by(found: &Found, containment: Containment, private_tmp: bool) -> Self {
        let namespaces = found.namespaces;
        Self {
            containment,
            network: if namespaces.network {
                NetworkState::Off
            } else {
                NetworkState::Open
            },
            mount: if namespaces.mount {
                TreeMount::Bind
            } else {
                TreeMount::Rename
            },
            overlay_refused: None,
            path_shared: true,
            other_side_hidden: namespaces.mount,
            repository_read_only: namespaces.mount && found.read_only,
            private_tmp: namespaces.mount && private_tmp,
            // What belongs to another namespace of users can neither be traced nor read.
            processes_hidden: namespaces.process || namespaces.user,
            abstract_sockets_hidden: namespaces.network,
            file_sockets_hidden: namespaces.mount,
            landlock: None,
            clock: ClockMode::Host,
            processes_left: 0,
            output_dropped_bytes: 0,
            refused: found.refused.clone(),
        }
        .with_landlock(found.landlock.clone())
    }

    /// The same with or without layers, and why there are none.
    pub(crate) fn over(mut self, layers: bool, refused: Option<String>) -> Self {
        if layers {
            self.mount = TreeMount::Overlay;
        }
        self.overlay_refused = refused;
        self
    }

    /// The same with what came of one run.
    pub(crate) fn after(self, report: &Report) -> Self {
        Self {
            processes_left: report.survivors_killed.into(),
            output_dropped_bytes: report.log_dropped_bytes,
            ..self.with_landlock(report.confined.clone())
        }
    }

    /// The same with what landlock really refused.
    fn with_landlock(mut self, confinement: Option<Confinement>) -> Self {
        let refuses = |what| {
            confinement
                .as_ref()
                .is_some_and(|known| known.refuses(what))
        };
        self.repository_read_only |= refuses(Confined::Writes) && refuses(Confined::Truncation);
        self.processes_hidden |= refuses(Confined::OtherProcesses);
        self.abstract_sockets_hidden |= refuses(Confined::AbstractSockets);
        self.file_sockets_hidden |= refuses(Confined::FileSockets);
        self.landlock = confinement;
        self
    }

    /// A JSON object on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }

    /// Whether the network was cut.
    pub fn network_off(&self) -> bool {
        self.network == NetworkState::Off
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "called by serde with a reference"
)]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

/// The namespaces one run asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four namespaces, each there or not"
)]
pub(crate) struct Namespaces {
    pub(crate) user: bool,
    pub(crate) mount: bool,
    pub(crate) process: bool,
    pub(crate) network: bool,
}

impl Namespaces {
    pub(crate) const NONE: Self = Self {
        user: false,
        mount: false,
        process: false,
        network: false,
    };

    pub(crate) const fn any(self) -> bool {
        self.user || self.mount || self.process || self.network
    }
}
