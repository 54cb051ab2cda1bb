//! Which two commits are compared, and why these.
use git_trees::{CommitId, GitError, GitErrorKind, Repository};
use patch_verdict_core::{CiFacts, ci_facts};

use crate::error::CheckErrorKind;
use crate::{CheckError, CheckOptions, Head};

/// The pair of commits, and how it was found.
#[derive(Debug, Clone)]
pub(crate) struct Revisions {
    pub(crate) parent: CommitId,
    pub(crate) patch: CommitId,
    pub(crate) base_from: String,
    pub(crate) notes: Vec<String>,
}

/// Finds base and head (INTERFACES, `patch-verdict check`).
pub(crate) fn revisions(
    repository: &Repository,
    options: &CheckOptions,
) -> Result<Revisions, CheckError> {
    let ci = ci_facts(&options.environment, options.ci_event.as_deref());
    let mut notes = Vec::new();
    let tip = match &options.head {
        Head::Revision(revision) => repository.resolve(revision).map_err(git)?,
        Head::WorkTree | Head::PatchFile(_) => repository.resolve("HEAD").map_err(git)?,
    };
    let (parent, base_from) = base(repository, options, &ci, &tip)?;
    let patch = match &options.head {
        Head::Revision(_) => tip,
        Head::WorkTree => repository
            .commit_work_tree_without(&parent, &[".patch-verdict"])
            .map_err(git)?,
        Head::PatchFile(bytes) => repository.commit_patch(&parent, bytes).map_err(git)?,
    };
    if parent == patch || trees_equal(repository, &parent, &patch)? {
        return Err(nothing_to_judge(options, &parent));
    }
    if !repository.is_ancestor(&parent, &patch).map_err(git)? {
        if repository
            .merge_base(&parent, &patch)
            .map_err(git)?
            .is_none()
        {
            notes.push(format!(
                "the base {} and the patch have no history in common",
                short(&parent)
            ));
        }
        notes.push(format!(
            "the base {} is no ancestor of the patch: commits between them count as the patch's",
            short(&parent)
        ));
    }
    if let Head::Revision(revision) = &options.head
        && revision == "HEAD"
        && !repository.is_bare()
        && repository.work_tree_status().map_err(git)?.dirty
    {
        notes.push(
            "uncommitted work is not part of this check (`--head WORKTREE` judges it)".into(),
        );
    }
    notes.extend(crate::kinds::notes(repository, &parent, &patch)?);
    Ok(Revisions {
        parent,
        patch,
        base_from,
        notes,
    })
}

fn base(
    repository: &Repository,
    options: &CheckOptions,
    ci: &CiFacts,
    tip: &CommitId,
) -> Result<(CommitId, String), CheckError> {
    if let Some(base) = &options.base {
        let commit = repository.resolve(base).map_err(git)?;
        return Ok((commit, format!("--base {base}")));
    }
    if matches!(options.head, Head::PatchFile(_)) {
        return Ok((
            tip.clone(),
            "HEAD, to which the patch file applies".to_owned(),
        ));
    }
    let parents = repository.parents(tip).map_err(git)?;
    if ci.tests_merge_commit
        && let [first, _, ..] = parents.as_slice()
    {
        return Ok((
            first.clone(),
            "first parent of the tested merge commit".to_owned(),
        ));
    }
    let mut unrelated = None;
    for (name, revision) in candidates(repository, ci) {
        let Ok(other) = repository.resolve(&revision) else {
            continue;
        };
        match repository.merge_base(&other, tip).map_err(git)? {
            Some(base) => {
                let several = repository.merge_bases(&other, tip).map_err(git)?.len();
                let one_of = if several > 1 {
                    format!("first of {several} merge bases")
                } else {
                    "merge base".to_owned()
                };
                return Ok((base, format!("{one_of} with {name} `{revision}`")));
            }
            None => unrelated = unrelated.or(Some((name, revision))),
        }
    }
    if let Some((name, revision)) = unrelated {
        let message = format!(
            "the patch and {name} `{revision}` have no history in common: no base was found"
        );
        return Err(
            CheckError::request(message).hint("name the commit before the patch: `--base REV`")
        );
    }
    Err(
        CheckError::request("cannot tell what the patch is based on: no base branch was found")
            .hint("name the commit before the patch: `--base REV`"),
    )
}

/// Where a merge base may be sought, in the order of INTERFACES.
fn candidates(repository: &Repository, ci: &CiFacts) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    if let Some(sha) = &ci.base_sha {
        found.push(("the CI event's base", sha.clone()));
    }
    if let Some(branch) = &ci.target_branch {
        // Spelled so that no tag or other branch of that name is taken for it.
        let branches = [
            repository.branch_of_remote("origin", branch),
            repository.local_branch(branch),
        ];
        let branches = branches.into_iter().flatten();
        found.extend(branches.map(|branch| ("the target branch", branch)));
    }
    if let Some(upstream) = repository.upstream_of_head() {
        let own = repository
            .current_branch()
            .ok()
            .flatten()
            .unwrap_or_default();
        let same_name = upstream
            .split_once('/')
            .is_some_and(|(_, branch)| branch == own);
        if !same_name {
            found.push(("the upstream", upstream));
        }
    }
    if let Some(branch) = repository.default_branch() {
        found.push(("the default branch", branch));
    }
    found
}

fn trees_equal(
    repository: &Repository,
    parent: &CommitId,
    patch: &CommitId,
) -> Result<bool, CheckError> {
    Ok(repository.tree_of(parent).map_err(git)? == repository.tree_of(patch).map_err(git)?)
}

fn nothing_to_judge(options: &CheckOptions, parent: &CommitId) -> CheckError {
    let message = format!(
        "base and head are the same tree ({}): nothing to judge",
        short(parent)
    );
    let hint = match &options.head {
        Head::WorkTree => "the work tree has no uncommitted change",
        Head::PatchFile(_) => "the patch file changes nothing",
        Head::Revision(_) => "name the commit before the patch: `--base HEAD~1`",
    };
    CheckError::request(message).hint(hint)
}

/// The first twelve digits.
pub(crate) fn short(commit: &CommitId) -> &str {
    commit.as_str().get(..12).unwrap_or(commit.as_str())
}

/// A git error as a check error: a wrong request or trouble of the surroundings.
#[expect(clippy::needless_pass_by_value, reason = "called by `map_err`")]
pub(crate) fn git(error: GitError) -> CheckError {
    let request = matches!(
        error.kind(),
        GitErrorKind::NotARepository
            | GitErrorKind::UnknownRevision
            | GitErrorKind::Shallow
            | GitErrorKind::Conflict
            | GitErrorKind::AmbiguousRevision
            | GitErrorKind::NoCommits
            | GitErrorKind::NoWorkTree
            | GitErrorKind::EmptyPatch
            | GitErrorKind::PatchFailed
            | GitErrorKind::NotTrusted
            | GitErrorKind::SubmoduleMissing
            | GitErrorKind::Unsupported
    );
    let kind = if request {
        CheckErrorKind::Request
    } else {
        CheckErrorKind::Surroundings
    };
    let hint = error.hint().map(str::to_owned);
    let wrapped = CheckError::of_kind(kind, error.to_string());
    match hint {
        Some(hint) => wrapped.hint(hint),
        None => wrapped,
    }
}
