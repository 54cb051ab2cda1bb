//! The scored runs of a contract, one after another, each on disk before the next starts.

use differential_gate::Side;

use crate::error::RunError;
use crate::schedule::abba;
use crate::segments::Segments;

/// One scored run of a contract's schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedRun {
    /// Which tree it runs in.
    pub side: Side,
    /// Its seed.
    pub seed: i64,
    /// Place of the seed in the schedule, from 0.
    pub index: usize,
    /// Place of the run among all runs, from 1.
    pub place: usize,
}

impl PlannedRun {
    /// A short name for logs and progress, as in `scored-patch-2`.
    pub fn label(&self) -> String {
        format!("scored-{}-{}", self.side.name(), self.index + 1)
    }
}

/// The runs of these sides in the order of [`abba`].
///
/// ```
/// use differential_gate::Side;
/// let runs = worktree_runner::planned_runs(&[7, 3], &[Side::Patch]);
/// let names: Vec<_> = runs.iter().map(|run| (run.label(), run.seed, run.place)).collect();
/// assert_eq!(names, [("scored-patch-1".into(), 7, 1), ("scored-patch-2".into(), 3, 2)]);
/// ```
pub fn planned_runs(seeds: &[i64], sides: &[Side]) -> Vec<PlannedRun> {
    let all = abba(seeds).into_iter().enumerate();
    let asked = all.filter(|(_, (side, _))| sides.contains(side));
    asked
        .enumerate()
        .map(|(place, (order, (side, seed)))| PlannedRun {
            side,
            seed,
            index: order / 2,
            place: place + 1,
        })
        .collect()
}

/// A run that was made.
#[derive(Debug, Clone, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "rows, and what its maker wants to know of it later"
)]
pub struct MadeRun {
    /// Its rows (see [`rows`](crate::rows)).
    pub rows: Vec<u8>,
    /// What [`Conductor::keep`] gets when the contract goes on after an interruption.
    pub note: String,
}

/// Takes a run that was made.
pub type HandOver<'a, E> = dyn FnMut(&PlannedRun, MadeRun) -> Result<(), E> + 'a;

/// Makes the scored runs of a contract.
pub trait Conductor {
    /// Why a run could not be made.
    type Error: From<RunError>;

    /// Makes the run.
    ///
    /// # Errors
    /// Trouble of the surroundings; it ends the contract. How a run went is a matter of its rows.
    fn make(&mut self, run: &PlannedRun) -> Result<MadeRun, Self::Error>;

    /// Makes these runs and hands each over as it ends: one after another, unless a conductor makes
    /// several at once ([`Workspace::run_all_tests`](crate::Workspace::run_all_tests)).
    ///
    /// # Errors
    /// Those of [`make`](Self::make), and those of `made`, which end the contract too.
    fn make_all(
        &mut self,
        runs: &[PlannedRun],
        made: &mut HandOver<'_, Self::Error>,
    ) -> Result<(), Self::Error> {
        for run in runs {
            let one = self.make(run)?;
            made(run, one)?;
        }
        Ok(())
    }

    /// Whether the run may be kept that was made before an interruption and left this note; else it
    /// is made again.
    fn keep(&mut self, run: &PlannedRun, note: &str) -> bool;
}

/// Has the runs made in their order and writes the segment of each as it ends, before the next starts in
/// its place. Where `segments` are [sealed](Segments::sealed), runs whose segments are whole are kept.
///
/// # Errors
/// The conductor's, and those of [`Segments::write`]; the segments written so far stay.
pub fn conduct<C: Conductor>(
    segments: &Segments,
    runs: &[PlannedRun],
    conductor: &mut C,
) -> Result<(), C::Error> {
    let mut asked = Vec::new();
    for run in runs {
        if let Some(note) = segments.take(run.side, run.index)? {
            if conductor.keep(run, &note) {
                continue;
            }
            segments.discard(run.side, run.index)?;
        }
        asked.push(*run);
    }
    conductor.make_all(&asked, &mut |run, made| {
        segments.write(run.side, run.index, &made.rows)?;
        segments.seal(run.side, run.index, &made.note)?;
        Ok(())
    })
}
