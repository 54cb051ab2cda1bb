//! Segments are whole or absent, and only a whole schedule is put together.

use std::fs;
use std::path::{Path, PathBuf};

use differential_gate::Side;
use worktree_runner::{
    Conductor, MadeRun, PlannedRun, RunError, RunErrorKind, Segments, abba, conduct, planned_runs,
};

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
    let kind = |result: Result<_, RunError>| result.unwrap_err().kind();
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

/// Makes runs until one is to fail, and counts them.
struct Counting {
    stop_at: Option<usize>,
    elsewhere: PathBuf,
    made: Vec<String>,
    kept: Vec<String>,
}

impl Conductor for Counting {
    type Error = RunError;

    fn make(&mut self, run: &PlannedRun) -> Result<MadeRun, RunError> {
        if self.stop_at == Some(run.place) {
            // Any error of the surroundings: a schedule of no seeds takes no segment.
            let none = Segments::create(&self.elsewhere, 0)?;
            none.write(run.side, 0, b"")?;
        }
        self.made.push(run.label());
        let rows = format!("{} {}\n", run.side.name(), run.seed).into_bytes();
        let note = run.label();
        Ok(MadeRun { rows, note })
    }

    fn keep(&mut self, run: &PlannedRun, note: &str) -> bool {
        assert_eq!(note, run.label());
        self.kept.push(run.label());
        true
    }
}

/// Conducts two seeds in that folder; what was made and kept, and whether it came to its end.
fn go(folder: &Path, key: &str, stop_at: Option<usize>) -> (usize, usize, bool) {
    let segments = Segments::create(folder, 2).unwrap();
    let segments = segments.sealed(&folder.join("seals"), key).unwrap();
    let mut counting = Counting {
        stop_at,
        elsewhere: folder.join("elsewhere"),
        made: Vec::new(),
        kept: Vec::new(),
    };
    let runs = planned_runs(&[5, 1], &Side::BOTH);
    let ended = conduct(&segments, &runs, &mut counting).is_ok();
    if ended {
        segments.assemble().unwrap();
        assert_eq!(
            read(&folder.join("patch.jsonl")),
            "patch 5\npatch 1\n",
            "whatever was kept"
        );
    }
    (counting.made.len(), counting.kept.len(), ended)
}

#[test]
fn an_interrupted_contract_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(go(folder.path(), "k", Some(3)), (2, 0, false));
    assert_eq!(go(folder.path(), "k", None), (2, 2, true));
    assert_eq!(go(folder.path(), "k", None), (0, 4, true));
    // Another contract, command or environment is another key: nothing of it is taken.
    assert_eq!(go(folder.path(), "other", None), (4, 0, true));
}

#[test]
fn a_segment_that_was_changed_cut_or_not_sealed_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(go(folder.path(), "k", None), (4, 0, true));
    let segment = folder.path().join("segments/patch-1.jsonl");
    for content in ["patch 2\n", "patch", ""] {
        fs::write(&segment, content).unwrap();
        assert_eq!(go(folder.path(), "k", None), (1, 3, true), "{content:?}");
    }
    let seal = folder.path().join("seals/patch-1.seal");
    let whole = fs::read(&seal).unwrap();
    fs::write(&seal, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(go(folder.path(), "k", None), (1, 3, true));
    fs::remove_file(&seal).unwrap();
    assert_eq!(go(folder.path(), "k", None), (1, 3, true));
    // The seal of another run does not fit.
    fs::copy(folder.path().join("seals/patch-0.seal"), &seal).unwrap();
    fs::copy(folder.path().join("segments/patch-0.jsonl"), &segment).unwrap();
    assert_eq!(go(folder.path(), "k", None), (1, 3, true));
}

#[test]
fn one_process_at_a_time_makes_the_runs_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        Segments::create(folder.path(), 1)
            .unwrap()
            .sealed(&folder.path().join("seals"), "k")
    };
    let first = open().unwrap();
    assert_eq!(open().unwrap_err().kind(), RunErrorKind::InUse);
    drop(first);
    open().unwrap();
}
