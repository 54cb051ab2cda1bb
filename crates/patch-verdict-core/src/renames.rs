//! Renamed and moved tests: one property under the parent's id (RULES §2).
use std::collections::BTreeMap;

use crate::TestId;

/// What a test asserts, names left out: its spec hash and its bracketed parameters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "a hash and a text")]
pub struct SpecKey {
    /// The spec hash.
    pub spec_hash: String,
    /// The text between the brackets, without them.
    pub parameters: Option<String>,
}

/// The tests of the patch that are tests of the parent under another name: patch's id to parent's.
///
/// Only ids that one side alone has take part, and only keys that stand for one test on each side:
/// where two tests assert the same, none of them is taken for another.
///
/// ```
/// use std::collections::BTreeMap;
/// use patch_verdict_core::{SpecKey, TestId, renamed};
///
/// let key = SpecKey { spec_hash: "sha256:1".to_owned(), parameters: None };
/// let before = BTreeMap::from([(TestId::from_junit("a", "test_old"), key.clone())]);
/// let after = BTreeMap::from([(TestId::from_junit("b", "test_new"), key)]);
/// let renames = renamed(&before, &after);
/// assert_eq!(renames[&TestId::from_junit("b", "test_new")].as_str(), "a::test_old");
/// ```
pub fn renamed(
    parent: &BTreeMap<TestId, SpecKey>,
    patch: &BTreeMap<TestId, SpecKey>,
) -> BTreeMap<TestId, TestId> {
    let (before, after) = (unique(parent), unique(patch));
    after
        .into_iter()
        .filter_map(|(key, new)| Some((new, *before.get(key)?)))
        .filter(|(new, old)| !parent.contains_key(*new) && !patch.contains_key(*old))
        .map(|(new, old)| (new.clone(), old.clone()))
        .collect()
}

/// Keys that stand for one id alone.
fn unique(side: &BTreeMap<TestId, SpecKey>) -> BTreeMap<&SpecKey, &TestId> {
    let mut ids: BTreeMap<&SpecKey, Vec<&TestId>> = BTreeMap::new();
    for (id, key) in side {
        ids.entry(key).or_default().push(id);
    }
    let single = ids
        .into_iter()
        .filter_map(|(key, ids)| match ids.as_slice() {
            [only] => Some((key, *only)),
            _ => None,
        });
    single.collect()
}
