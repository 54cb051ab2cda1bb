//! Which tests the patch changed: digests of both sides, mapped to test ids.
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use patch_verdict_core::{Comparison, SpecKey, TestId, renamed};
use test_frameworks::{Inventory, InventoryItem as Item};
use worktree_runner::digests::{
    BlobContent, Digests, EntryKind, Limits, SideView, TestDigest, TestRef, differing_parts,
    digest, wanted_files,
};

use crate::CheckError;
use crate::explore::SideExploration;
use crate::state::hex;
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
}

/// Compares by digests of source where the framework lists its tests, else by the test files.
pub(crate) fn compare(
    python: Option<&Path>,
    views: (&CommitView<'_>, &CommitView<'_>),
    parent: &SideExploration,
    patch: &SideExploration,
) -> Result<Compared, CheckError> {
    match (&parent.inventory, &patch.inventory) {
        (Some(before), Some(after)) => {
            let python = python.ok_or_else(no_python)?;
            by_source(python, views, (before, after), parent)
        }
        _ => Ok(by_files(views, parent)),
    }
}

fn no_python() -> CheckError {
    CheckError::request("no `python3` in PATH: tests cannot be compared without one")
        .hint("install Python 3.8 or newer, or put it into PATH")
}

fn by_source(
    python: &Path,
    views: (&CommitView<'_>, &CommitView<'_>),
    inventories: (&Inventory, &Inventory),
    parent: &SideExploration,
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
        let one = comparison(item, &digests, collected, views.1);
        compared.add(id, one, digests.parent.get(&item.id));
    }
    compared.add_renames(inventories, &digests);
    let startup = startup_files(views);
    if !startup.is_empty() {
        for comparison in compared.comparisons.values_mut() {
            *comparison = graver(comparison.clone(), Comparison::Differs(startup.clone()));
        }
    }
    // A result without an item (it cannot be mapped) is excluded and goes to spec review.
    for id in parent
        .ids
        .iter()
        .filter(|id| !parent.nodes.contains_key(*id))
    {
        compared.add(
            id.clone(),
            Comparison::Differs(vec!["not mapped".to_owned()]),
            None,
        );
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
    /// A renamed test is compared with the test it was (RULES §2).
    fn add_renames(&mut self, (before, after): (&Inventory, &Inventory), digests: &Digests) {
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

fn comparison(
    item: &Item,
    digests: &Digests,
    collected: bool,
    patch: &CommitView<'_>,
) -> Comparison {
    let (Some(before), after) = (digests.parent.get(&item.id), digests.patch.get(&item.id)) else {
        return Comparison::Differs(vec!["not mapped".to_owned()]);
    };
    let Some(after) = after else {
        return Comparison::Gone;
    };
    let parts = differing_parts(before, after);
    if !collected {
        let row = parts.iter().any(|part| part == "row");
        if !patch.files.contains_key(&item.file)
            || (after.is_undefined && !before.is_undefined)
            || row
        {
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

fn side_view<'a>(view: &CommitView<'_>, inventory: &Inventory, more: &[&Item]) -> SideView<'a> {
    let files = view.files.iter().map(|(path, entry)| {
        let kind = if entry.is_submodule() {
            EntryKind::Submodule
        } else if entry.is_symlink() {
            EntryKind::Link
        } else {
            EntryKind::File
        };
        (
            path.clone(),
            BlobContent {
                id: entry.id.clone(),
                kind,
                content: None,
            },
        )
    });
    SideView {
        files: files.collect(),
        tests: inventory
            .items
            .iter()
            .chain(more.iter().copied())
            .map(test_ref)
            .collect(),
        conftests: inventory.conftests.clone(),
        plugins: inventory.plugins.clone(),
        testpaths: inventory.testpaths.clone(),
        inifile: inventory.inifile.clone(),
    }
}

fn test_ref(item: &Item) -> TestRef {
    let indices = item.param_index.as_ref().map(|index| {
        let indices = index
            .indices
            .iter()
            .filter_map(|row| usize::try_from(*row).ok());
        index.argnames.iter().cloned().zip(indices).collect()
    });
    TestRef {
        id: item.id.clone(),
        file: item.file.clone(),
        qualname: item.qualname.clone(),
        params: item.params.clone(),
        param_indices: indices,
        bases: item
            .bases
            .iter()
            .map(|base| (base.file.clone(), base.qualname.clone()))
            .collect(),
    }
}

type Contents = BTreeMap<String, Vec<u8>>;

fn contents(view: &CommitView<'_>, wanted: &BTreeSet<String>) -> Result<Contents, CheckError> {
    let mut contents = Contents::new();
    for path in wanted {
        if let Some(bytes) = view.bytes(path)? {
            contents.insert(path.clone(), bytes);
        }
    }
    Ok(contents)
}

fn fill<'a>(view: &mut SideView<'a>, contents: &'a Contents) {
    for (path, bytes) in contents {
        if let Some(blob) = view.files.get_mut(path) {
            blob.content = Some(bytes);
        }
    }
}

/// Without a list of tests every test is fed by every test file: when one differs, all differ.
fn by_files(views: (&CommitView<'_>, &CommitView<'_>), parent: &SideExploration) -> Compared {
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

fn is_test_file(path: &str) -> bool {
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

/// The interpreter for digests: the given one, else `python3` or `python` of `PATH`.
pub(crate) fn python(given: Option<&Path>, path: Option<&str>) -> Option<PathBuf> {
    if let Some(given) = given {
        return Some(given.to_owned());
    }
    let folders: Vec<PathBuf> = std::env::split_paths(path.unwrap_or_default()).collect();
    ["python3", "python"]
        .into_iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|candidate| candidate.is_file())
}
