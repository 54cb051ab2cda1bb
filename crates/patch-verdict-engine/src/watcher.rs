//! Progress: what a check tells while it works.
use std::time::Duration;

use worktree_runner::{Event, Observer};

/// What will be run, told before the first run starts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PlanSummary {
    /// The control arm: short commit and subject.
    pub parent: String,
    /// The experiment: short commit and subject.
    pub patch: String,
    /// How the base was found.
    pub base_from: String,
    /// Framework, and how it was found.
    pub framework: String,
    /// The command.
    pub command: Vec<String>,
    /// The folder it runs in.
    pub directory: String,
    /// Set-up lines.
    pub setup: Vec<String>,
    /// The scope in words.
    pub scope: String,
    /// The seeds.
    pub seeds: Vec<i64>,
    /// Whether the network is cut.
    pub network_off: bool,
    /// What the framework's adapter seeds.
    pub seeds_what: Vec<String>,
    /// Things to know.
    pub notes: Vec<String>,
}

/// Receives progress. Every method has an empty default.
pub trait Watcher {
    /// Once, before anything runs.
    fn plan(&self, _plan: &PlanSummary) {}

    /// After the discovery run: tests by bucket in words, number of runs, and how long they take.
    fn contract(&self, _tests: &str, _runs: usize, _estimate: Duration) {}

    /// Whatever the runner tells.
    fn event(&self, _event: &Event<'_>) {}
}

/// A watcher that ignores everything.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a marker without state")]
pub struct Silent;

impl Watcher for Silent {}

pub(crate) struct Forward<'a>(pub(crate) &'a dyn Watcher);

impl Observer for Forward<'_> {
    fn event(&self, event: Event<'_>) {
        self.0.event(&event);
    }
}
