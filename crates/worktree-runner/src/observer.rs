//! What the runner tells while it works.

use std::path::Path;
use std::time::Duration;

use differential_gate::Side;

use crate::outcome::Exit;

/// Something that happened; printed as progress by a program.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Event<'a> {
    /// What a dead run left behind was removed.
    #[non_exhaustive]
    LeftoversRemoved {
        /// The work folder of that run.
        path: &'a Path,
    },
    /// A side was checked out.
    #[non_exhaustive]
    WorktreeReady {
        /// Which side.
        side: Side,
    },
    /// A set-up command starts.
    #[non_exhaustive]
    SetUpStarted {
        /// Which side.
        side: Side,
        /// The shell line.
        command: &'a str,
    },
    /// A set-up command ended.
    #[non_exhaustive]
    SetUpEnded {
        /// Which side.
        side: Side,
        /// How it ended.
        exit: &'a Exit,
        /// How long it took.
        duration: Duration,
    },
    /// A run starts.
    #[non_exhaustive]
    RunStarted {
        /// Which side.
        side: Side,
        /// The seed of the run.
        seed: i64,
        /// What the caller called it.
        label: &'a str,
        /// 1-based place in the schedule and its length, where the caller gave them.
        place: Option<(usize, usize)>,
        /// How long it will probably take, where the caller knew.
        expected: Option<Duration>,
    },
    /// A run ended.
    #[non_exhaustive]
    RunEnded {
        /// Which side.
        side: Side,
        /// The seed of the run.
        seed: i64,
        /// How it ended.
        exit: &'a Exit,
        /// How long it took.
        duration: Duration,
    },
}

/// Receives the events of a workspace.
pub trait Observer {
    /// Called in order, from the thread that runs; must return soon.
    fn event(&self, event: Event<'_>);
}

/// An observer that ignores everything.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a marker without state")]
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _event: Event<'_>) {}
}
