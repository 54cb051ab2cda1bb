//! Lists the files of a commit and reads their bytes.

use gix::bstr::BString;

use crate::path_text::{to_bytes, to_text};
use crate::{CommitId, GitError, GitErrorKind, Repository};

/// One entry of a commit's tree that is not a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct FileEntry {
    /// The path from the top, with `/`; spelled as the crate's documentation says.
    pub path: String,
    /// The id of the content, hexadecimal. For a submodule it is the commit's.
    pub id: String,
    /// Git's mode: `0o100644`, `0o100755`, `0o120000` (symbolic link) or `0o160000` (submodule).
    pub mode: u32,
}

impl FileEntry {
    /// Whether this is a submodule: its id is no blob of this repository.
    pub fn is_submodule(&self) -> bool {
        self.mode == 0o160_000
    }

    /// Whether this is a symbolic link: its content is the target.
    pub fn is_symlink(&self) -> bool {
        self.mode == 0o120_000
    }
}

impl Repository {
    /// All files, symbolic links and submodules of the commit, sorted by path.
    ///
    /// # Errors
    /// `Shallow` or `Corrupt` when an object is not there.
    pub fn files(&self, commit: &CommitId) -> Result<Vec<FileEntry>, GitError> {
        let local = self.local();
        let mut files: Vec<FileEntry> = self
            .entries(&local, commit)?
            .into_iter()
            .map(|(path, id, mode)| FileEntry {
                path: to_text(path.as_ref()),
                id: id.to_hex().to_string(),
                mode,
            })
            .collect();
        files.sort();
        Ok(files)
    }

    pub(crate) fn entries(
        &self,
        local: &gix::Repository,
        commit: &CommitId,
    ) -> Result<Vec<Entry>, GitError> {
        self.fetch_trees(local, commit)?;
        let tree = self
            .commit(local, commit)?
            .tree()
            .map_err(|error| GitError::reading("cannot read the commit's tree", &error))?;
        entries_of(&tree)
    }

    /// Has git fetch the commit's trees, where a partial clone left trees out.
    pub(crate) fn fetch_trees(
        &self,
        local: &gix::Repository,
        commit: &CommitId,
    ) -> Result<(), GitError> {
        if !self.is_partial() {
            return Ok(());
        }
        let tree = self
            .commit(local, commit)?
            .tree()
            .map_err(|error| format!("{error:?}"));
        if tree.is_ok_and(|tree| entries_of(&tree).is_ok()) {
            return Ok(());
        }
        self.git()
            .args(&["ls-tree", "-r", "-z", "--name-only", commit.as_str()])
            .run("cannot fetch the commit's trees")?;
        Ok(())
    }

    /// The bytes of a blob; a partial clone fetches it.
    ///
    /// # Errors
    /// `Corrupt` when it is not there or is no blob.
    pub fn read_blob(&self, id: &str) -> Result<Vec<u8>, GitError> {
        let unknown = || GitError::new(GitErrorKind::Corrupt, "cannot read the blob").with_rev(id);
        let oid = gix::ObjectId::from_hex(id.as_bytes()).map_err(|_| unknown())?;
        match self.local().find_blob(oid) {
            Ok(mut blob) => Ok(blob.take_data()),
            Err(_) if self.is_partial() => self
                .git()
                .args(&["cat-file", "blob", id])
                .run("cannot fetch the blob"),
            Err(error) => Err(unknown().with_detail(format!("{error:?}"))),
        }
    }

    /// The bytes of one file of the commit; `None` where the path is not there or is a folder or submodule.
    /// A symbolic link gives its target.
    ///
    /// # Errors
    /// `Shallow` or `Corrupt` when an object is not there.
    pub fn read_file(&self, commit: &CommitId, path: &str) -> Result<Option<Vec<u8>>, GitError> {
        let Some(name) = to_bytes(path).filter(|name| !name.is_empty()) else {
            return Ok(None);
        };
        let local = self.local();
        self.fetch_trees(&local, commit)?;
        let tree = self
            .commit(&local, commit)?
            .tree()
            .map_err(|error| GitError::reading("cannot read the commit's tree", &error))?;
        let entry = tree
            .lookup_entry(name.split(|byte| *byte == b'/').map(BString::from))
            .map_err(|error| GitError::reading("cannot read the commit's tree", &error))?;
        match entry {
            Some(entry) if entry.mode().is_blob_or_symlink() => self
                .read_blob(&entry.object_id().to_hex().to_string())
                .map(Some),
            _ => Ok(None),
        }
    }
}

/// Path, id and mode.
pub(crate) type Entry = (BString, gix::ObjectId, u32);

/// All that a tree holds but its folders.
pub(crate) fn entries_of(tree: &gix::Tree<'_>) -> Result<Vec<Entry>, GitError> {
    let records = tree
        .traverse()
        .breadthfirst
        .files()
        .map_err(|error| GitError::reading("cannot list the commit's tree", &error))?;
    Ok(records
        .into_iter()
        .filter(|entry| !entry.mode.is_tree())
        .map(|entry| (entry.filepath, entry.oid, u32::from(entry.mode.value())))
        .collect())
}
