//! Which tests are properties, and what becomes of the others (RULES §2).
use std::collections::{BTreeMap, BTreeSet};

use crate::{Outcome, TestId};

/// Why a test is excluded from the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Exclusion {
    /// One of its two hashes differs between the sides.
    Changed,
    /// It is gone in the patch.
    Removed,
    /// The freeze manifest of the parent's side holds it.
    Frozen,
}

impl Exclusion {
    /// `changed`, `removed` or `frozen`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::Frozen => "frozen",
        }
    }
}

/// How a test of the parent looks on the patch's side.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "equal, different or gone")]
pub enum Comparison {
    /// Both hashes are equal.
    Same,
    /// A hash differs; the parts that do, sorted by name. Also where nothing could be compared.
    Differs(Vec<String>),
    /// The file is gone, or it parses without the definition.
    Gone,
}

/// One test of the discovery run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "built by whoever ran the discovery"
)]
pub struct DiscoveredTest {
    /// What the parent's run said of it.
    pub status: Outcome,
    /// Cases with this id that the run showed.
    pub cases: u32,
    /// The comparison with the patch's side.
    pub comparison: Comparison,
}

/// Every id in exactly one place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Buckets {
    /// Skipped on the parent and untouched by the patch.
    pub not_run: BTreeSet<TestId>,
    /// Skipped on the parent, and changed or gone in the patch: for spec review.
    pub not_run_touched: BTreeMap<TestId, Vec<String>>,
    /// Out of the gate: why, and which parts differ.
    pub excluded: BTreeMap<TestId, (Exclusion, Vec<String>)>,
    /// What the contract judges.
    pub properties: BTreeSet<TestId>,
    /// Only on the patch.
    pub new: BTreeSet<TestId>,
    /// Tests of the parent that the scope leaves out: not judged, and said.
    pub out_of_scope: BTreeSet<TestId>,
}

/// What happens to an id of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the buckets of RULES §2")]
pub enum Bucket {
    /// See [`Buckets::not_run`] and [`Buckets::not_run_touched`].
    NotRun,
    /// See [`Buckets::excluded`].
    Excluded(Exclusion),
    /// See [`Buckets::properties`].
    Property,
    /// See [`Buckets::new`].
    New,
    /// See [`Buckets::out_of_scope`].
    OutOfScope,
}

impl Buckets {
    /// Sorts the parent's discovered tests and the patch's collected ids; the first bucket fits.
    ///
    /// `scope` holds the tests that are to be judged (`None`: all); what the patch changed, removed
    /// or added is in scope whatever it says.
    pub fn sort(
        discovered: &BTreeMap<TestId, DiscoveredTest>,
        collected_on_patch: &BTreeSet<TestId>,
        frozen: &BTreeSet<TestId>,
        scope: Option<&BTreeSet<TestId>>,
    ) -> Self {
        let mut buckets = Self::default();
        for (id, test) in discovered {
            let left_out = scope.is_some_and(|scope| !scope.contains(id));
            if left_out && test.comparison == Comparison::Same {
                buckets.out_of_scope.insert(id.clone());
            } else {
                buckets.place(id, test, frozen);
            }
        }
        let new = collected_on_patch
            .iter()
            .filter(|id| !discovered.contains_key(*id));
        buckets.new = new.cloned().collect();
        buckets
    }

    fn place(&mut self, id: &TestId, test: &DiscoveredTest, frozen: &BTreeSet<TestId>) {
        let id = id.clone();
        match (&test.comparison, test.status) {
            (Comparison::Same, Outcome::Skip) => {
                self.not_run.insert(id);
            }
            (Comparison::Differs(parts), Outcome::Skip) => {
                self.not_run_touched.insert(id, parts.clone());
            }
            (Comparison::Gone, Outcome::Skip) => {
                self.not_run_touched.insert(id, vec!["removed".to_owned()]);
            }
            (Comparison::Differs(parts), Outcome::Pass | Outcome::Fail) => {
                self.excluded
                    .insert(id, (Exclusion::Changed, parts.clone()));
            }
            (Comparison::Gone, Outcome::Pass | Outcome::Fail) => {
                self.excluded.insert(id, (Exclusion::Removed, Vec::new()));
            }
            (Comparison::Same, Outcome::Pass | Outcome::Fail) if frozen.contains(&id) => {
                self.excluded.insert(id, (Exclusion::Frozen, Vec::new()));
            }
            (Comparison::Same, Outcome::Pass | Outcome::Fail) => {
                self.properties.insert(id);
            }
        }
    }

    /// The bucket of an id; `None` for an id that is in none.
    pub fn of(&self, id: &TestId) -> Option<Bucket> {
        if self.properties.contains(id) {
            Some(Bucket::Property)
        } else if let Some((exclusion, _)) = self.excluded.get(id) {
            Some(Bucket::Excluded(*exclusion))
        } else if self.not_run.contains(id) || self.not_run_touched.contains_key(id) {
            Some(Bucket::NotRun)
        } else {
            let new = self.new.contains(id).then_some(Bucket::New);
            new.or_else(|| self.out_of_scope.contains(id).then_some(Bucket::OutOfScope))
        }
    }

    /// Ids excluded for `reason`, sorted.
    pub fn excluded_as(&self, reason: Exclusion) -> impl Iterator<Item = &TestId> {
        self.excluded
            .iter()
            .filter(move |(_, (why, _))| *why == reason)
            .map(|(id, _)| id)
    }
}
