//! The handed reference values, where they are.
use std::path::PathBuf;

use crate::vectors::Vectors;

#[test]
#[expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the handed cases lie outside the repository"
)]
fn every_handed_vector_is_met() {
    let folder = std::env::var("PATCH_VERDICT_SHARED").map_or_else(
        |_| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let Ok(text) = std::fs::read_to_string(folder.join("cases/statistics.json")) else {
        eprintln!("shared cases: not here");
        return;
    };
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let tolerance = document["tolerance_relative"].as_f64().unwrap();
    let seen = Vectors::check(&document, tolerance);
    assert!(seen.rows > 0, "no row in the handed vectors");
    let claim = &document["seed_claim"];
    let survives = flake_stats::both_outcomes(0.1, 7).unwrap().all_pass;
    assert!((survives / claim["value"].as_f64().unwrap() - 1.0).abs() <= tolerance);
    eprintln!("shared cases: {} rows of statistics.json", seen.rows);
}
