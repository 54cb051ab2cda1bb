//! Every id in exactly one bucket, the first that fits.
use std::collections::{BTreeMap, BTreeSet};

use patch_verdict_core::{Bucket, Buckets, Comparison, DiscoveredTest, Exclusion, Outcome, TestId};

fn id(name: &str) -> TestId {
    TestId::from_junit("s", name)
}

fn differs() -> Comparison {
    Comparison::Differs(vec!["function".to_owned()])
}

/// The bucket of one discovered test.
#[track_caller]
fn check(status: Outcome, comparison: Comparison, frozen: bool, in_scope: bool, wanted: Bucket) {
    let one = id("one");
    let test = DiscoveredTest {
        status,
        cases: 1,
        comparison,
    };
    let discovered = BTreeMap::from([(one.clone(), test)]);
    let frozen: BTreeSet<TestId> = frozen.then(|| one.clone()).into_iter().collect();
    let scope: BTreeSet<TestId> = in_scope.then(|| one.clone()).into_iter().collect();
    let buckets = Buckets::sort(
        &discovered,
        &BTreeSet::from([one.clone()]),
        &frozen,
        Some(&scope),
    );
    assert_eq!(buckets.of(&one), Some(wanted));
}

#[test]
fn the_first_bucket_fits() {
    use Bucket::{Excluded, NotRun, OutOfScope, Property};
    use Comparison::{Gone, Same};
    use Outcome::{Fail, Pass, Skip};
    for status in [Pass, Fail] {
        check(status, Same, false, true, Property);
        check(status, Same, true, true, Excluded(Exclusion::Frozen));
        check(status, Same, false, false, OutOfScope);
        check(status, differs(), true, true, Excluded(Exclusion::Changed));
        check(status, Gone, true, true, Excluded(Exclusion::Removed));
        // What the patch changed or removed is in scope whatever the scope says.
        check(
            status,
            differs(),
            false,
            false,
            Excluded(Exclusion::Changed),
        );
        check(status, Gone, false, false, Excluded(Exclusion::Removed));
    }
    check(Skip, Same, false, true, NotRun);
    check(Skip, differs(), false, true, NotRun);
    check(Skip, Gone, false, false, NotRun);
}

#[test]
fn ids_of_the_patch_alone_are_new_and_others_unknown() {
    let buckets = Buckets::sort(
        &BTreeMap::new(),
        &BTreeSet::from([id("new")]),
        &BTreeSet::new(),
        None,
    );
    assert_eq!(buckets.of(&id("new")), Some(Bucket::New));
    assert_eq!(buckets.of(&id("other")), None);
}

#[test]
fn a_skipped_test_that_the_patch_touched_is_told_apart() {
    let discovered = BTreeMap::from([
        (
            id("a"),
            DiscoveredTest {
                status: Outcome::Skip,
                cases: 1,
                comparison: Comparison::Same,
            },
        ),
        (
            id("b"),
            DiscoveredTest {
                status: Outcome::Skip,
                cases: 1,
                comparison: differs(),
            },
        ),
    ]);
    let buckets = Buckets::sort(&discovered, &BTreeSet::new(), &BTreeSet::new(), None);
    assert!(buckets.not_run.contains(&id("a")));
    assert!(buckets.not_run_touched.contains_key(&id("b")));
}
