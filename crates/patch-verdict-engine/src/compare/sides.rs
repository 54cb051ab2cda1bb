//! One side as the digests want it: its files, its tests, the contents that are asked for.
use std::collections::{BTreeMap, BTreeSet};

use test_frameworks::{Inventory, InventoryItem as Item};
use worktree_runner::digests::{BlobContent, EntryKind, SideView, TestRef};

use crate::CheckError;
use crate::view::CommitView;

pub(super) fn side_view<'a>(
    view: &CommitView<'_>,
    inventory: &Inventory,
    more: &[&Item],
) -> SideView<'a> {
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

pub(super) type Contents = BTreeMap<String, Vec<u8>>;

pub(super) fn contents(
    view: &CommitView<'_>,
    wanted: &BTreeSet<String>,
) -> Result<Contents, CheckError> {
    let mut contents = Contents::new();
    for path in wanted {
        if let Some(bytes) = view.bytes(path)? {
            contents.insert(path.clone(), bytes);
        }
    }
    Ok(contents)
}

pub(super) fn fill<'a>(view: &mut SideView<'a>, contents: &'a Contents) {
    for (path, bytes) in contents {
        if let Some(blob) = view.files.get_mut(path) {
            blob.content = Some(bytes);
        }
    }
}
