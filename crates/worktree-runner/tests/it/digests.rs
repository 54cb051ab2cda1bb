//! Corpus of small trees: which tests count as changed, and why.
#![expect(clippy::unwrap_used, clippy::unwrap_in_result, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use worktree_runner::digests::{
    BlobContent, Digests, EntryKind, Limits, SideView, TestRef, differing_parts, digest,
    wanted_files,
};

/// What a collector told about one side.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Inventory {
    tests: Vec<Item>,
    conftests: Vec<String>,
    plugins: Vec<String>,
    testpaths: Vec<String>,
    inifile: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    id: String,
    file: String,
    qualname: String,
    params: Option<String>,
    param_indices: Option<BTreeMap<String, usize>>,
    bases: Vec<(String, String)>,
}

/// The tests of both sides: those that changed with the parts that differ, and those that must stay in the gate.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    changed: BTreeMap<String, Vec<String>>,
    kept: BTreeSet<String>,
    notes: Vec<String>,
}

type Tree = BTreeMap<String, (EntryKind, Vec<u8>)>;

pub(crate) fn python() -> PathBuf {
    PathBuf::from(std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into()))
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/digests")
}

fn read_tree(folder: &Path, prefix: &str, tree: &mut Tree) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = if prefix.is_empty() {
            name
        } else {
            format!("{prefix}/{name}")
        };
        let kind = entry.file_type().unwrap();
        if kind.is_symlink() {
            let target = fs::read_link(entry.path())
                .unwrap()
                .to_string_lossy()
                .into_owned();
            tree.insert(path, (EntryKind::Link, target.into_bytes()));
        } else if kind.is_dir() {
            read_tree(&entry.path(), &path, tree);
        } else {
            tree.insert(path, (EntryKind::File, fs::read(entry.path()).unwrap()));
        }
    }
}

fn view(tree: &Tree, inventory: Inventory) -> SideView<'_> {
    let files = tree
        .iter()
        .map(|(path, (kind, content))| {
            let hex: Vec<String> = Sha256::digest(content)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            let id = hex.concat();
            (
                path.clone(),
                BlobContent {
                    id,
                    kind: *kind,
                    content: Some(content.as_slice()),
                },
            )
        })
        .collect();
    let tests = inventory
        .tests
        .into_iter()
        .map(|item| TestRef {
            id: item.id,
            file: item.file,
            qualname: item.qualname,
            params: item.params,
            param_indices: item.param_indices,
            bases: item.bases,
        })
        .collect();
    SideView {
        files,
        tests,
        conftests: inventory.conftests,
        plugins: inventory.plugins,
        testpaths: inventory.testpaths,
        inifile: inventory.inifile,
    }
}

/// Leaves only the contents that a caller would have read.
fn keep_wanted<'a>(parent: &mut SideView<'a>, patch: &mut SideView<'a>) {
    let wanted = wanted_files(parent, patch);
    for (path, entry) in parent.files.iter_mut().chain(patch.files.iter_mut()) {
        if !wanted.contains(path) {
            entry.content = None;
        }
    }
}

fn differences(digests: &Digests) -> (BTreeMap<String, Vec<String>>, BTreeSet<String>) {
    let (mut changed, mut kept) = (BTreeMap::new(), BTreeSet::new());
    for (id, before) in &digests.parent {
        let Some(after) = digests.patch.get(id) else {
            continue;
        };
        let why = differing_parts(before, after);
        assert!(
            !why.iter().any(|part| part == "unknown"),
            "{id}: hashes differ and no part does"
        );
        let equal = before.spec_hash == after.spec_hash
            && before.fixture_closure_hash == after.fixture_closure_hash;
        assert_eq!(why.is_empty(), equal, "{id}: parts and hashes disagree");
        if equal {
            kept.insert(id.clone());
        } else {
            changed.insert(id.clone(), why);
        }
    }
    (changed, kept)
}

fn check(case: &Path) -> Result<(), String> {
    let read = |name: &str| fs::read_to_string(case.join(name)).unwrap();
    let mut inventories: BTreeMap<String, Inventory> =
        serde_json::from_str(&read("tests.json")).unwrap();
    let expected: Expected = serde_json::from_str(&read("expected.json")).unwrap();
    let (mut before, mut after) = (Tree::new(), Tree::new());
    read_tree(&case.join("before"), "", &mut before);
    read_tree(&case.join("after"), "", &mut after);
    let mut parent = view(&before, inventories.remove("before").unwrap());
    let mut patch = view(&after, inventories.remove("after").unwrap());
    keep_wanted(&mut parent, &mut patch);
    let digests = digest(&python(), &parent, &patch, Limits::default())
        .map_err(|error| format!("{error}: {error:?}"))?;
    let (changed, kept) = differences(&digests);
    if changed != expected.changed || kept != expected.kept {
        return Err(format!(
            "changed {changed:?}\n  not {:?}\n  kept {kept:?}\n  not {:?}",
            expected.changed, expected.kept
        ));
    }
    let notes = digests.notes.join("\n");
    match expected
        .notes
        .iter()
        .find(|note| !notes.contains(note.as_str()))
    {
        Some(note) => Err(format!("no note `{note}` in `{notes}`")),
        None if expected.notes.is_empty() && !notes.is_empty() => Err(format!("notes: {notes}")),
        None => Ok(()),
    }
}

#[test]
fn corpus_of_changes() {
    let mut cases: Vec<PathBuf> = fs::read_dir(corpus())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    assert!(cases.len() >= 50, "only {} cases", cases.len());
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            check(case)
                .err()
                .map(|error| format!("{}: {error}", case.display()))
        })
        .collect();
    assert!(
        failed.is_empty(),
        "{} of {}:\n{}",
        failed.len(),
        cases.len(),
        failed.join("\n")
    );
}
