//! Commands that attack what runs them: none may turn a failure into a pass, or leave anything behind.

mod files;
mod processes;
mod secrets;

use serde_json::{Value, json};

use crate::drive::Place;

/// The levels on which a run is kept from what is not its own.
const HELD: [&str; 3] = ["pid_namespace", "cgroup", "subreaper"];

/// Runs of Python scripts on the parent, one after another.
fn scripts(place: &Place, level: &str, scripts: &[&str]) -> Vec<Value> {
    let run = |script: &&str| json!({ "side": "parent", "argv": ["python3", "-c", script] });
    let runs: Vec<Value> = scripts.iter().map(run).collect();
    place.runs(&json!({ "containment": level, "grace_ms": 100, "runs": runs }))
}

fn script(place: &Place, level: &str, text: &str) -> Value {
    scripts(place, level, &[text]).remove(0)
}

/// A folder outside the places that a run has to itself.
pub(crate) fn outside() -> tempfile::TempDir {
    tempfile::Builder::new()
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}
