//! What this machine allows, without a repository: for a program's `doctor`.

use crate::cancel::CancelFlag;
use crate::error::RunError;
use crate::isolation::{ClockMode, Containment, Isolation, NetworkState, TreeMount};
use crate::plan::MountPlan;
use crate::probe::probe;

/// Tries what a run would be isolated from, in temporary folders; nothing is left behind.
///
/// # Errors
/// When no temporary folder can be made, or the try itself cannot be started.
pub fn probe_isolation() -> Result<Isolation, RunError> {
    let folder = tempfile::tempdir()
        .map_err(|error| RunError::io("cannot make a folder in", &std::env::temp_dir(), error))?;
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    for place in [&from, &to] {
        std::fs::create_dir(place).map_err(|error| RunError::io("cannot make", place, error))?;
    }
    let mounts = MountPlan {
        bound: vec![(from, to)],
        ..MountPlan::default()
    };
    let found = probe(Containment::PidNamespace, true, &mounts, &CancelFlag::new())?;
    let namespaces = found.namespaces;
    let overlay_refused = if namespaces.mount {
        crate::workspace::layers::refusal(folder.path(), &found, &CancelFlag::new())?
    } else {
        Some("runs have no mount namespace".to_owned())
    };
    let containment = if namespaces.process {
        Containment::PidNamespace
    } else if cfg!(target_os = "linux") {
        Containment::Subreaper
    } else {
        Containment::ProcessGroup
    };
    Ok(Isolation {
        containment,
        network: if namespaces.network {
            NetworkState::Off
        } else {
            NetworkState::Open
        },
        mount: match (&overlay_refused, namespaces.mount) {
            (None, _) => TreeMount::Overlay,
            (Some(_), true) => TreeMount::Bind,
            (Some(_), false) => TreeMount::Rename,
        },
        overlay_refused,
        path_shared: true,
        other_side_hidden: namespaces.mount,
        repository_read_only: namespaces.mount && found.read_only,
        private_tmp: namespaces.mount,
        clock: ClockMode::Host,
        refused: found.refused,
    })
}
