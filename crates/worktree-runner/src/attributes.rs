//! What a path has beside its content: mode, owner, modification time, extended attributes.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Gid, Timespec, Timestamps, UTIME_OMIT, Uid, XattrFlags};
use rustix::io::Errno;

/// Links are not followed anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attributes {
    pub(crate) mode: u32,
    pub(crate) owner: (u32, u32),
    pub(crate) modified: (i64, i64),
    pub(crate) extended: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Attributes {
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        Self::with(path, &fs::symlink_metadata(path)?)
    }

    pub(crate) fn with(path: &Path, metadata: &Metadata) -> io::Result<Self> {
        Ok(Self {
            mode: metadata.mode() & 0o7777,
            owner: (metadata.uid(), metadata.gid()),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            extended: extended(path)?,
        })
    }

    /// Gives the path what it does not have yet; writing into a folder afterwards changes its time.
    pub(crate) fn apply(&self, path: &Path) -> io::Result<()> {
        let metadata = fs::symlink_metadata(path)?;
        let now = Self::with(path, &metadata)?;
        if now.owner != self.owner {
            let (user, group) = self.owner;
            rustix::fs::chownat(
                CWD,
                path,
                Some(Uid::from_raw(user)),
                Some(Gid::from_raw(group)),
                AtFlags::SYMLINK_NOFOLLOW,
            )?;
        }
        for name in now.extended.keys() {
            if !self.extended.contains_key(name) {
                rustix::fs::lremovexattr(path, name.as_slice())?;
            }
        }
        for (name, value) in &self.extended {
            if now.extended.get(name) != Some(value) {
                rustix::fs::lsetxattr(path, name.as_slice(), value, XattrFlags::empty())?;
            }
        }
        // After the owner, which takes special bits away, and the lists of rights, which set some.
        if !metadata.is_symlink() {
            fs::set_permissions(path, fs::Permissions::from_mode(self.mode))?;
        }
        let (seconds, nanoseconds) = self.modified;
        let times = Timestamps {
            last_access: Timespec {
                tv_sec: 0,
                tv_nsec: UTIME_OMIT,
            },
            last_modification: Timespec {
                tv_sec: seconds,
                tv_nsec: nanoseconds,
            },
        };
        rustix::fs::utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(())
    }
}

fn extended(path: &Path) -> io::Result<BTreeMap<Vec<u8>, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut names = Vec::with_capacity(1024);
    match rustix::fs::llistxattr(path, rustix::buffer::spare_capacity(&mut names)) {
        Ok(_) => {}
        // No such thing on this file system, or more than we keep: seen by the change time alone.
        Err(Errno::NOTSUP | Errno::RANGE) => return Ok(found),
        Err(error) => return Err(error.into()),
    }
    for name in names
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
    {
        let mut value = Vec::with_capacity(65_536);
        match rustix::fs::lgetxattr(path, name, rustix::buffer::spare_capacity(&mut value)) {
            Ok(_) => {
                found.insert(name.to_owned(), value);
            }
            Err(Errno::NODATA | Errno::NOTSUP | Errno::ACCESS | Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}
