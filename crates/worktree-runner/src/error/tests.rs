//! Which kind an error is, and that each has a next step.

use std::io;
use std::path::Path;

use super::{RunError, RunErrorKind};

#[test]
fn a_full_disk_is_seen_through_every_layer() {
    let full = || io::Error::from_raw_os_error(28);
    let path = Path::new("/x");
    let direct = RunError::io("cannot write", path, full());
    assert_eq!(direct.kind(), RunErrorKind::DiskFull);
    assert_eq!(direct.to_string(), "no space left: cannot write `/x`");
    let wrapped = RunError::caused(
        RunErrorKind::Worktree,
        "cannot check out",
        path,
        io::Error::other(full()),
    );
    assert_eq!(wrapped.kind(), RunErrorKind::DiskFull);
    let text = io::Error::other("fatal: write error: No space left on device");
    let told = RunError::caused(RunErrorKind::Worktree, "cannot check out", path, text);
    assert_eq!(told.kind(), RunErrorKind::DiskFull);
    let other = RunError::caused(
        RunErrorKind::Worktree,
        "cannot check out",
        path,
        io::Error::other("no"),
    );
    assert_eq!(other.kind(), RunErrorKind::Worktree);
}

#[test]
fn every_kind_has_a_hint() {
    for kind in [
        RunErrorKind::DiskFull,
        RunErrorKind::PathExists,
        RunErrorKind::Cancelled,
        RunErrorKind::Worktree,
        RunErrorKind::NotRestorable,
        RunErrorKind::SegmentMissing,
        RunErrorKind::InUse,
        RunErrorKind::InvalidRequest,
        RunErrorKind::Io,
    ] {
        assert!(!RunError::new(kind, "x").hint().is_empty());
    }
}
