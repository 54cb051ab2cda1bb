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
    pub(crate) refused: Option<String>,
}

impl Found {
    pub(crate) const fn none() -> Self {
        Self {
            namespaces: Namespaces::NONE,
            driver_maps_ids: false,
            refused: None,
        }
    }
}

/// Tries the levels from the strongest allowed downwards; `folder` is bound onto `target` as a test.
pub(crate) fn probe(
    strongest: Containment,
    cut_network: bool,
    (folder, target): (&Path, &Path),
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
    for (namespaces, driver_maps_ids) in levels(cut_network) {
        let plan = SupervisorPlan {
            namespaces,
            driver_maps_ids,
            mounts: Some(MountPlan {
                read_only: vec![folder.to_owned()],
                hidden: Vec::new(),
                bound: vec![(folder.to_owned(), target.to_owned())],
            }),
            command: CommandPlan {
                directory: "/".into(),
                timeout_ms: 10_000,
                fresh_proc: namespaces.process,
                ..CommandPlan::default()
            },
        };
        if cancel.is_set() {
            return Err(RunError::cancelled());
        }
        let null = File::options()
            .write(true)
            .open("/dev/null")
            .map_err(|error| RunError::io("cannot open", Path::new("/dev/null"), error))?;
        let reason = match launch(&plan, true, null, cancel) {
            Ok(Launched::Ended(report)) if report.exit.success() => {
                return Ok(Found {
                    namespaces,
                    driver_maps_ids,
                    refused,
                });
            }
            Ok(Launched::Ended(report)) => format!("probe ended with {:?}", report.exit),
            Ok(Launched::NotIsolated(reason)) => reason,
            Err(error) => error.to_string(),
        };
        refused.get_or_insert(reason);
    }
    Ok(Found {
        refused,
        ..Found::none()
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
