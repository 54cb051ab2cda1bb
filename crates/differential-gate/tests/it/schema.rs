//! Decision documents of every case hold to the published schema.
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::shared_cases::{decide_folder, shared, tool};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn cases(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect()
}

#[test]
fn every_decision_holds_to_the_schema() {
    let schema = fs::read(root().join("docs/schemas/decision.schema.json")).unwrap();
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut folders = cases(&root().join("testdata/contracts"));
    if let Some(shared) = shared() {
        folders.extend(cases(&shared.join("cases/gate")));
    }
    assert!(folders.len() >= 40);
    for folder in folders {
        let document = serde_json::to_value(decide_folder(&folder).document(&tool())).unwrap();
        let errors: Vec<_> = validator
            .iter_errors(&document)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", folder.display());
        // What every document has, the schema asks for.
        for key in ["decision", "reason", "bound", "rows", "issues", "results"] {
            let mut less = document.clone();
            less.as_object_mut().unwrap().remove(key);
            assert!(!validator.is_valid(&less), "{key}");
        }
    }
}
