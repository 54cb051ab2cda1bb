//! Renamed tests are compared with the tests they were (RULES §2).
use std::collections::{BTreeMap, BTreeSet};

use patch_verdict_core::{Comparison, SpecKey, TestId, renamed};
use test_frameworks::Inventory;
use worktree_runner::digests::{Digests, TestDigest, differing_parts};

use super::Compared;

impl Compared {
    /// A renamed test is compared with the test it was (RULES §2).
    pub(super) fn add_renames(
        &mut self,
        (before, after): (&Inventory, &Inventory),
        digests: &Digests,
    ) {
        let left = Keyed::of(before, &digests.parent);
        let right = Keyed::of(after, &digests.patch);
        for (new, old) in renamed(&left.keys, &right.keys) {
            let (Some(was), Some(is)) = (left.nodes.get(&old), right.nodes.get(&new)) else {
                continue;
            };
            let pair = digests.parent.get(*was).zip(digests.patch.get(*is));
            let Some((before, after)) = pair else {
                continue;
            };
            let parts = differing_parts(before, after);
            let comparison = if parts.is_empty() {
                Comparison::Same
            } else {
                Comparison::Differs(parts)
            };
            self.renamed_nodes
                .insert((*was).to_owned(), (*is).to_owned());
            self.comparisons.insert(old.clone(), comparison);
            self.renames.insert(new, old);
        }
    }
}

/// The tests of one side by what they assert; ids of several items are left out.
struct Keyed<'a> {
    keys: BTreeMap<TestId, SpecKey>,
    nodes: BTreeMap<TestId, &'a str>,
}

impl<'a> Keyed<'a> {
    fn of(inventory: &'a Inventory, digests: &BTreeMap<String, TestDigest>) -> Self {
        let mut keyed = Self {
            keys: BTreeMap::new(),
            nodes: BTreeMap::new(),
        };
        let mut several = BTreeSet::new();
        for item in &inventory.items {
            let id = TestId::from_junit(&item.suite, &item.name);
            let digest = digests.get(&item.id);
            // What is not defined by name has no source of its own to be known by.
            let known = digest.filter(|digest| !digest.is_undefined);
            if keyed.nodes.insert(id.clone(), &item.id).is_some() || known.is_none() {
                several.insert(id.clone());
            }
            if let Some(digest) = known {
                let spec_hash = digest.spec_hash.clone();
                keyed.keys.insert(
                    id,
                    SpecKey {
                        spec_hash,
                        parameters: item.params.clone(),
                    },
                );
            }
        }
        // They still stand in the way of others that assert the same, but are no rename themselves.
        for id in several {
            keyed.nodes.remove(&id);
        }
        keyed
    }
}
