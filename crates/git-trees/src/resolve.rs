//! From a revision's text to a commit.

use gix::bstr::BStr;

use crate::{CommitId, GitError, GitErrorKind, Repository};

const DEEPEN: &str = "this clone is shallow: use `fetch-depth: 2` or more (0 for all) in the checkout step, or run `git fetch --deepen=50` (or `git fetch --unshallow`)";

impl Repository {
    /// The commit that a revision names; annotated tags are peeled.
    ///
    /// # Errors
    /// `UnknownRevision`, `AmbiguousRevision`, `Shallow`, `NoCommits`, `Corrupt`.
    pub fn resolve(&self, rev: &str) -> Result<CommitId, GitError> {
        let local = self.local();
        if rev.is_empty() || rev.contains("..") || rev.starts_with('^') {
            return Err(GitError::new(
                GitErrorKind::UnknownRevision,
                "a single revision is wanted, this is none:",
            )
            .with_rev(rev));
        }
        // A search takes everything after `:/` as its pattern.
        let spec = if rev.starts_with(":/") {
            rev.to_owned()
        } else {
            format!("{rev}^{{commit}}")
        };
        let found = local
            .rev_parse_single(BStr::new(&spec))
            .map_err(|error| format!("{error:?}"))
            .and_then(|id| {
                local
                    .find_commit(id.detach())
                    .map(|commit| commit.id)
                    .map_err(|e| format!("{e:?}"))
            });
        match found {
            Ok(id) => Ok(CommitId::from_gix(&id)),
            Err(detail) => Err(self.unresolved(&local, rev, &detail)),
        }
    }

    fn unresolved(&self, local: &gix::Repository, rev: &str, detail: &str) -> GitError {
        if let Some(count) = candidates(local, rev).filter(|count| *count > 1) {
            return GitError::new(
                GitErrorKind::AmbiguousRevision,
                format!("{count} commits begin like this revision:"),
            )
            .with_rev(rev)
            .with_hint("give more digits of the commit's id");
        }
        let unborn = local.head().is_ok_and(|head| head.is_unborn());
        let names_head = rev.starts_with("HEAD") || rev.starts_with('@');
        if unborn && names_head {
            return GitError::new(GitErrorKind::NoCommits, "the branch has no commit yet:")
                .with_rev(rev)
                .with_hint("commit something first, or name a revision");
        }
        if self.is_shallow() {
            return shallow("the shallow clone does not hold the revision").with_rev(rev);
        }
        let exists = local.rev_parse_single(BStr::new(rev)).is_ok();
        let whole_id = gix::ObjectId::from_hex(rev.as_bytes()).is_ok();
        if exists && !whole_id {
            return GitError::new(GitErrorKind::UnknownRevision, "no commit is named by")
                .with_rev(rev)
                .with_detail(detail);
        }
        GitError::new(GitErrorKind::UnknownRevision, "unknown revision")
            .with_rev(rev)
            .with_hint("check the spelling; a commit or branch of a remote needs `git fetch` first")
    }

    /// The commit as an object, or why it is not there.
    pub(crate) fn commit<'a>(
        &self,
        local: &'a gix::Repository,
        id: &CommitId,
    ) -> Result<gix::Commit<'a>, GitError> {
        local.find_commit(id.to_gix()?).map_err(|error| {
            if self.is_shallow() {
                return shallow("the shallow clone does not hold the commit").with_rev(id.as_str());
            }
            GitError::reading("cannot read the commit", &error).with_rev(id.as_str())
        })
    }
}

pub(crate) fn shallow(message: &str) -> GitError {
    GitError::new(GitErrorKind::Shallow, message).with_hint(DEEPEN)
}

/// How many commits a short id could mean.
fn candidates(local: &gix::Repository, rev: &str) -> Option<usize> {
    let digits: String = rev.chars().take_while(char::is_ascii_hexdigit).collect();
    let ends = rev.chars().nth(digits.len());
    if !matches!(ends, None | Some('~' | '^' | '@' | ':')) {
        return None;
    }
    let prefix = gix::hash::Prefix::from_hex(&digits).ok()?;
    let mut found = std::collections::HashSet::new();
    drop(local.objects.lookup_prefix(prefix, Some(&mut found)));
    Some(
        found
            .into_iter()
            .filter(|id| local.find_commit(*id).is_ok())
            .count(),
    )
}
