//! The folders of a new workspace.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use git_trees::Repository;
use sha2::{Digest, Sha256};

use super::ground::SideState;
use super::place::{earlier, runs};
use super::record::{self, Lock, Record};
use crate::error::{RunError, RunErrorKind};
use crate::files;
use crate::options::WorkspaceOptions;
use crate::supervisor::cgroup;
use crate::trees::Checkout;

/// Makes state and log folder, absolute and without links; the state folder ignores itself in git.
pub(super) fn folders(mut options: WorkspaceOptions) -> Result<WorkspaceOptions, RunError> {
    for folder in [&mut options.state_dir, &mut options.logs_dir] {
        fs::create_dir_all(&*folder)
            .map_err(|error| RunError::io("cannot create", folder, error))?;
        *folder = fs::canonicalize(&*folder)
            .map_err(|error| RunError::io("cannot resolve", folder, error))?;
    }
    let ignore = options.state_dir.join(".gitignore");
    fs::write(&ignore, "*\n").map_err(|error| RunError::io("cannot write", &ignore, error))?;
    Ok(options)
}

/// Takes a folder of our own in the state folder and writes down what will stand where.
pub(super) fn claim(state_dir: &Path, common_dir: &Path) -> Result<(Record, Lock), RunError> {
    for counter in 0..1000 {
        let work = state_dir.join(record::new_name(counter));
        match fs::create_dir(&work) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(RunError::io("cannot create", &work, error)),
        }
        let claimed = record::lock(&work)
            .map_err(|error| RunError::io("cannot lock", &work, error))
            .and_then(|lock| {
                let base = base_of(&work);
                let name = base.file_name().unwrap_or_default().to_string_lossy();
                let record = Record {
                    cgroup: cgroup::place(&name),
                    base: base.clone(),
                    common_dir: common_dir.to_owned(),
                    worktrees: vec![
                        work.join(neutral_name(&work, "1")),
                        work.join(neutral_name(&work, "2")),
                    ],
                    work: work.clone(),
                };
                record.write()?;
                Ok((record, lock))
            });
        if claimed.is_err() {
            files::remove_all(&work).unwrap_or_default();
        }
        return claimed;
    }
    Err(RunError::caused(
        RunErrorKind::PathExists,
        "cannot find a free name in",
        state_dir,
        io::Error::from(io::ErrorKind::AlreadyExists),
    ))
}

/// A short folder: socket paths below it must stay under 108 bytes.
fn base_of(work: &Path) -> PathBuf {
    let temp = Path::new("/tmp");
    let temp = if temp.is_dir() {
        temp.to_owned()
    } else {
        std::env::temp_dir()
    };
    let temp = fs::canonicalize(&temp).unwrap_or(temp);
    temp.join(format!("pv-{}", neutral_name(work, "base")))
}

/// A name that does not tell the side: a test sees it in `.git` and in the table of mounts.
fn neutral_name(work: &Path, what: &str) -> String {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |duration| duration.as_nanos());
    let digest = Sha256::digest(format!("{}\n{what}\n{now}", work.display()));
    let head = digest.iter().take(5);
    head.fold(String::new(), |name, byte| format!("{name}{byte:02x}"))
}

/// Makes the short folder and what stands in it; it must not exist, whoever made it.
pub(super) fn base(record: &Record) -> Result<(), RunError> {
    let base = &record.base;
    fs::DirBuilder::new()
        .mode(0o700)
        .create(base)
        .map_err(|error| RunError::io("cannot create", base, error))?;
    let names = ["tree", "control", "temp", "home"];
    let folders = names.map(|name| base.join(name));
    let places = [runs(base), runs(&record.work), earlier(&record.work)];
    for folder in folders.into_iter().chain(places) {
        files::fresh_folder(&folder)
            .map_err(|error| RunError::io("cannot create", &folder, error))?;
    }
    Ok(())
}

pub(super) fn side(
    record: &Record,
    checkout: Checkout,
    index: usize,
) -> Result<SideState, RunError> {
    let home = record.work.join(format!("home-{index}"));
    files::fresh_folder(&home).map_err(|error| RunError::io("cannot create", &home, error))?;
    let keep = record.work.join(format!("keep-{index}"));
    Ok(SideState::new(checkout, home, keep))
}

/// What a run may read but not write: the user's repository, home and toolchains.
pub(super) fn read_only(
    repository: &Repository,
    caller: &BTreeMap<String, String>,
    set: &BTreeMap<String, String>,
) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    folders.extend(repository.root().map(Path::to_owned));
    folders.push(repository.common_dir().to_owned());
    for name in [
        "HOME",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "PYENV_ROOT",
        "VIRTUAL_ENV",
        // Where the tool remembers contracts, and what else a user keeps outside HOME.
        "XDG_STATE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_CACHE_HOME",
    ] {
        folders.extend(
            caller
                .get(name)
                .or_else(|| set.get(name))
                .map(PathBuf::from),
        );
    }
    // Where programs and their libraries stand: a run of the patch that writes into the interpreter's
    // packages would reach the parent's next run.
    for path in [caller.get("PATH"), set.get("PATH")].into_iter().flatten() {
        let programs = std::env::split_paths(path);
        folders.extend(programs.filter_map(|folder| folder.parent().map(Path::to_owned)));
    }
    folders.extend(["/usr", "/opt", "/etc", "/srv", "/var"].map(PathBuf::from));
    let mut folders: Vec<PathBuf> = folders
        .into_iter()
        .filter_map(|folder| fs::canonicalize(folder).ok())
        .filter(|folder| folder.is_dir() && folder.parent().is_some())
        .filter(|folder| !Path::new("/tmp").starts_with(folder))
        .collect();
    folders.sort();
    folders.dedup();
    folders
}
