//! Control groups of version 2: a group that can be killed as one, where a folder for it may be made.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a killed group may take to become empty.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where a group of this name would stand: below the group of this process.
pub(crate) fn place(name: &str) -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    Some(folder(&mounts, &own)?.join(name))
}

/// The folder of a process's own group, out of its tables of mounts and of groups.
fn folder(mounts: &str, own: &str) -> Option<PathBuf> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    let (root, mount_point) = mounts.lines().find_map(|line| {
        let (place, system) = line.split_once(" - ")?;
        let mut words = place.split(' ').skip(3);
        let (root, mount_point) = (words.next()?, words.next()?);
        system
            .starts_with("cgroup2 ")
            .then_some((root, mount_point))
    })?;
    // In a container the mount may show a part of the tree only.
    let below = Path::new(path).strip_prefix(root).ok()?;
    Some(Path::new(mount_point).join(below))
}

/// Makes a group for one command below that of the workspace.
pub(crate) fn make(workspace: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    match fs::create_dir(workspace) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        other => other?,
    }
    let group = workspace.join(NEXT.fetch_add(1, Ordering::SeqCst).to_string());
    fs::create_dir(&group)?;
    if group.join("cgroup.kill").exists() {
        return Ok(group);
    }
    fs::remove_dir(&group)?;
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this kernel cannot kill a group as one",
    ))
}

/// Puts the calling process into a group, and with it all that it starts.
pub(super) fn enter(group: &Path) -> io::Result<()> {
    write(&group.join("cgroup.procs"), "0")
}

/// The processes in a group.
pub(super) fn members(group: &Path) -> Vec<i32> {
    let text = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// Ends every process in a group and the groups below it, at once.
pub(super) fn kill(group: &Path) -> io::Result<()> {
    write(&group.join("cgroup.kill"), "1")
}

/// Ends what is in a group and removes it; that it was never made is no failure.
pub(crate) fn remove(group: &Path) -> io::Result<()> {
    if !group.is_dir() {
        return Ok(());
    }
    kill(group).unwrap_or_default();
    let started = Instant::now();
    loop {
        match remove_folders(group) {
            Ok(()) => return Ok(()),
            // The kernel ends them a moment later.
            Err(error)
                if error.kind() == io::ErrorKind::ResourceBusy && started.elapsed() < PATIENCE =>
            {
                std::thread::yield_now();
            }
            Err(error) => return Err(error),
        }
    }
}

fn remove_folders(group: &Path) -> io::Result<()> {
    for entry in fs::read_dir(group)?.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_folders(&entry.path())?;
        }
    }
    fs::remove_dir(group)
}

/// Such a file must not be created by mistake.
fn write(path: &Path, text: &str) -> io::Result<()> {
    use std::io::Write as _;
    fs::File::options()
        .write(true)
        .open(path)?
        .write_all(text.as_bytes())
}

#[cfg(test)]
mod tests;
