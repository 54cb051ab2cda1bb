//! Which tests the patch changed: digests of both sides, mapped to test ids.
mod by_files;
mod renames;
mod sides;
mod skipped_modules;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use patch_verdict_core::{Comparison, TestId};
use test_frameworks::{Inventory, InventoryItem as Item};
use worktree_runner::digests::{
    Digests, Limits, TestDigest, differing_parts, digest, wanted_files,
};

use self::by_files::by_files;
pub(crate) use self::by_files::is_test_file;
use self::sides::{contents, fill, side_view};
use self::skipped_modules::{entry_of, module_key, module_ref};
use crate::CheckError;
use crate::explore::SideExploration;
use crate::loading::Loading;
use crate::state::hex;
use crate::suite::Suite;
use crate::view::CommitView;

/// How the parent's tests look on the patch's side.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    pub(crate) comparisons: BTreeMap<TestId, Comparison>,
    /// Spec hash and fixture closure hash of each test on the parent.
    pub(crate) hashes: BTreeMap<TestId, (String, String)>,
    pub(crate) notes: Vec<String>,
    /// Renamed tests: the patch's id to the parent's.
    pub(crate) renames: BTreeMap<TestId, TestId>,
    /// The framework's id on the patch of each renamed test of the parent, by the parent's.
    pub(crate) renamed_nodes: BTreeMap<String, String>,
    /// Packages of each side's lock files, beside what a run saw installed.
    pub(crate) locked: (BTreeMap<String, String>, BTreeMap<String, String>),
}

/// Compares by digests of source where the framework lists its tests, else by the test files.
pub(crate) fn compare(
    suite: &Suite,
    python: Option<&Path>,
    views: (&CommitView<'_>, &CommitView<'_>),
    (parent, patch): (&SideExploration, &SideExploration),
    loading: &Loading,
) -> Result<Compared, CheckError> {
    if let Some(compared) = crate::changed_files::by_framework(suite, views, parent, patch) {
        return Ok(compared);
    }
    match (&parent.inventory, &patch.inventory) {
        (Some(before), Some(after)) => {
            let python = python.ok_or_else(crate::interpreter::missing)?;
            by_source(python, views, (before, after), (parent, loading))
        }
        _ => Ok(by_files(views, parent)),
    }
}

fn by_source(
    python: &Path,
    views: (&CommitView<'_>, &CommitView<'_>),
    inventories: (&Inventory, &Inventory),
    (parent, loading): (&SideExploration, &Loading),
) -> Result<Compared, CheckError> {
    let (before, after) = inventories;
    let mut left = side_view(views.0, before, &[]);
    let here: BTreeSet<&str> = after.items.iter().map(|item| item.id.as_str()).collect();
    // A test that the patch did not collect is looked for in its source: is the definition gone?
    let absent: Vec<&Item> = before
        .items
        .iter()
        .filter(|item| !here.contains(item.id.as_str()))
        .collect();
    let mut right = side_view(views.1, after, &absent);
    for entry in &before.collect_skipped {
        left.tests.push(module_ref(entry));
        if views.1.files.contains_key(&entry.file) {
            right.tests.push(module_ref(entry));
        }
    }
    let wanted = wanted_files(&left, &right);
    let contents = (contents(views.0, &wanted)?, contents(views.1, &wanted)?);
    fill(&mut left, &contents.0);
    fill(&mut right, &contents.1);
    let digests = digest(python, &left, &right, Limits::default()).map_err(|error| {
        CheckError::surroundings("the tests of both sides cannot be compared", error)
    })?;
    let mut compared = Compared {
        notes: digests.notes.clone(),
        ..Compared::default()
    };
    for item in &before.items {
        let id = TestId::from_junit(&item.suite, &item.name);
        let collected = here.contains(item.id.as_str());
        let one = comparison((&item.id, &item.file), &digests, collected, views.1);
        compared.add(id, one, digests.parent.get(&item.id));
    }
    compared.add_renames(inventories, &digests);
    let results = parent.ids.iter();
    for id in results.filter(|id| !parent.nodes.contains_key(*id)) {
        // A result without an item that can be mapped to nothing goes to spec review.
        let (one, digest) = match entry_of(id, before) {
            Some(entry) => {
                let key = module_key(entry);
                let one = comparison((&key, &entry.file), &digests, true, views.1);
                (one, digests.parent.get(&key))
            }
            None => (Comparison::Differs(vec!["not mapped".to_owned()]), None),
        };
        compared.add(id.clone(), one, digest);
    }
    let mut everywhere = startup_files(views);
    everywhere.extend(loading.shadowing_files(views));
    if !everywhere.is_empty() {
        for comparison in compared.comparisons.values_mut() {
            *comparison = graver(comparison.clone(), Comparison::Differs(everywhere.clone()));
        }
    }
    Ok(compared)
}

/// Of two comparisons of one id: it is the same only when both say so.
pub(crate) fn graver(one: Comparison, other: Comparison) -> Comparison {
    match (one, other) {
        (Comparison::Same, other) => other,
        (one, Comparison::Same) => one,
        (Comparison::Gone, Comparison::Gone) => Comparison::Gone,
        (Comparison::Differs(parts), _) | (_, Comparison::Differs(parts)) => {
            Comparison::Differs(parts)
        }
    }
}

impl Compared {
    /// Several items of one id are the same only when all are.
    fn add(&mut self, id: TestId, comparison: Comparison, digest: Option<&TestDigest>) {
        let spec = digest
            .map(|digest| digest.spec_hash.clone())
            .unwrap_or_default();
        let closure = digest
            .map(|digest| digest.fixture_closure_hash.clone())
            .unwrap_or_default();
        let hashes = self.hashes.entry(id.clone()).or_default();
        *hashes = if hashes.0.is_empty() {
            (spec, closure)
        } else {
            (
                format!("sha256:{}", hex(format!("{} {spec}", hashes.0).as_bytes())),
                format!(
                    "sha256:{}",
                    hex(format!("{} {closure}", hashes.1).as_bytes())
                ),
            )
        };
        let merged = match self.comparisons.remove(&id) {
            Some(earlier) => graver(earlier, comparison),
            None => comparison,
        };
        self.comparisons.insert(id, merged);
    }
}

fn comparison(
    (id, file): (&str, &str),
    digests: &Digests,
    collected: bool,
    patch: &CommitView<'_>,
) -> Comparison {
    let (Some(before), after) = (digests.parent.get(id), digests.patch.get(id)) else {
        return Comparison::Differs(vec!["not mapped".to_owned()]);
    };
    let Some(after) = after else {
        return Comparison::Gone;
    };
    let parts = differing_parts(before, after);
    if !collected {
        let row = parts.iter().any(|part| part == "row");
        if !patch.files.contains_key(file) || (after.is_undefined && !before.is_undefined) || row {
            return Comparison::Gone;
        }
    }
    if before.spec_hash == after.spec_hash
        && before.fixture_closure_hash == after.fixture_closure_hash
    {
        return Comparison::Same;
    }
    Comparison::Differs(parts)
}

/// Files that differ and that Python may run before anything else: they can change every test.
fn startup_files((before, after): (&CommitView<'_>, &CommitView<'_>)) -> Vec<String> {
    let starts = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        matches!(name, "sitecustomize.py" | "usercustomize.py")
            || path.contains("sitecustomize/")
            || path.contains("usercustomize/")
            || Path::new(name)
                .extension()
                .is_some_and(|ending| ending == "pth")
    };
    let paths: BTreeSet<&String> = before.files.keys().chain(after.files.keys()).collect();
    let same = |path: &String| {
        let ids =
            [before, after].map(|view| view.files.get(path).map(|file| (&file.id, file.mode)));
        matches!(ids, [one, other] if one == other)
    };
    let differing = paths.into_iter().filter(starts).filter(|path| !same(path));
    differing.map(|path| format!("startup:{path}")).collect()
}
