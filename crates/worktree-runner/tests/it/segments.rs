//! Segments are whole or absent, and only a whole schedule is put together.

use std::fs;

use differential_gate::Side;
use worktree_runner::{RunErrorKind, Segments, abba};

use crate::drive::read;

#[test]
fn files_are_put_together_in_schedule_order_whatever_the_order_of_runs() {
    let folder = tempfile::tempdir().unwrap();
    let seeds = [5, 1, 9];
    let segments = Segments::create(folder.path(), seeds.len()).unwrap();
    for (side, seed) in abba(&seeds).into_iter().rev() {
        let index = seeds.iter().position(|one| *one == seed).unwrap();
        assert!(!segments.has(side, index));
        segments
            .write(side, index, format!("{} {seed}\n", side.name()).as_bytes())
            .unwrap();
        assert!(segments.has(side, index));
    }
    segments.assemble().unwrap();
    assert_eq!(
        read(&folder.path().join("parent.jsonl")),
        "parent 5\nparent 1\nparent 9\n"
    );
    assert_eq!(
        read(&folder.path().join("patch.jsonl")),
        "patch 5\npatch 1\npatch 9\n"
    );
}

#[test]
fn a_missing_segment_refuses_both_files() {
    for missing in [(Side::Parent, 0), (Side::Patch, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let segments = Segments::create(folder.path(), 2).unwrap();
        for run in [
            (Side::Parent, 0),
            (Side::Patch, 0),
            (Side::Patch, 1),
            (Side::Parent, 1),
        ] {
            if run != missing {
                segments.write(run.0, run.1, b"{}\n").unwrap();
            }
        }
        // A half-written file of a killed run is no segment.
        let stale = format!("segments/{}-{}.jsonl.tmp", missing.0.name(), missing.1);
        fs::write(folder.path().join(stale), "{}\n").unwrap();
        let error = segments.assemble().unwrap_err();
        assert_eq!(error.kind(), RunErrorKind::SegmentMissing);
        assert!(error.to_string().contains(missing.0.name()));
        assert!(!folder.path().join("parent.jsonl").exists());
        assert!(!folder.path().join("patch.jsonl").exists());
    }
}

#[test]
fn a_segment_is_written_once_whole_and_inside_the_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let segments = Segments::create(folder.path(), 1).unwrap();
    let kind = |result: Result<_, worktree_runner::RunError>| result.unwrap_err().kind();
    assert_eq!(
        kind(segments.write(Side::Patch, 1, b"")),
        RunErrorKind::InvalidRequest
    );
    assert_eq!(
        kind(segments.write(Side::Patch, 0, b"{}")),
        RunErrorKind::InvalidRequest
    );
    segments.write(Side::Patch, 0, b"").unwrap();
    assert_eq!(
        kind(segments.write(Side::Patch, 0, b"{}\n")),
        RunErrorKind::PathExists
    );
    // The folder is resumed as it is.
    let again = Segments::create(folder.path(), 1).unwrap();
    assert!(again.has(Side::Patch, 0));
}
