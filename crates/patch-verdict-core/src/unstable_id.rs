//! Ids that hold a time of day or an address: normalised, never lost.
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::TestId;

/// What changes from run to run inside an id. Each pattern is one that a person recognises at once;
/// bare numbers stay, for they tell parameters apart.
static VOLATILE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\d{4}-\d{2}-\d{2}[T _]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?",
        r"|\b\d{4}-\d{2}-\d{2}\b",
        r"|\b\d{2}:\d{2}:\d{2}(\.\d+)?\b",
        r"|\b0x[0-9a-fA-F]{6,16}\b",
        r"|datetime\.(datetime|date|time)\([0-9, ]+[^)]*\)",
        r"|\b1[5-9]\d{8}\.\d+\b",
    ))
    .ok()
});

/// The id with times and addresses replaced, `None` where it holds neither.
pub fn normalised(id: &TestId) -> Option<TestId> {
    let pattern = VOLATILE.as_ref()?;
    let replaced = pattern.replace_all(id.as_str(), "<volatile>");
    (replaced != id.as_str()).then(|| TestId::from_text(replaced.into_owned()))
}

/// How ids of any run are spelled in the contract: unknown ids map to themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StableIds {
    verbatim: BTreeSet<TestId>,
    folded: BTreeSet<TestId>,
}

impl StableIds {
    /// Ids that both sides hold verbatim stay as they are; others are normalised where they can be.
    ///
    /// `again` are the parent's ids of a later listing, where there was one: an id that it holds
    /// verbatim does not change by itself, so what is not on the patch is missing there, and no
    /// parameter that only looks like a time can take its place.
    pub fn new(
        parent: &BTreeSet<TestId>,
        patch: &BTreeSet<TestId>,
        again: Option<&BTreeSet<TestId>>,
    ) -> Self {
        let settled =
            |id: &&TestId| patch.contains(*id) || again.is_some_and(|ids| ids.contains(*id));
        let verbatim: BTreeSet<TestId> = parent.iter().filter(settled).cloned().collect();
        let unstable = parent
            .symmetric_difference(patch)
            .filter(|id| !verbatim.contains(*id));
        let folded = unstable.filter_map(normalised).collect();
        Self { verbatim, folded }
    }

    /// Whether the sides hold different ids with times or addresses in them.
    pub fn any(parent: &BTreeSet<TestId>, patch: &BTreeSet<TestId>) -> bool {
        parent.difference(patch).any(|id| normalised(id).is_some())
    }

    /// The spelling in the contract.
    pub fn stable(&self, id: &TestId) -> TestId {
        if self.verbatim.contains(id) {
            return id.clone();
        }
        match normalised(id) {
            Some(stable) if self.folded.contains(&stable) => stable,
            Some(_) | None => id.clone(),
        }
    }

    /// Whether an id came from folding: such an id is never proposed for freezing.
    pub fn is_folded(&self, id: &TestId) -> bool {
        self.folded.contains(id)
    }

    /// Normalised ids, with how often each stands for one of the given ids.
    pub fn folds<'a>(&self, ids: impl Iterator<Item = &'a TestId>) -> BTreeMap<TestId, u32> {
        let mut counts = BTreeMap::new();
        for id in ids {
            let stable = self.stable(id);
            if self.is_folded(&stable) {
                *counts.entry(stable).or_insert(0) += 1;
            }
        }
        counts
    }
}
