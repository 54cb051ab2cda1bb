//! What a run was really isolated from, as it is recorded in each row.

use serde::{Deserialize, Serialize};

/// How a run's processes are held together, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Containment {
    /// A process namespace: the kernel ends every descendant at once.
    PidNamespace,
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
    /// Which clock the run saw.
    pub clock: ClockMode,
    /// Why a stronger level was not used, where one was refused.
    pub refused: Option<String>,
}

impl Isolation {
    /// A JSON object on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }

    /// Whether the network was cut.
    pub fn network_off(&self) -> bool {
        self.network == NetworkState::Off
    }
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
