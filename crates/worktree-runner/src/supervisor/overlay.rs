//! A fresh writable layer over a tree that stays as it is.

use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use rustix::mount::MountFlags;

use crate::plan::LayerPlan;

/// The three folders of a layer, held open: what is mounted or hidden later cannot come between.
#[derive(Debug)]
pub(super) struct Opened<'p> {
    plan: &'p LayerPlan,
    lower: OwnedFd,
    upper: OwnedFd,
    work: OwnedFd,
}

pub(super) fn open(plan: &LayerPlan) -> Result<Opened<'_>, String> {
    let folder = |path: &Path| {
        super::namespaces::open_folder(path)
            .map_err(|error| format!("open {}: {error}", path.display()))
    };
    Ok(Opened {
        plan,
        lower: folder(&plan.lower)?,
        upper: folder(&plan.upper)?,
        work: folder(&plan.work)?,
    })
}

impl Opened<'_> {
    /// Mounts it at its target.
    ///
    /// Named by their handles, paths may hold any character, and the table of mounts does not show
    /// them. `userxattr`: without the rights of the real root overlayfs keeps its marks as user
    /// attributes. `volatile`: the layer is thrown away, so nothing waits for the disk.
    pub(super) fn mount(self) -> Result<(), String> {
        let options = format!(
            "lowerdir=/proc/self/fd/{},upperdir=/proc/self/fd/{},workdir=/proc/self/fd/{},userxattr,volatile",
            self.lower.as_raw_fd(),
            self.upper.as_raw_fd(),
            self.work.as_raw_fd()
        );
        let options = CString::new(options).map_err(|error| error.to_string())?;
        let target = self.plan.target.as_path();
        rustix::mount::mount(
            "overlay",
            target,
            "overlay",
            MountFlags::empty(),
            Some(options.as_c_str()),
        )
        .map_err(|error| format!("overlay: {error}"))?;
        if self.plan.trial {
            try_out(target).map_err(|(step, error)| format!("overlay, {step}: {error}"))?;
        }
        Ok(())
    }
}

/// Does what a run may do to a tree that holds `file` and `folder/inner`: a file system may mount as
/// a layer and still refuse the marks that hide what was deleted.
fn try_out(target: &Path) -> Result<(), (&'static str, io::Error)> {
    let step = |name| move |error| (name, error);
    let (file, folder) = (target.join("file"), target.join("folder"));
    File::options()
        .append(true)
        .open(&file)
        .and_then(|mut file| file.write_all(b"changed"))
        .map_err(step("changing a file"))?;
    fs::hard_link(&file, target.join("link")).map_err(step("linking a file"))?;
    fs::rename(&file, target.join("renamed")).map_err(step("renaming a file"))?;
    fs::remove_dir_all(&folder).map_err(step("removing a folder"))?;
    fs::create_dir(&folder).map_err(step("replacing a folder"))?;
    match fs::read_dir(&folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) if !file.exists() => Ok(()),
        Ok(_) => Err((
            "looking again",
            io::Error::other("what was removed is still there"),
        )),
        Err(error) => Err(("looking again", error)),
    }
}
