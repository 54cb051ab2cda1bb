//! What this machine allows, without a repository: for a program's `doctor`.

use crate::cancel::CancelFlag;
use crate::error::RunError;
use crate::isolation::{Containment, Isolation};
use crate::plan::{LandlockPlan, MountPlan};
use crate::probe::{fall_back, probe};
use crate::supervisor::{self, cgroup};

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
    let cancel = CancelFlag::new();
    let strongest = Containment::PidNamespace;
    let mut found = probe(strongest, true, &mounts, &cancel)?;
    let name = format!("pv-probe-{}", std::process::id());
    let cgroup = cgroup::place(&name);
    let landlock = LandlockPlan {
        writable: vec![folder.path().to_owned()],
        cut_network: true,
    };
    let group = cgroup.as_deref();
    let tried = fall_back(&mut found, strongest, group, Some(&landlock), &cancel);
    if let Some(group) = group {
        cgroup::remove(group)
            .map_err(|error| RunError::io("cannot remove the control group", group, error))?;
    }
    tried?;
    let overlay_refused = if found.namespaces.mount {
        crate::workspace::layers::refusal(folder.path(), &found, &cancel)?
    } else {
        Some("runs have no mount namespace".to_owned())
    };
    let containment = if found.namespaces.process {
        Containment::PidNamespace
    } else if found.cgroup.is_some() {
        Containment::Cgroup
    } else if supervisor::available() {
        Containment::Subreaper
    } else {
        Containment::ProcessGroup
    };
    let known = Isolation::by(&found, containment, true);
    Ok(known.over(overlay_refused.is_none(), overlay_refused))
}
