//! Several runs at once.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};

use differential_gate::Side;

use super::Workspace;
use super::ground::Ground;
use crate::error::RunError;
use crate::options::RunRequest;
use crate::outcome::RunOutcome;

impl Workspace<'_> {
    /// How many runs can be made at once when this many are asked for, and why it is fewer.
    pub fn at_once(&self, asked: usize) -> (usize, Option<&'static str>) {
        let namespaces = self.ground.for_runs.namespaces;
        let (most, why) = if !(self.ground.mounts() && namespaces.process) {
            let why = "without namespaces of their own, runs would share one path and one kill";
            (1, why)
        } else if self.ground.overlay {
            (usize::MAX, "")
        } else {
            (
                2,
                "without overlays each side's tree takes one run at a time",
            )
        };
        let asked = asked.max(1);
        (asked.min(most), (asked > most).then_some(why))
    }

    /// Makes the runs, up to `jobs` at once (as far as [`at_once`](Self::at_once) allows), each in
    /// namespaces and a tree of its own at the path that all of them see.
    ///
    /// They start in the order given. Two neighbours of one seed and different sides start together,
    /// as soon as two places are free, so that both meet the same load; an odd number of jobs leaves
    /// one place idle meanwhile. `ended` is called on this thread as runs end, in any order, with the
    /// index of the request. A run that fails or times out is an outcome like any other. After
    /// trouble of the surroundings, or an error of `ended`, no further run starts; those under way
    /// are still handed over, and the first error is returned.
    ///
    /// # Errors
    /// As [`run`](Self::run), or what `ended` returned.
    pub fn run_all<E: From<RunError>>(
        &mut self,
        requests: &[RunRequest],
        jobs: usize,
        mut ended: impl FnMut(usize, RunOutcome) -> Result<(), E>,
    ) -> Result<(), E> {
        let (jobs, _) = self.at_once(jobs);
        if jobs == 1 {
            for (index, request) in requests.iter().enumerate() {
                ended(index, self.run(request)?)?;
            }
            return Ok(());
        }
        let cancel = self.ground.cancel.clone();
        let mut crew = Crew::new(requests, jobs, !self.ground.overlay);
        let mut first = None;
        let numbered = self.runs;
        self.runs = self.runs.saturating_add(requests.len());
        let this = &*self;
        thread::scope(|scope| {
            while first.is_none() && !cancel.is_set() || crew.busy() {
                while first.is_none() && !cancel.is_set() {
                    let Some(group) = crew.next() else { break };
                    for index in group {
                        if let Some(request) = requests.get(index) {
                            this.tell_start(request);
                            let number = numbered.saturating_add(index).saturating_add(1);
                            crew.start(scope, &this.ground, index, (request, number));
                        }
                    }
                }
                let Some((index, result)) = crew.wait() else {
                    break;
                };
                let Some(request) = requests.get(index) else {
                    break;
                };
                let told = match result {
                    Some(Ok(outcome)) => this
                        .ended(request, outcome)
                        .map_err(E::from)
                        .and_then(|outcome| ended(index, outcome)),
                    Some(Err(error)) => Err(error.into()),
                    // Its thread panicked: the scope passes that on.
                    None => break,
                };
                if let Err(error) = told {
                    first.get_or_insert(error);
                }
            }
        });
        match first {
            Some(error) => Err(error),
            None if crew.left() => Err(RunError::cancelled().into()),
            None => Ok(()),
        }
    }
}

type Ended = (usize, Option<Result<RunOutcome, RunError>>);

/// Who waits, who runs, and where the end of a run is told.
struct Crew<'r> {
    requests: &'r [RunRequest],
    waiting: VecDeque<Range<usize>>,
    running: Vec<usize>,
    jobs: usize,
    /// Whether two runs of one side would meet in one tree.
    one_a_side: bool,
    sender: Sender<Ended>,
    receiver: Receiver<Ended>,
}

impl<'r> Crew<'r> {
    fn new(requests: &'r [RunRequest], jobs: usize, one_a_side: bool) -> Self {
        let (sender, receiver) = channel();
        Self {
            requests,
            waiting: groups(requests),
            running: Vec::new(),
            jobs,
            one_a_side,
            sender,
            receiver,
        }
    }

    fn busy(&self) -> bool {
        !self.running.is_empty()
    }

    fn left(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn side(&self, index: usize) -> Option<Side> {
        self.requests.get(index).map(|request| request.side)
    }

    /// The next runs that may start now, together.
    fn next(&mut self) -> Option<Range<usize>> {
        let group = self.waiting.front()?.clone();
        let free = self.jobs.saturating_sub(self.running.len());
        let tree_in_use = self.one_a_side
            && group.clone().any(|index| {
                let side = self.side(index);
                self.running.iter().any(|other| self.side(*other) == side)
            });
        if group.len() > free || tree_in_use {
            return None;
        }
        self.waiting.pop_front()
    }

    fn start<'scope>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        ground: &'scope Ground,
        index: usize,
        (request, number): (&'scope RunRequest, usize),
    ) {
        self.running.push(index);
        let bell = Bell {
            sender: self.sender.clone(),
            ended: (index, None),
        };
        scope.spawn(move || {
            let result = ground.run(request, number);
            bell.ring(result);
        });
    }

    /// The next end of a run; `None` when none is under way.
    fn wait(&mut self) -> Option<Ended> {
        if self.running.is_empty() {
            return None;
        }
        let ended = self.receiver.recv().ok()?;
        self.running.retain(|index| *index != ended.0);
        Some(ended)
    }
}

/// Rings when its thread ends, however that comes about.
struct Bell {
    sender: Sender<Ended>,
    ended: Ended,
}

impl Bell {
    /// Takes the bell as a whole into the thread.
    fn ring(mut self, result: Result<RunOutcome, RunError>) {
        self.ended.1 = Some(result);
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        let result = self.ended.1.take();
        self.sender.send((self.ended.0, result)).unwrap_or_default();
    }
}

/// What starts together: both sides of a seed where they are neighbours, all else alone.
fn groups(requests: &[RunRequest]) -> VecDeque<Range<usize>> {
    let mut groups = VecDeque::new();
    let mut index = 0;
    while let Some(request) = requests.get(index) {
        let paired = requests
            .get(index + 1)
            .is_some_and(|next| next.seed == request.seed && next.side != request.side);
        let end = index + if paired { 2 } else { 1 };
        groups.push_back(index..end);
        index = end;
    }
    groups
}
