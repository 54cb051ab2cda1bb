//! Failure texts in classes: equal within a class, different between the classes of a family.
use std::{collections::BTreeMap, env, fs, path::Path, path::PathBuf};

use differential_gate::{witness_class_of_text, witness_prefix};
use serde_json::Value;

/// Wrong answers for one file of families.
fn wrong(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let families: Value = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for family in families["families"].as_array().unwrap() {
        let id = family["id"].as_str().unwrap();
        let prop = family["property"].as_str().unwrap();
        let specs = family["spec_files"].as_array().unwrap();
        let specs: Vec<&str> = specs.iter().map(|path| path.as_str().unwrap()).collect();
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for class in family["classes"].as_array().unwrap() {
            let name = class["id"].as_str().unwrap();
            let mut witnesses = Vec::new();
            for text in class["texts"].as_array().unwrap() {
                let witness = witness_class_of_text(prop, text.as_str().unwrap(), &specs);
                if !witness.starts_with(&witness_prefix(prop)) {
                    wrong.push(format!("{id}/{name}: no prefix: {witness}"));
                }
                if witness_class_of_text(prop, &witness, &specs) != witness {
                    wrong.push(format!("{id}/{name}: not a class of itself: {witness}"));
                }
                if !witnesses.contains(&witness) {
                    witnesses.push(witness);
                }
            }
            if witnesses.len() != 1 {
                wrong.push(format!(
                    "{id}/{name}: split:\n    {}",
                    witnesses.join("\n    ")
                ));
            }
            for witness in witnesses {
                if let Some(other) = seen.get(&witness).filter(|other| *other != name) {
                    wrong.push(format!("{id}/{name}: merged with {other}: {witness}"));
                }
                seen.insert(witness, name.to_owned());
            }
        }
    }
    wrong
}

/// Fails with every wrong answer under `folder`; returns how many files were read.
fn check(files: &[PathBuf]) {
    let mut all = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        all.extend(
            wrong(file)
                .into_iter()
                .map(|line| format!("{stem}: {line}")),
        );
    }
    assert!(all.is_empty(), "{} wrong:\n{}", all.len(), all.join("\n"));
}

#[test]
fn own_families() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/witness");
    let entries = fs::read_dir(&folder).unwrap();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no families in {}", folder.display());
    check(&files);
}

#[test]
fn shared_families() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = env::var_os("PATCH_VERDICT_SHARED").map_or(beside, PathBuf::from);
    let file = folder.join("cases/witness.json");
    if file.exists() {
        check(&[file]);
    } else {
        eprintln!("shared cases: not here");
    }
}
