//! Our own corpus: one folder a case under `testdata/contracts`.
use std::fs;
use std::path::Path;

use crate::shared_cases::check_folder;

#[test]
fn every_case_is_decided_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/contracts");
    let mut cases: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    assert!(cases.len() >= 40, "{}", cases.len());
    for case in cases {
        check_folder(&case);
    }
}
