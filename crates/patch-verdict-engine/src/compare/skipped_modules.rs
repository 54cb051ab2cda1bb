//! Modules that are skipped as a whole: no test of theirs is known, so the file stands for them.
use patch_verdict_core::TestId;
use test_frameworks::{Inventory, Uncollectable};
use worktree_runner::digests::TestRef;

/// Such a module, or class, as the digests know it.
pub(super) fn module_ref(entry: &Uncollectable) -> TestRef {
    TestRef {
        id: module_key(entry),
        file: entry.file.clone(),
        ..TestRef::default()
    }
}

/// No test is called so.
pub(super) fn module_key(entry: &Uncollectable) -> String {
    format!("{}::<skipped as a whole>", entry.id)
}

/// The entry behind a result that belongs to no test. The suite's own name takes the place of a class
/// name that pytest leaves empty for modules.
pub(super) fn entry_of<'a>(id: &TestId, inventory: &'a Inventory) -> Option<&'a Uncollectable> {
    let mut entries = inventory.collect_skipped.iter();
    entries.find(|entry| {
        *id == TestId::from_junit(&entry.suite, &entry.name)
            || (entry.suite.is_empty() && id.as_str().ends_with(&format!("::{}", entry.name)))
    })
}
