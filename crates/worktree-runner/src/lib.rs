//! Runs one contract on two git worktrees: pinned environment, no network, supervised processes, rows on disk.
//!
//! A [`Workspace`] checks two commits out as linked worktrees. Set-up and every run of both sides happen
//! at one absolute path, in an environment that is cleared and pinned, without network but a loopback of
//! their own, below a supervisor that ends every descendant. What was really isolated is recorded in
//! [`Isolation`]; where the system forbids namespaces the runs go on and say so.
//!
//! ```no_run
//! use differential_gate::Side;
//! use git_trees::Repository;
//! use worktree_runner::{CancelFlag, RunRequest, Silent, Workspace, WorkspaceOptions, abba, supervisor};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     supervisor::enter(); // first line: this program also serves as its own supervisor
//!     let repository = Repository::discover(".".as_ref())?;
//!     let commits = (&repository.resolve("HEAD~1")?, &repository.resolve("HEAD")?);
//!     let options = WorkspaceOptions::new(".patch-verdict/work", ".patch-verdict/logs");
//!     let cancel = CancelFlag::new();
//!     cancel.set_on_signals()?;
//!     let mut workspace = Workspace::create(&repository, commits, options, &Silent, &cancel)?;
//!     for (side, seed) in abba(&[1, 2, 3]) {
//!         let mut request = RunRequest::new(side, vec!["python3".into(), "-m".into(), "pytest".into()]);
//!         request.seed = seed;
//!         let outcome = workspace.run(&request)?;
//!         println!("{} {seed}: {:?} {}", side.name(), outcome.exit, outcome.isolation.to_json());
//!     }
//!     workspace.finish()?;
//!     Ok(())
//! }
//! ```
//!
//! [`Workspace::run_tests`] makes one run of a test command under its framework's plan, [`read_run`] reads
//! what it left, [`rows`] makes rows of it, and [`conduct`] writes those of each run of a contract to disk
//! before the next starts.
//!
//! # What it does not do
//! It draws no verdict: it writes rows, and the decision over them is `differential_gate`'s. Linux only in
//! full; other Unix systems get process groups, an open network and a renamed tree, all recorded.
//!
//! # Limits
//! Each run writes into an overlay that is thrown away. Where that is refused, a tree is brought back after
//! a run by comparing size, mode, owner, inode, modification and change time of each file, from copies
//! made after set-up (smallest files first, 512 MB a side by default; a change to a file beyond that is
//! an error, never a dirty run).
//!
//! Rust 1.90 or later.

mod attributes;
mod cancel;
mod capability;
mod channel;
mod conduct;
mod confinement;
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
mod reading;
mod rows;
mod schedule;
mod seals;
mod segments;
mod snapshot;
mod sockets;
mod test_run;
mod trees;
mod workspace;

pub mod digests;
pub mod supervisor;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub use cancel::CancelFlag;
pub use capability::probe_isolation;
pub use channel::Streamed;
pub use conduct::{Conductor, HandOver, MadeRun, PlannedRun, conduct, planned_runs};
pub use error::{RunError, RunErrorKind};
pub use isolation::{
    ClockMode, Confined, Confinement, Containment, Isolation, NetworkState, TreeMount,
};
pub use observer::{Event, Observer, Silent};
pub use options::{
    EnvironmentPlan, Network, Pristine, RunPaths, RunRequest, Service, WorkspaceOptions,
};
pub use outcome::{Exit, RunOutcome, SetUpOutcome};
pub use reading::{ReadingContext, RunReading, read_run};
pub use rows::rows;
pub use schedule::abba;
pub use segments::Segments;
pub use test_run::{TestCommand, TestRun, TestRunLeft};
pub use workspace::Workspace;
