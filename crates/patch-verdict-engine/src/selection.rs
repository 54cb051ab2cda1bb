//! Which tests a scored run asks for, and words about them.
use std::collections::BTreeSet;

use patch_verdict_core::{Buckets, Config, TestId};
use test_frameworks::Framework;

use crate::explore::Exploration;
use crate::sorting::Sorted;

/// The framework's ids of the parent's tests that are in scope. One whose id changes from run to run
/// is asked for with all its parameters.
pub(crate) fn nodes_in_scope(
    framework: &dyn Framework,
    exploration: &Exploration,
    sorted: &Sorted,
) -> Vec<String> {
    if exploration.parent.inventory.is_none() {
        return exploration
            .parent
            .ids
            .iter()
            .map(|id| id.as_str().to_owned())
            .collect();
    }
    let mut wanted = BTreeSet::new();
    for (id, nodes) in &exploration.parent.nodes {
        let stable = sorted.stable.stable(id);
        if sorted.buckets.out_of_scope.contains(&stable) {
            continue;
        }
        for node in nodes {
            wanted.insert(if stable == *id {
                node.clone()
            } else {
                framework.loose_id(node)
            });
        }
    }
    wanted.into_iter().collect()
}

pub(crate) fn unstable(config: &Config, buckets: &Buckets) -> BTreeSet<TestId> {
    let matches = patch_verdict_core::id_matcher(&config.unstable_witness);
    buckets
        .properties
        .iter()
        .filter(|id| matches(id.as_str()))
        .cloned()
        .collect()
}

pub(crate) fn bucket_words(buckets: &Buckets) -> String {
    let mut words = vec![format!(
        "{} {} judged",
        buckets.properties.len(),
        if buckets.properties.len() == 1 {
            "test"
        } else {
            "tests"
        }
    )];
    for (count, what) in [
        (
            buckets.excluded.len() + buckets.not_run_touched.len(),
            "changed or removed",
        ),
        (buckets.new.len(), "new"),
        (buckets.not_run.len(), "skipped on the parent"),
        (buckets.out_of_scope.len(), "out of scope"),
    ] {
        if count > 0 {
            words.push(format!("{count} {what}"));
        }
    }
    words.join(", ")
}
