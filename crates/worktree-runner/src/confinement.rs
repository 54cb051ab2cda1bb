//! What a run may write where landlock stands in for mounts.

use std::fs;
use std::path::Path;

use crate::options::{Network, RunPaths};
use crate::plan::LandlockPlan;

/// Devices that programs write as a matter of course; those of disks are not among them.
const DEVICES: [&str; 10] = [
    "null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm", "mqueue",
];

/// Begin the names of devices that compute.
const ACCELERATORS: [&str; 3] = ["nvidia", "dri", "kfd"];

/// The tree, the folders of the run, temporary folders and plain devices. A temporary folder in which
/// something stands that must not be written is none.
pub(crate) fn landlock_plan(
    paths: &RunPaths,
    network: Network,
    protected: &[&Path],
) -> LandlockPlan {
    let mut writable = vec![
        paths.tree.clone(),
        paths.control.clone(),
        paths.temp.clone(),
        paths.home.clone(),
    ];
    // Not private here: suites that name them would fail for no fault of the patch.
    for folder in ["/tmp", "/var/tmp"].map(Path::new) {
        if !protected.iter().any(|path| path.starts_with(folder)) {
            writable.push(folder.to_owned());
        }
    }
    let devices = Path::new("/dev");
    writable.extend(DEVICES.map(|name| devices.join(name)));
    let entries = fs::read_dir(devices).into_iter().flatten().flatten();
    writable.extend(entries.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ACCELERATORS.iter().any(|start| name.starts_with(start))
    }));
    LandlockPlan {
        writable,
        cut_network: network == Network::Off,
    }
}

#[cfg(test)]
mod tests;
