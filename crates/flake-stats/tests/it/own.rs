//! Our own reference values: `testdata/statistics`, made at 60 digits by the script beside them.
use crate::vectors::Vectors;

/// Relative; the worst gap of these rows was 1.8e-14.
const TOLERANCE: f64 = 1e-12;

#[test]
fn every_own_vector_is_met() {
    let text = include_str!("../../../../testdata/statistics/vectors.json");
    let document: serde_json::Value = serde_json::from_str(text).unwrap();
    let blocks = document.as_object().unwrap();
    assert_eq!(blocks.len(), 11);
    assert!(
        blocks
            .values()
            .all(|rows| !rows.as_array().unwrap().is_empty())
    );
    let seen = Vectors::check(&document, TOLERANCE);
    assert!(seen.rows >= 230, "{}", seen.rows);
}
