//! Finds out once what the system allows, by doing it.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::cancel::CancelFlag;
use crate::error::RunError;
use crate::isolation::{Confinement, Containment, Namespaces};
use crate::launch::{Launched, launch};
use crate::plan::{CommandPlan, ConfinePlan, LandlockPlan, MountPlan, SupervisorPlan};
use crate::supervisor::{self, cgroup};

/// The strongest namespaces that worked, and why a stronger try was refused.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) namespaces: Namespaces,
    pub(crate) driver_maps_ids: bool,
    /// Whether folders could be made read-only for it.
    pub(crate) read_only: bool,
    pub(crate) refused: Option<String>,
    /// Where groups of processes are made, if they hold runs together.
    pub(crate) cgroup: Option<PathBuf>,
    /// What landlock refuses a run, if it stands in for mounts.
    pub(crate) landlock: Option<Confinement>,
}

impl Found {
    fn refuse(&mut self, reason: &str) {
        self.refused = Some(match self.refused.take() {
            Some(known) => format!("{known}; {reason}"),
            None => reason.to_owned(),
        });
    }

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
            cgroup: None,
            landlock: None,
        }
    }
}

/// Tries what stands in where the namespaces found do not hold a run's processes or files: a control
/// group below `cgroup`, and landlock with these writable folders.
pub(crate) fn fall_back(
    found: &mut Found,
    strongest: Containment,
    cgroup: Option<&Path>,
    landlock: Option<&LandlockPlan>,
    cancel: &CancelFlag,
) -> Result<(), RunError> {
    if !supervisor::available() || strongest == Containment::ProcessGroup {
        return Ok(());
    }
    if !found.namespaces.process && strongest <= Containment::Cgroup {
        match cgroup {
            None => found.refuse("control groups: none of version 2 is mounted here"),
            Some(workspace) => match in_group(workspace, cancel)? {
                Ok(_) => found.cgroup = Some(workspace.to_owned()),
                Err(reason) => found.refuse(&reason),
            },
        }
    }
    if let Some(landlock) = landlock
        && !found.namespaces.mount
    {
        let plan = ConfinePlan {
            cgroup: None,
            landlock: Some(landlock.clone()),
        };
        match confined(plan, cancel)? {
            Ok(confinement) => found.landlock = confinement,
            Err(reason) => found.refuse(&reason),
        }
    }
    Ok(())
}

/// Makes a group, puts a process into it and removes it again.
fn in_group(
    workspace: &Path,
    cancel: &CancelFlag,
) -> Result<Result<Option<Confinement>, String>, RunError> {
    let group = match cgroup::make(workspace) {
        Ok(group) => group,
        Err(error) => return Ok(Err(format!("control groups: {error}"))),
    };
    let plan = ConfinePlan {
        cgroup: Some(group.clone()),
        landlock: None,
    };
    let tried = confined(plan, cancel);
    cgroup::remove(&group)
        .map_err(|error| RunError::io("cannot remove the control group", &group, error))?;
    tried
}

fn confined(
    plan: ConfinePlan,
    cancel: &CancelFlag,
) -> Result<Result<Option<Confinement>, String>, RunError> {
    let plan = SupervisorPlan {
        namespaces: Namespaces::NONE,
        driver_maps_ids: false,
        mounts: None,
        command: CommandPlan {
            directory: "/".into(),
            timeout_ms: 10_000,
            confine: Some(plan),
            ..CommandPlan::default()
        },
    };
    Ok(match launch(&plan, true, null()?, cancel) {
        Ok(Launched::Ended(report)) if report.exit.success() => Ok(report.confined),
        Ok(Launched::Ended(report)) => Err(format!("probe ended with {:?}", report.exit)),
        Ok(Launched::NotIsolated(reason)) => Err(reason),
        Err(error) => Err(error.to_string()),
    })
}

fn null() -> Result<File, RunError> {
    File::options()
        .write(true)
        .open("/dev/null")
        .map_err(|error| RunError::io("cannot open", Path::new("/dev/null"), error))
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
    if strongest != Containment::PidNamespace {
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
                ..Found::none()
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
    Ok(match launch(&plan, true, null()?, cancel) {
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
