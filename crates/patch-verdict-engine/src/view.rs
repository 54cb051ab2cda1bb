//! The files of one commit, listed once and read on demand.
use std::collections::{BTreeMap, BTreeSet};

use git_trees::{CommitId, FileEntry, Repository};
use test_frameworks::FileView;

use crate::CheckError;
use crate::revisions::git;

/// One commit's files.
#[derive(Debug)]
pub(crate) struct CommitView<'a> {
    repository: &'a Repository,
    pub(crate) files: BTreeMap<String, FileEntry>,
}

impl<'a> CommitView<'a> {
    pub(crate) fn new(repository: &'a Repository, commit: &CommitId) -> Result<Self, CheckError> {
        let files = repository.files(commit).map_err(git)?;
        let files = files
            .into_iter()
            .map(|entry| (entry.path.clone(), entry))
            .collect();
        Ok(Self { repository, files })
    }

    /// The bytes of a file; `None` where there is none or it is a submodule.
    pub(crate) fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>, CheckError> {
        match self.files.get(path).filter(|entry| !entry.is_submodule()) {
            Some(entry) => self.repository.read_blob(&entry.id).map(Some).map_err(git),
            None => Ok(None),
        }
    }

    /// Paths whose content and mode are equal on both sides.
    pub(crate) fn equal_files(&self, other: &CommitView<'_>) -> BTreeSet<String> {
        self.files
            .iter()
            .filter(|(path, entry)| {
                other
                    .files
                    .get(*path)
                    .is_some_and(|same| same.id == entry.id && same.mode == entry.mode)
            })
            .map(|(path, _)| path.clone())
            .collect()
    }
}

impl FileView for CommitView<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.bytes(path).ok().flatten()
    }

    fn exists(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.files.contains_key(path)
            || self
                .files
                .range(below.clone()..)
                .next()
                .is_some_and(|(name, _)| name.starts_with(&below))
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let inside = self
            .files
            .keys()
            .filter_map(|path| path.strip_prefix(&prefix));
        let names: BTreeSet<&str> = inside
            .map(|rest| rest.split('/').next().unwrap_or(rest))
            .collect();
        names.into_iter().map(str::to_owned).collect()
    }
}
