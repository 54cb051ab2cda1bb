//! The Python that compares tests.
use std::path::{Path, PathBuf};

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
