//! Runs one contract on two git worktrees: pinned environment, no network, supervised processes, rows on disk.

mod cancel;
mod environment;
mod error;
mod files;
mod isolation;
mod launch;
mod observer;
mod options;
mod outcome;
mod plan;
mod probe;
mod schedule;
mod segments;
mod snapshot;
mod trees;
mod workspace;

pub mod digests;
pub mod supervisor;

pub use cancel::CancelFlag;
pub use error::{RunError, RunErrorKind};
pub use isolation::{Containment, Isolation, NetworkState, TreeMount};
pub use observer::{Event, Observer, Silent};
pub use options::{EnvironmentPlan, Network, RunPaths, RunRequest, WorkspaceOptions};
pub use outcome::{Exit, RunOutcome, SetUpOutcome};
pub use schedule::abba;
pub use segments::Segments;
pub use workspace::Workspace;
