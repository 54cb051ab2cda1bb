//! Suites whose tests cannot be listed: when a test file differs, all tests count as changed.
use std::collections::BTreeMap;

use patch_verdict_core::Comparison;

use super::Compared;
use crate::explore::SideExploration;
use crate::state::hex;
use crate::view::CommitView;

/// Without a list of tests every test is fed by every test file: when one differs, all differ.
pub(super) fn by_files(
    views: (&CommitView<'_>, &CommitView<'_>),
    parent: &SideExploration,
) -> Compared {
    let (before, after) = (test_files(views.0), test_files(views.1));
    let differing: Vec<String> = before
        .iter()
        .filter(|(path, id)| after.get(*path) != Some(id))
        .chain(after.iter().filter(|(path, _)| !before.contains_key(*path)))
        .map(|(path, _)| format!("test file:{path}"))
        .collect();
    let text: Vec<String> = before
        .iter()
        .map(|(path, id)| format!("{path}\t{id}\n"))
        .collect();
    let hash = format!("sha256:{}", hex(text.concat().as_bytes()));
    let mut compared = Compared::default();
    for id in &parent.ids {
        let comparison = if differing.is_empty() {
            Comparison::Same
        } else {
            Comparison::Differs(differing.clone())
        };
        compared.comparisons.insert(id.clone(), comparison);
        compared
            .hashes
            .insert(id.clone(), (hash.clone(), hash.clone()));
    }
    compared.notes.push(
        "this framework lists no tests: a change in any test file counts as a change of all tests"
            .to_owned(),
    );
    compared
}

/// Files that hold tests by the conventions of any framework, with blob id and mode.
fn test_files(view: &CommitView<'_>) -> BTreeMap<String, String> {
    let files = view.files.iter().filter(|(path, _)| is_test_file(path));
    files
        .map(|(path, entry)| (path.clone(), format!("{} {:?}", entry.id, entry.mode)))
        .collect()
}

pub(crate) fn is_test_file(path: &str) -> bool {
    let mut folders: Vec<&str> = path.split('/').collect();
    let name = folders.pop().unwrap_or(path);
    let in_folder = folders
        .iter()
        .any(|folder| matches!(*folder, "test" | "tests" | "testing" | "spec" | "__tests__"));
    let stem = name.split('.').next().unwrap_or(name);
    in_folder
        || name.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("Test")
        || name.contains(".test.")
        || name.contains(".spec.")
}
