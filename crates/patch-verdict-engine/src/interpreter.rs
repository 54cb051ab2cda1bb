//! The Python that compares tests.
use std::path::{Path, PathBuf};

use crate::error::CheckErrorKind;
use crate::prepare::Prepared;
use crate::{CheckError, CheckOptions};

/// An error where a suite whose tests are compared by source has no Python to do it.
pub(crate) fn needed(prepared: &Prepared, options: &CheckOptions) -> Result<(), CheckError> {
    let path = options.environment.get("PATH").map(String::as_str);
    let here = python(options.python.as_deref(), path).is_some();
    if here || !prepared.suite.framework.has_inventory() {
        return Ok(());
    }
    Err(missing())
}

/// There is no Python.
pub(crate) fn missing() -> CheckError {
    let message =
        "no `python3` in PATH: tests of Python can neither be run nor compared without one";
    CheckError::of_kind(CheckErrorKind::Surroundings, message)
        .hint("install Python 3.8 or newer, or put it into PATH")
}

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
