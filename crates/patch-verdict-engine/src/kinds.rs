//! What the kind of a repository keeps from the trees: submodules and large files that are not here.
use std::collections::BTreeSet;

use git_trees::{CommitId, Repository, Submodule, SubmoduleState};

use crate::CheckError;
use crate::revisions::{git, short};

/// Notes on what neither tree will hold; a change that cannot be seen is refused.
pub(crate) fn notes(
    repository: &Repository,
    parent: &CommitId,
    patch: &CommitId,
) -> Result<Vec<String>, CheckError> {
    let mut notes = Vec::new();
    let before = repository.submodules(parent).map_err(git)?;
    let after = repository.submodules(patch).map_err(git)?;
    for (commit, submodules) in [(parent, &before), (patch, &after)] {
        if let Some(missing) = of_state(submodules, SubmoduleState::CommitMissing).next() {
            let message = format!(
                "the submodule `{}` stands on {} in {}, which was not fetched",
                missing.path,
                missing.commit,
                short(commit)
            );
            return Err(CheckError::request(message)
                .hint("run `git submodule update --init --recursive` on that commit"));
        }
    }
    let missing = |submodules: &[Submodule]| -> BTreeSet<(String, String)> {
        of_state(submodules, SubmoduleState::NotInitialised)
            .map(|submodule| (submodule.path.clone(), submodule.commit.clone()))
            .collect()
    };
    let (before, after) = (missing(&before), missing(&after));
    if let Some((path, _)) = after.symmetric_difference(&before).next() {
        let message = format!(
            "the patch changes the submodule `{path}`, which is not initialised here: its change cannot be judged"
        );
        let hint = format!("run `git submodule update --init --recursive {path}` first");
        return Err(CheckError::request(message).hint(hint));
    }
    let names: Vec<String> = after.iter().map(|(path, _)| format!("`{path}`")).collect();
    if !names.is_empty() {
        notes.push(format!(
            "not initialised here, so an empty folder on both sides: submodule {}",
            names.join(", ")
        ));
    }
    let pointers = repository.unfilled_pointers(patch).map_err(git)?;
    if let Some(first) = pointers.first() {
        notes.push(format!(
            "Git LFS is not set up here: {} of its files, `{first}` among them, are pointers on both sides",
            pointers.len()
        ));
    }
    Ok(notes)
}

fn of_state(submodules: &[Submodule], state: SubmoduleState) -> impl Iterator<Item = &Submodule> {
    submodules
        .iter()
        .filter(move |submodule| submodule.state == state)
}
