//! Removes what dead runs left in a state folder.

use std::fs;
use std::path::Path;

use super::record;
use crate::error::RunError;
use crate::observer::{Event, Observer};

pub(super) fn remove(
    state_dir: &Path,
    common_dir: &Path,
    observer: &dyn Observer,
) -> Result<(), RunError> {
    let entries = fs::read_dir(state_dir)
        .map_err(|error| RunError::io("cannot list the work folder", state_dir, error))?;
    let mut dead: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| record::is_dead(path))
        .collect();
    dead.sort();
    for work in dead {
        record::read(&work, common_dir).clear()?;
        observer.event(Event::LeftoversRemoved { path: &work });
    }
    Ok(())
}
