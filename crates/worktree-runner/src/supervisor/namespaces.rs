//! Puts the calling, single-threaded process into namespaces of its own and arranges its mounts.

use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, StatVfsMountFlags};
use rustix::mount::{MountFlags, MountPropagationFlags};
use rustix::thread::UnshareFlags;

use crate::isolation::Namespaces;
use crate::plan::{Message, MountPlan, SupervisorPlan};

/// Enters every namespace of the plan, or says which step was refused.
pub(super) fn enter(plan: &SupervisorPlan, driver: &mut super::Driver) -> Result<(), String> {
    let wanted = plan.namespaces;
    if !wanted.any() {
        return Ok(());
    }
    let (uid, gid) = (
        rustix::process::getuid().as_raw(),
        rustix::process::getgid().as_raw(),
    );
    unshare(flags(wanted)).map_err(|error| match error {
        // Also the answer where namespaces are switched off.
        rustix::io::Errno::NOSPC => "namespaces: the system's limit of them is reached".to_owned(),
        other => format!("namespaces: {other}"),
    })?;
    if wanted.user {
        if plan.driver_maps_ids {
            driver
                .ask_for_maps()
                .map_err(|error| format!("id maps: {error}"))?;
        } else {
            map_own_ids(uid, gid).map_err(|error| format!("id maps: {error}"))?;
        }
    }
    if wanted.network {
        super::loopback::bring_up().map_err(|error| format!("loopback: {error}"))?;
    }
    if wanted.mount {
        rustix::mount::mount_change(
            "/",
            MountPropagationFlags::PRIVATE | MountPropagationFlags::REC,
        )
        .map_err(|error| format!("private mounts: {error}"))?;
        arrange(&plan.mounts.clone().unwrap_or_default())?;
    }
    Ok(())
}

#[expect(
    deprecated,
    reason = "its unsafe successor guards against CLONE_FILES in a threaded process; this process has one thread and asks for namespaces only"
)]
fn unshare(flags: UnshareFlags) -> rustix::io::Result<()> {
    rustix::thread::unshare(flags)
}

fn flags(wanted: Namespaces) -> UnshareFlags {
    let mut flags = UnshareFlags::empty();
    if wanted.user {
        flags |= UnshareFlags::NEWUSER;
    }
    if wanted.mount {
        // Shared memory of System V would leak from one run into the next, a host name to all.
        flags |= UnshareFlags::NEWNS | UnshareFlags::NEWIPC | UnshareFlags::NEWUTS;
    }
    if wanted.process {
        flags |= UnshareFlags::NEWPID;
    }
    if wanted.network {
        flags |= UnshareFlags::NEWNET;
    }
    flags
}

fn map_own_ids(uid: u32, gid: u32) -> io::Result<()> {
    write_existing(Path::new("/proc/self/setgroups"), "deny")?;
    write_existing(Path::new("/proc/self/uid_map"), &format!("{uid} {uid} 1\n"))?;
    write_existing(Path::new("/proc/self/gid_map"), &format!("{gid} {gid} 1\n"))
}

/// Maps every id of the caller's own namespace to itself inside the process's new one.
pub(crate) fn map_all_ids(process: u32) -> io::Result<()> {
    for name in ["uid_map", "gid_map"] {
        let own = fs::read_to_string(format!("/proc/self/{name}"))?;
        let mut map = String::new();
        for line in own.lines() {
            let mut words = line.split_whitespace();
            if let (Some(inside), Some(_), Some(count)) = (words.next(), words.next(), words.next())
            {
                map = format!("{map}{inside} {inside} {count}\n");
            }
        }
        write_existing(Path::new(&format!("/proc/{process}/{name}")), &map)?;
    }
    Ok(())
}

/// The kernel takes such a file in one write, and it must not be created by mistake.
fn write_existing(path: &Path, text: &str) -> io::Result<()> {
    fs::OpenOptions::new()
        .write(true)
        .open(path)?
        .write_all(text.as_bytes())
}

fn arrange(plan: &MountPlan) -> Result<(), String> {
    // Handles first: a later read-only or hiding mount may cover the way to these folders.
    let mut handles = Vec::new();
    for (source, target) in &plan.bound {
        let handle =
            open_folder(source).map_err(|error| format!("open {}: {error}", source.display()))?;
        handles.push((handle, target));
    }
    let layer = plan.layer.as_ref().map(super::overlay::open).transpose()?;
    for path in &plan.read_only {
        make_read_only(path).map_err(|error| format!("read-only {}: {error}", path.display()))?;
    }
    for path in &plan.hidden {
        hide(path).map_err(|error| format!("hide {}: {error}", path.display()))?;
    }
    for path in &plan.volatile {
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        rustix::mount::mount("tmpfs", path, "tmpfs", flags, Some(c"mode=1777"))
            .map_err(|error| format!("memory at {}: {error}", path.display()))?;
    }
    for (path, folders) in &plan.emptied {
        empty(path, folders).map_err(|error| format!("empty {}: {error}", path.display()))?;
    }
    for (handle, target) in handles {
        let source = format!("/proc/self/fd/{}", handle.as_raw_fd());
        rustix::mount::mount_bind_recursive(source.as_str(), target.as_path())
            .map_err(|error| format!("bind {}: {error}", target.display()))?;
    }
    if let Some(layer) = layer {
        layer.mount()?;
    }
    for path in &plan.sealed {
        make_read_only(path).map_err(|error| format!("read-only {}: {error}", path.display()))?;
    }
    for path in &plan.covered {
        cover(path).map_err(|error| format!("cover {}: {error}", path.display()))?;
    }
    Ok(())
}

/// Puts `/dev/null` in the place of a file; one that cannot be reached here needs no cover.
fn cover(path: &Path) -> rustix::io::Result<()> {
    use rustix::io::Errno;
    match rustix::mount::mount_bind("/dev/null", path) {
        Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => Ok(()),
        other => other,
    }
}

/// Covers a folder with an empty one that its owner alone may write, and makes places in it.
fn empty(path: &Path, folders: &[PathBuf]) -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    rustix::mount::mount("tmpfs", path, "tmpfs", flags, Some(c"size=16m,mode=0755"))?;
    folders.iter().try_for_each(fs::create_dir_all)
}

pub(super) fn open_folder(path: &Path) -> rustix::io::Result<OwnedFd> {
    rustix::fs::open(
        path,
        OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )
}

fn make_read_only(path: &Path) -> rustix::io::Result<()> {
    rustix::mount::mount_bind_recursive(path, path)?;
    // A remount in a user namespace must repeat the flags that are locked on the mount.
    let present = rustix::fs::statvfs(path)?.f_flag;
    let mut flags = MountFlags::BIND | MountFlags::RDONLY;
    for (have, keep) in [
        (StatVfsMountFlags::NOSUID, MountFlags::NOSUID),
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ] {
        if present.contains(have) {
            flags |= keep;
        }
    }
    rustix::mount::mount_remount(path, flags, "")
}

fn hide(path: &Path) -> rustix::io::Result<()> {
    let flags = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    rustix::mount::mount("tmpfs", path, "tmpfs", flags, Some(c"size=4k,mode=0555"))
}

/// A `/proc` that shows the new process namespace only.
pub(super) fn mount_proc() -> rustix::io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    rustix::mount::mount("proc", "/proc", "proc", flags, None)
}

impl super::Driver {
    fn ask_for_maps(&mut self) -> io::Result<()> {
        Self::send(&Message::MapIds(std::process::id()))?;
        loop {
            match self.receive_byte()? {
                Some(crate::plan::IDS_MAPPED) => return Ok(()),
                // It came before the answer; the command ends as soon as it has started.
                Some(crate::plan::CANCEL) => self.cancelled = true,
                _ => return Err(io::Error::other("the driver could not write them")),
            }
        }
    }
}
