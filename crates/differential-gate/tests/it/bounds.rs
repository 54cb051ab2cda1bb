//! Bounds and sentences, reason by reason.
use differential_gate::{BoundsWire, Counts, bounds, sentence};

/// `fail/total` as counts.
fn counts(text: &str) -> Counts {
    let (fail, total) = text.split_once('/').unwrap();
    let fail: u64 = fail.parse().unwrap();
    Counts {
        pass: total.parse::<u64>().unwrap() - fail,
        fail,
    }
}

#[track_caller]
fn check(reason: &str, parent: &str, patch: &str, line: &str) {
    assert_eq!(sentence(reason, counts(parent), counts(patch)), line);
}

#[test]
fn each_reason_has_its_sentence() {
    check(
        "both_pass",
        "0/7",
        "0/7",
        "parent 0/7 failed, patch 0/7 failed; \
         a regression that fails less than 34.8 % of runs cannot be excluded (95 %)",
    );
    check(
        "regression",
        "0/7",
        "7/7",
        "parent 0/7 failed, patch 7/7 failed; same-rate chance 0.0003 (Fisher, one-sided); \
         parent's rate could be up to 34.8 % (95 %)",
    );
    check(
        "regression",
        "0/30",
        "30/30",
        "parent 0/30 failed, patch 30/30 failed; same-rate chance < 0.0001 (Fisher, one-sided); \
         parent's rate could be up to 9.5 % (95 %)",
    );
    check(
        "parent_fail_cleared",
        "1/7",
        "0/7",
        "parent 1/7 failed, patch 0/7 failed; an unchanged test looks this cleared with chance \
         0.50 (Fisher, one-sided); patch's rate could be up to 34.8 % (95 %)",
    );
    check(
        "shared_variant_fail",
        "2/7",
        "7/7",
        "parent 2/7 failed, patch 7/7 failed; patch worse? p = 0.0105 (Fisher, one-sided)",
    );
    check(
        "uniform_fail",
        "3/3",
        "3/3",
        "parent 3/3 failed, patch 3/3 failed; a stable failure, not a flake; \
         a pass rate up to 63.2 % cannot be excluded (95 %)",
    );
    check(
        "witness_mismatch",
        "1/3",
        "2/3",
        "parent 1/3 failed, patch 2/3 failed; the two sides do not fail in the same ways; \
         patch worse? p = 0.50 (Fisher, one-sided)",
    );
    check(
        "witness_missing",
        "3/3",
        "3/3",
        "parent 3/3 failed, patch 3/3 failed; a failure without a witness cannot be compared; \
         patch worse? p = 1 (Fisher, one-sided)",
    );
    check(
        "missing_seed",
        "0/2",
        "0/0",
        "parent 0/2 failed, patch 0/0 failed; \
         results are missing, so these counts support no claim",
    );
    check(
        "setup_failed",
        "0/0",
        "0/0",
        "parent 0/0 failed, patch 0/0 failed",
    );
}

#[test]
fn incomplete_rows_support_no_bound() {
    let bounds = bounds("missing_seed", counts("0/7"), counts("0/6"));
    let wire = serde_json::to_value(BoundsWire::from(&bounds)).unwrap();
    assert_eq!(wire, serde_json::json!({ "confidence": 0.95 }));
}

#[test]
fn a_side_without_rows_has_no_bound_and_proves_nothing() {
    let none = Counts::default();
    let seen = bounds("both_pass", none, none);
    assert_eq!(seen.parent_rate_upper, None);
    assert_eq!(seen.patch_rate_upper, None);
    let seen = bounds("regression", none, counts("3/3"));
    assert_eq!(seen.same_rate_p(), Some(1.0));
}

#[test]
fn a_p_value_stands_with_its_fraction() {
    let bounds = bounds("regression", counts("0/7"), counts("3/7"));
    let wire = serde_json::to_value(BoundsWire::from(&bounds)).unwrap();
    assert_eq!(wire["same_rate_ratio"], "5/52");
    assert!((wire["same_rate_p"].as_f64().unwrap() - 5.0 / 52.0).abs() < 1e-15);
    assert_eq!(wire.get("cleared_p"), None);
    let back: BoundsWire = serde_json::from_value(wire).unwrap();
    assert_eq!(back, BoundsWire::from(&bounds));
}

#[test]
fn counts_beyond_every_limit_do_not_stop_the_gate() {
    let huge = Counts {
        pass: u64::MAX,
        fail: u64::MAX,
    };
    assert_eq!(bounds("regression", huge, huge).same_rate_p(), None);
    assert!(sentence("regression", huge, huge).starts_with("parent "));
}
