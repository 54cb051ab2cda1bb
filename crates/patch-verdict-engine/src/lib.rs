//! The main job: from a repository and a patch to a verdict with evidence on disk.
//!
//! It runs tests; what it decides, `patch_verdict_core` decides from values. The first line of a
//! program that calls it is `worktree_runner::supervisor::enter()`.
//!
//! ```no_run
//! use patch_verdict_engine::{CheckOptions, Silent, check};
//!
//! worktree_runner::supervisor::enter();
//! let mut options = CheckOptions::new(".");
//! options.environment = std::env::vars().collect();
//! let checked = check(&options, &Silent, &worktree_runner::CancelFlag::new())?;
//! assert_eq!(checked.document.verdict.name(), "accept");
//! # Ok::<(), patch_verdict_engine::CheckError>(())
//! ```

mod assemble;
mod changed_files;
mod check;
mod compare;
mod conclusion;
mod contract;
pub mod demo;
mod diagnosis;
mod document;
mod earlier;
mod error;
mod evidence;
mod execute;
mod explore;
mod files;
mod interpreter;
mod kinds;
mod launch;
mod loading;
mod options;
mod packet;
mod prepare;
mod revisions;
mod scope;
mod selection;
mod sorting;
mod state;
mod suite;
mod view;
mod watcher;

pub use check::{Checked, check, plan};
pub use diagnosis::{Diagnosis, Look, State, diagnose, look};
pub use error::{CheckError, CheckErrorKind};
pub use options::{CheckOptions, FailedIn, Head, Seeds};
pub use watcher::{PlanSummary, Silent, Watcher};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
