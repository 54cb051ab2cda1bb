//! What stands where in the mount namespace of a command.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use differential_gate::Side;

use super::ground::{Ground, shared_memory};
use super::own_folders;
use super::place::{self, Place};
use super::running::Phase;
use crate::error::RunError;
use crate::files;
use crate::plan::{CommandPlan, MountPlan};
use crate::sockets;

impl Ground {
    /// The mounts for one command of a side.
    pub(super) fn mount_plan(
        &self,
        side: Side,
        phase: Phase,
        place: &Place,
        command: &CommandPlan,
    ) -> Result<MountPlan, RunError> {
        let found = match phase {
            Phase::SetUp => &self.for_set_up,
            Phase::Run => &self.for_runs,
        };
        let tree = &self.side(side).checkout.path;
        let mut plan = MountPlan {
            read_only: match phase {
                _ if !found.read_only => Vec::new(),
                Phase::Run => self.read_only.clone(),
                // Set-up may fill caches of toolchains and clone submodules into the git folder.
                Phase::SetUp => self.repository_root.iter().cloned().collect(),
            },
            hidden: self.hidden(phase),
            volatile: match phase {
                Phase::Run => shared_memory(),
                Phase::SetUp => Vec::new(),
            },
            layer: place
                .layer
                .as_ref()
                .map(|layer| layer.plan(&self.paths.tree)),
            ..MountPlan::default()
        };
        if phase == Phase::Run {
            let root = self.repository_root.as_deref();
            let own = own_folders(&self.record, &self.options, root);
            sockets::hide(&mut plan, &own, &self.caller, &command.environment);
            self.make_tmp_private(&mut plan, &place.tmp, command)?;
            self.empty_var_tmp(&mut plan, command);
        }
        if plan.layer.is_none() {
            plan.bound.push((tree.clone(), self.paths.tree.clone()));
        }
        plan.bound.extend([
            (place.control.clone(), self.paths.control.clone()),
            (place.temp.clone(), self.paths.temp.clone()),
            (place.home.clone(), self.paths.home.clone()),
        ]);
        if phase == Phase::SetUp {
            let common_dir = &self.record.common_dir;
            plan.bound.push((common_dir.clone(), common_dir.clone()));
        }
        Ok(plan)
    }

    /// What no command may see; a log folder that holds the repository itself has to stay.
    fn hidden(&self, phase: Phase) -> Vec<PathBuf> {
        let (state, logs) = (&self.options.state_dir, &self.options.logs_dir);
        let needed = self
            .repository_root
            .iter()
            .chain([&self.record.common_dir, state]);
        let mut hidden = vec![state.clone()];
        // A private `/tmp` does not show it anyway.
        if phase == Phase::SetUp || self.tmp().is_none() {
            hidden.push(place::runs(&self.record.base));
        }
        if !needed.clone().any(|path| path.starts_with(logs)) && !logs.starts_with(state) {
            hidden.push(logs.clone());
        }
        hidden
    }

    /// Memory in the place of `/var/tmp`, unless the repository, the tool's own folders or the command need it.
    fn empty_var_tmp(&self, plan: &mut MountPlan, command: &CommandPlan) {
        let folder = Path::new("/var/tmp");
        let named = command.environment.values().chain(&command.argv);
        let needed = named
            .flat_map(|text| std::env::split_paths(text).collect::<Vec<_>>())
            .chain(self.read_only.iter().cloned())
            .chain([
                self.record.work.clone(),
                self.record.base.clone(),
                self.options.state_dir.clone(),
                self.options.logs_dir.clone(),
            ])
            .any(|path| path.starts_with(folder));
        let there = fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir());
        if there && !needed {
            plan.volatile.push(folder.to_owned());
        }
    }

    /// Puts an empty folder in the place of `/tmp`: what a run leaves there must not meet the next.
    /// The entries of `/tmp` stay that the repository stands in, or what the command line and the
    /// variables (`PATH` among them) name.
    fn make_tmp_private(
        &self,
        plan: &mut MountPlan,
        empty: &Path,
        command: &CommandPlan,
    ) -> Result<(), RunError> {
        let Some(tmp) = self.tmp() else {
            return Ok(());
        };
        let failed = |error| RunError::io("cannot create", empty, error);
        files::fresh_folder(empty).map_err(failed)?;
        fs::set_permissions(empty, fs::Permissions::from_mode(0o1777)).map_err(failed)?;
        plan.bound.push((empty.to_owned(), tmp.to_owned()));
        let named = command.environment.values().chain(&command.argv);
        let needed: std::collections::BTreeSet<PathBuf> = named
            .flat_map(|text| std::env::split_paths(text).collect::<Vec<_>>())
            .chain(self.read_only.iter().cloned())
            .filter_map(|path| Some(tmp.join(path.strip_prefix(tmp).ok()?.components().next()?)))
            .filter(|entry| *entry != self.record.base && entry.is_dir())
            .collect();
        for entry in &needed {
            if let Some(name) = entry.file_name() {
                fs::create_dir(empty.join(name)).map_err(failed)?;
                plan.bound.push((entry.clone(), entry.clone()));
                // A run of the patch must not reach the parent's next run through it.
                if !plan.read_only.is_empty() {
                    plan.sealed.push(entry.clone());
                }
            }
        }
        // The places where the folders of this run are bound.
        if let Some(name) = self.record.base.file_name() {
            for folder in ["tree", "control", "temp", "home"] {
                fs::create_dir_all(empty.join(name).join(folder)).map_err(failed)?;
            }
        }
        Ok(())
    }
}
