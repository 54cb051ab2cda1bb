//! Renamed and moved tests.
use std::collections::{BTreeMap, BTreeSet};

use patch_verdict_core::{SpecKey, TestId, renamed};
use proptest::prelude::*;

/// Words such as `a=1` or `a=1/x`: a test, its spec hash, its parameters.
fn side(words: &str) -> BTreeMap<TestId, SpecKey> {
    words
        .split_whitespace()
        .map(|word| {
            let (name, key) = word.split_once('=').unwrap();
            let (spec_hash, parameters) = match key.split_once('/') {
                Some((hash, parameters)) => (hash, Some(parameters.to_owned())),
                None => (key, None),
            };
            let key = SpecKey {
                spec_hash: spec_hash.to_owned(),
                parameters,
            };
            (TestId::from_junit("s", name), key)
        })
        .collect()
}

#[test]
fn one_of_a_kind_on_both_sides_is_a_rename() {
    for (parent, patch, wanted) in [
        ("old=1", "new=1", "s::new<-s::old"),
        ("old=1 kept=2", "new=1 kept=2", "s::new<-s::old"),
        // All parameters of one function move together, each to its own.
        (
            "old1=1/x old2=1/y",
            "new1=1/x new2=1/y",
            "s::new1<-s::old1 s::new2<-s::old2",
        ),
        ("old=1/x", "new=1/y", ""),
        ("old=1/x", "new=1", ""),
        ("old=1", "new=2", ""),
        // Not unique: none is taken for another.
        ("old=1", "new1=1 new2=1", ""),
        ("old1=1 old2=1", "new=1", ""),
        ("old1=1 old2=1", "new1=1 new2=1", ""),
        // A twin that did not move stands in the way.
        ("old=1 twin=1", "new=1 twin=1", ""),
        // Present on both sides is no rename, also when two tests swapped their bodies.
        ("a=1", "a=1", ""),
        ("a=1 b=2", "a=2 b=1", ""),
        // A copy is a new test.
        ("a=1", "a=1 copy=1", ""),
        // The old name lives on with another body: it changed, and the new one is new.
        ("a=1", "a=2 b=1", ""),
        ("a=1 b=2", "b=1", ""),
        ("", "new=1", ""),
        ("old=1", "", ""),
    ] {
        let found: Vec<String> = renamed(&side(parent), &side(patch))
            .iter()
            .map(|(new, old)| format!("{new}<-{old}"))
            .collect();
        assert_eq!(found.join(" "), wanted, "{parent} -> {patch}");
    }
}

fn any_side() -> impl Strategy<Value = BTreeMap<TestId, SpecKey>> {
    prop::collection::btree_map(0_u8..6, 0_u8..4, 0..6).prop_map(|tests| {
        let words: Vec<String> = tests
            .iter()
            .map(|(name, hash)| format!("t{name}={hash}"))
            .collect();
        side(&words.join(" "))
    })
}

proptest! {
    #[test]
    fn a_rename_pairs_tests_of_one_side_alone_that_assert_the_same(
        parent in any_side(),
        patch in any_side(),
    ) {
        let renames = renamed(&parent, &patch);
        let olds: BTreeSet<&TestId> = renames.values().collect();
        prop_assert_eq!(olds.len(), renames.len(), "no test is two tests");
        for (new, old) in &renames {
            prop_assert_eq!(patch.get(new), parent.get(old));
            prop_assert!(!parent.contains_key(new) && !patch.contains_key(old));
        }
        // The way back is the same.
        let back: BTreeMap<TestId, TestId> = renamed(&patch, &parent)
            .into_iter()
            .map(|(old, new)| (new, old))
            .collect();
        prop_assert_eq!(back, renames);
    }
}
