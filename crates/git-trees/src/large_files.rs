//! Pointers of Git LFS that a checkout will leave as they are.

use crate::path_text::to_text;
use crate::{CommitId, GitError, Repository};

/// How a pointer begins: <https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>.
const BEGINS: &[u8] = b"version https://git-lfs.github.com/spec/v";
/// The specification's limit for a pointer, in bytes.
const LONGEST: u64 = 1024;

impl Repository {
    /// The files that worktrees hold as pointers of Git LFS instead of their content, sorted: some attributes
    /// name `filter=lfs`, and the filter is not set up for this user or told to skip (`GIT_LFS_SKIP_SMUDGE`).
    /// A partial clone tells only of what it has fetched.
    ///
    /// # Errors
    /// `Shallow`, `NotFetched` or `Corrupt` when an object is not there.
    pub fn unfilled_pointers(&self, commit: &CommitId) -> Result<Vec<String>, GitError> {
        let local = self.local();
        let config = local.config_snapshot();
        let set_up = ["filter.lfs.smudge", "filter.lfs.process"]
            .into_iter()
            .any(|key| config.string(key).is_some_and(|value| !value.is_empty()));
        let skipped = std::env::var("GIT_LFS_SKIP_SMUDGE")
            .is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
        let mut found = Vec::new();
        if set_up && !skipped {
            return Ok(found);
        }
        let entries = self.entries(&local, commit)?;
        let mut named = false;
        for (path, id, _) in &entries {
            let is_attributes = path == ".gitattributes" || path.ends_with(b"/.gitattributes");
            if is_attributes && !named {
                let bytes = self.read_blob(&id.to_hex().to_string())?;
                named = bytes.windows(10).any(|window| window == b"filter=lfs");
            }
        }
        if !named {
            return Ok(found);
        }
        for (path, id, mode) in entries {
            // The header tells the length without reading the content.
            let short = local
                .find_header(id)
                .is_ok_and(|header| header.size() < LONGEST);
            if mode & 0o170_000 != 0o100_000 || !short {
                continue;
            }
            if self
                .read_blob(&id.to_hex().to_string())?
                .starts_with(BEGINS)
            {
                found.push(to_text(path.as_ref()));
            }
        }
        found.sort();
        Ok(found)
    }
}
