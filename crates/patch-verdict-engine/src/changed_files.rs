//! Which tests the patch changed, by what the framework's adapter says of the changed files.
use std::collections::BTreeSet;

use patch_verdict_core::{Comparison, TestId};
use test_frameworks::{Change, TestPlace, Touched};

use crate::compare::{Compared, graver, is_test_file};
use crate::explore::SideExploration;
use crate::state::hex;
use crate::suite::Suite;
use crate::view::CommitView;

/// `None` where the framework's tests are compared in another way.
pub(crate) fn by_framework(
    suite: &Suite,
    views: (&CommitView<'_>, &CommitView<'_>),
    parent: &SideExploration,
    patch: &SideExploration,
) -> Option<Compared> {
    let files = differing(views);
    let tests = places(parent);
    let directory = suite.config.directory.as_str();
    let touched = suite.framework.touched(&Change {
        before: views.0,
        after: views.1,
        files: &files,
        directory,
        tests: &tests,
    })?;
    let mut compared = Compared::default();
    let removed = Removed::of(patch, views.1);
    let closure = closure_hash(views.0);
    for (id, place) in ids(parent).into_iter().zip(&tests) {
        let comparison = comparison(&touched, place, &removed);
        let spec = spec_hash(views.0, place);
        compared.hashes.insert(id.clone(), (spec, closure.clone()));
        let merged = match compared.comparisons.remove(&id) {
            Some(earlier) => graver(earlier, comparison),
            None => comparison,
        };
        compared.comparisons.insert(id, merged);
    }
    compared.locked = (
        suite.framework.locked(views.0, directory),
        suite.framework.locked(views.1, directory),
    );
    if let Some(first) = touched.all.first() {
        compared.notes.push(format!(
            "every test counts as changed: {first}{}",
            match touched.all.len() {
                1 => String::new(),
                more => format!(" and {} more", more - 1),
            }
        ));
    }
    Some(compared)
}

/// Paths whose content or mode differs, or that one side alone has.
fn differing((before, after): (&CommitView<'_>, &CommitView<'_>)) -> Vec<String> {
    let paths: BTreeSet<&String> = before.files.keys().chain(after.files.keys()).collect();
    let file = |view: &CommitView<'_>, path: &String| {
        view.files
            .get(path)
            .map(|entry| (entry.id.clone(), format!("{:?}", entry.mode)))
    };
    paths
        .into_iter()
        .filter(|path| file(before, path) != file(after, path))
        .cloned()
        .collect()
}

/// Tests of a side in one order; without a list, its results.
fn ids(side: &SideExploration) -> Vec<TestId> {
    match &side.inventory {
        Some(inventory) => inventory
            .items
            .iter()
            .map(|item| TestId::from_junit(&item.suite, &item.name))
            .collect(),
        None => side.ids.iter().cloned().collect(),
    }
}

fn places(side: &SideExploration) -> Vec<TestPlace<'_>> {
    match &side.inventory {
        Some(inventory) => inventory
            .items
            .iter()
            .map(|item| TestPlace {
                id: &item.id,
                suite: &item.suite,
                name: &item.name,
                file: &item.file,
            })
            .collect(),
        None => side
            .ids
            .iter()
            .map(|id| TestPlace {
                id: id.as_str(),
                suite: "",
                name: "",
                file: "",
            })
            .collect(),
    }
}

/// What the patch lists, and which files it has.
struct Removed<'a> {
    here: BTreeSet<&'a str>,
    broken: &'a BTreeSet<String>,
    view: &'a CommitView<'a>,
}

impl<'a> Removed<'a> {
    fn of(patch: &'a SideExploration, view: &'a CommitView<'a>) -> Self {
        let here = match &patch.inventory {
            Some(inventory) => inventory
                .items
                .iter()
                .map(|item| item.id.as_str())
                .collect(),
            None => patch.ids.iter().map(TestId::as_str).collect(),
        };
        Self {
            here,
            broken: &patch.uncollectable,
            view,
        }
    }

    /// Gone with its file, or from a file that differs and could be read.
    fn is_gone(&self, place: &TestPlace<'_>, own: bool) -> bool {
        let file_gone = !place.file.is_empty() && !self.view.files.contains_key(place.file);
        !self.here.contains(place.id) && (file_gone || (own && !self.broken.contains(place.file)))
    }
}

fn comparison(touched: &Touched, place: &TestPlace<'_>, removed: &Removed<'_>) -> Comparison {
    let own = touched.tests.get(place.id);
    if removed.is_gone(place, own.is_some()) {
        return Comparison::Gone;
    }
    let parts: BTreeSet<&String> = touched
        .all
        .iter()
        .chain(own.into_iter().flatten())
        .collect();
    if parts.is_empty() {
        Comparison::Same
    } else {
        Comparison::Differs(parts.into_iter().cloned().collect())
    }
}

/// The test's own file stands for what it asserts.
fn spec_hash(view: &CommitView<'_>, place: &TestPlace<'_>) -> String {
    let file = view.files.get(place.file);
    let blob = file.map(|entry| entry.id.clone()).unwrap_or_default();
    let text = format!("{}\t{}\t{blob}\n", place.id, place.file);
    format!("sha256:{}", hex(text.as_bytes()))
}

/// The tree's files of tests stand for what every test is fed.
fn closure_hash(view: &CommitView<'_>) -> String {
    let files = view.files.iter().filter(|(path, _)| is_test_file(path));
    let lines: Vec<String> = files
        .map(|(path, entry)| format!("{path}\t{}\n", entry.id))
        .collect();
    let text = lines.concat();
    format!("sha256:{}", hex(text.as_bytes()))
}
