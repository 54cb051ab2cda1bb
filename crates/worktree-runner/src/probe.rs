//! Finds out once what the system allows, by doing it.

use std::fs::File;
use std::path::Path;

use crate::cancel::CancelFlag;
use crate::error::RunError;
use crate::isolation::{Containment, Namespaces};
use crate::launch::{Launched, launch};
use crate::plan::{CommandPlan, MountPlan, SupervisorPlan};
use crate::supervisor;

/// The strongest namespaces that worked, and why a stronger try was refused.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) namespaces: Namespaces,
    pub(crate) driver_maps_ids: bool,
    /// Whether folders could be made read-only for it.
    pub(crate) read_only: bool,
    pub(crate) refused: Option<String>,
}

impl Found {
    /// A process namespace needs a `/proc` of its own, and that a mount namespace.
    pub(crate) const fn without_mounts(&mut self) {
        self.namespaces.mount = false;
        self.namespaces.process = false;
    }

    pub(crate) const fn none() -> Self {
        Self {
            namespaces: Namespaces::NONE,
            driver_maps_ids: false,
            read_only: false,
            refused: None,
        }
    }
}

/// Tries the levels from the strongest allowed downwards, with the mounts that runs will need.
pub(crate) fn probe(
    strongest: Containment,
    cut_network: bool,
    mounts: &MountPlan,
    cancel: &CancelFlag,
) -> Result<Found, RunError> {
    if !supervisor::available() || strongest == Containment::ProcessGroup {
        let refused = (!supervisor::available())
            .then(|| "this program does not call supervisor::enter()".to_owned());
        return Ok(Found {
            refused,
            ..Found::none()
        });
    }
    if strongest == Containment::Subreaper {
        return Ok(Found::none());
    }
    let mut refused: Option<String> = None;
    for read_only in [true, false] {
        for (namespaces, driver_maps_ids) in levels(cut_network) {
            if cancel.is_set() {
                return Err(RunError::cancelled());
            }
            let found = Found {
                namespaces,
                driver_maps_ids,
                read_only,
                refused: refused.clone(),
            };
            match attempt(&found, mounts, cancel)? {
                None => return Ok(found),
                Some(reason) => refused.get_or_insert(reason),
            };
        }
    }
    Ok(Found {
        refused,
        ..Found::none()
    })
}

/// Why this level is refused, if it is.
pub(crate) fn attempt(
    found: &Found,
    mounts: &MountPlan,
    cancel: &CancelFlag,
) -> Result<Option<String>, RunError> {
    let mut mounts = mounts.clone();
    if !found.read_only {
        mounts.read_only.clear();
    }
    let plan = SupervisorPlan {
        namespaces: found.namespaces,
        driver_maps_ids: found.driver_maps_ids,
        mounts: Some(mounts),
        command: CommandPlan {
            directory: "/".into(),
            timeout_ms: 10_000,
            fresh_proc: found.namespaces.process,
            ..CommandPlan::default()
        },
    };
    let null = File::options()
        .write(true)
        .open("/dev/null")
        .map_err(|error| RunError::io("cannot open", Path::new("/dev/null"), error))?;
    Ok(match launch(&plan, true, null, cancel) {
        Ok(Launched::Ended(report)) if report.exit.success() => None,
        Ok(Launched::Ended(report)) => Some(format!("probe ended with {:?}", report.exit)),
        Ok(Launched::NotIsolated(reason)) => Some(reason),
        Err(error) => Some(error.to_string()),
    })
}

/// What to try, strongest first. A user namespace also for root: it takes away the rights over the
/// rest of the system; root without one is the way out where user namespaces are switched off.
fn levels(cut_network: bool) -> Vec<(Namespaces, bool)> {
    let root = rustix::process::geteuid().is_root();
    let mut levels = Vec::new();
    for process in [true, false] {
        for user in [true, false] {
            if user || root {
                let all = Namespaces {
                    user,
                    mount: true,
                    process,
                    network: cut_network,
                };
                if user && root {
                    levels.push((all, true));
                }
                levels.push((all, false));
            }
        }
    }
    levels
}
