//! Questions about commits and how they descend from each other.

use gix::bstr::ByteSlice as _;

use crate::resolve::shallow;
use crate::{CommitId, GitError, Repository};

impl Repository {
    /// The id of the commit's tree, as hexadecimal text.
    ///
    /// # Errors
    /// `Shallow` or `Corrupt` when the commit is not there.
    pub fn tree_of(&self, commit: &CommitId) -> Result<String, GitError> {
        let local = self.local();
        let tree = self
            .commit(&local, commit)?
            .tree_id()
            .map_err(|error| GitError::reading("cannot read the commit", &error))?;
        Ok(tree.to_hex().to_string())
    }

    /// The parents as the commit names them, in order, also where a shallow clone does not hold them.
    ///
    /// # Errors
    /// `Shallow` or `Corrupt` when the commit itself is not there.
    pub fn parents(&self, commit: &CommitId) -> Result<Vec<CommitId>, GitError> {
        let local = self.local();
        let commit = self.commit(&local, commit)?;
        Ok(commit
            .parent_ids()
            .map(|id| CommitId::from_gix(&id))
            .collect())
    }

    /// The committer's time in seconds since 1970, UTC.
    ///
    /// # Errors
    /// `Shallow` or `Corrupt` when the commit is not there.
    pub fn commit_time(&self, commit: &CommitId) -> Result<i64, GitError> {
        let local = self.local();
        let time = self
            .commit(&local, commit)?
            .time()
            .map_err(|error| GitError::reading("cannot read the commit's time", &error))?;
        Ok(time.seconds)
    }

    /// The first line of the commit's message; bytes that are not UTF-8 become U+FFFD.
    ///
    /// # Errors
    /// `Shallow` or `Corrupt` when the commit is not there.
    pub fn subject(&self, commit: &CommitId) -> Result<String, GitError> {
        let local = self.local();
        let commit = self.commit(&local, commit)?;
        let message = commit.message_raw_sloppy();
        let line = message
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default();
        Ok(line.to_str_lossy().trim().to_owned())
    }

    /// The best common ancestor, or `None` where histories share nothing.
    ///
    /// # Errors
    /// `Shallow` when history is cut off before an answer, `Corrupt`.
    pub fn merge_base(&self, a: &CommitId, b: &CommitId) -> Result<Option<CommitId>, GitError> {
        let local = self.local();
        let (one, two) = (self.commit(&local, a)?.id, self.commit(&local, b)?.id);
        if one == two {
            return Ok(Some(a.clone()));
        }
        let cut_off = "the shallow clone ends before a common ancestor of";
        let both = format!("{a} and {b}");
        match local.merge_base(one, two) {
            Ok(Some(base)) => Ok(Some(CommitId::from_gix(&base))),
            Ok(None) | Err(_) if self.is_shallow() => Err(shallow(cut_off).with_rev(&both)),
            Ok(None) => Ok(None),
            Err(error) => {
                Err(GitError::reading("cannot find a common ancestor of", &error).with_rev(&both))
            }
        }
    }

    /// All best common ancestors, sorted: several where branches merged each other, none where histories share
    /// nothing. [`merge_base`](Self::merge_base) takes the one that `git merge-base` names.
    ///
    /// # Errors
    /// As [`merge_base`](Self::merge_base).
    pub fn merge_bases(&self, a: &CommitId, b: &CommitId) -> Result<Vec<CommitId>, GitError> {
        // It tells what is cut off from what is not there.
        if self.merge_base(a, b)?.is_none() {
            return Ok(Vec::new());
        }
        let local = self.local();
        let found = local
            .merge_bases_many(a.to_gix()?, &[b.to_gix()?])
            .map_err(|error| GitError::reading("cannot find the common ancestors", &error))?;
        let mut found: Vec<CommitId> = found.iter().map(|id| CommitId::from_gix(id)).collect();
        found.sort();
        Ok(found)
    }

    /// Whether `a` is `b` or comes before it.
    ///
    /// # Errors
    /// As [`merge_base`](Self::merge_base).
    pub fn is_ancestor(&self, a: &CommitId, b: &CommitId) -> Result<bool, GitError> {
        Ok(self.merge_base(a, b)?.as_ref() == Some(a))
    }
}
