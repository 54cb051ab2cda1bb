//! How rates and probabilities print.
use super::{bound, equals, probability};

#[test]
fn a_probability_never_rounds_to_certainty() {
    for (p, text) in [
        (0.0, "< 0.0001"),
        (1e-300, "< 0.0001"),
        (0.000_099, "< 0.0001"),
        (0.000_291, "0.0003"),
        (0.010_489, "0.0105"),
        (0.096_154, "0.0962"),
        (0.099_96, "0.10"),
        (0.5, "0.50"),
        (0.994, "0.99"),
        (0.999_96, "> 0.99"),
        (1.0, "1"),
    ] {
        assert_eq!(probability(p), text, "{p}");
    }
    assert_eq!(equals(0.5), "= 0.50");
    assert_eq!(equals(1e-9), "< 0.0001");
}

#[test]
fn a_bound_never_rounds_to_certainty() {
    for (rate, text) in [
        (0.348_164, "34.8 %"),
        (0.95, "95.0 %"),
        (0.000_003, "0.1 %"),
        (0.000_6, "0.1 %"),
        (0.999_4, "99.9 %"),
        (0.999_96, "> 99.9 %"),
        (1.0, "100.0 %"),
    ] {
        assert_eq!(bound(rate), text, "{rate}");
    }
}
