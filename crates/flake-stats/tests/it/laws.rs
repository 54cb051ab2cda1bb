//! What holds for all counts.
use flake_stats::{
    FisherTable, both_outcomes, clopper_pearson, jeffreys, runs_for_one_failure, wilson,
    zero_failure_upper,
};
use proptest::prelude::*;

fn counts() -> impl Strategy<Value = (u64, u64)> {
    (1_u64..5_000).prop_flat_map(|runs| (0..=runs, Just(runs)))
}

proptest! {
    #[test]
    fn an_interval_holds_its_rate((events, runs) in counts(), confidence in 0.5_f64..0.999) {
        #[expect(clippy::cast_precision_loss, reason = "small counts")]
        let rate = events as f64 / runs as f64;
        for interval in [wilson, clopper_pearson, jeffreys] {
            let interval = interval(events, runs, confidence).unwrap();
            prop_assert!(interval.lo <= rate + 1e-12 && rate <= interval.hi + 1e-12);
            prop_assert!((0.0..=1.0).contains(&interval.lo) && (0.0..=1.0).contains(&interval.hi));
        }
    }

    #[test]
    fn passes_mirror_failures((events, runs) in counts(), confidence in 0.5_f64..0.999) {
        let one = clopper_pearson(events, runs, confidence).unwrap();
        let other = clopper_pearson(runs - events, runs, confidence).unwrap();
        prop_assert!((one.lo - (1.0 - other.hi)).abs() < 1e-9);
    }

    #[test]
    fn one_more_failure_never_lowers_a_bound((events, runs) in counts(), confidence in 0.5_f64..0.999) {
        prop_assume!(events < runs);
        let fewer = clopper_pearson(events, runs, confidence).unwrap();
        let more = clopper_pearson(events + 1, runs, confidence).unwrap();
        prop_assert!(fewer.lo <= more.lo && fewer.hi <= more.hi);
    }

    #[test]
    fn more_runs_exclude_more(runs in 1_u64..100_000, confidence in 0.5_f64..0.999) {
        let few = zero_failure_upper(runs, confidence).unwrap();
        let many = zero_failure_upper(runs + 1, confidence).unwrap();
        prop_assert!(many < few);
    }

    #[test]
    fn the_runs_needed_are_enough_and_no_more(rate in 0.001_f64..0.9, confidence in 0.5_f64..0.999) {
        let runs = runs_for_one_failure(rate, confidence).unwrap();
        let seen = |runs| 1.0 - both_outcomes(rate, runs).unwrap().all_pass;
        prop_assert!(seen(runs) >= confidence - 1e-12);
        prop_assert!(runs == 1 || seen(runs - 1) < confidence + 1e-12);
    }

    #[test]
    fn tails_of_a_table_overlap_in_its_own_probability(a in 0_u64..60, b in 0_u64..60, c in 0_u64..60, d in 0_u64..60) {
        prop_assume!(a + b > 0 && c + d > 0);
        let table = FisherTable::new([a, b], [c, d]).unwrap();
        prop_assert!(table.less() + table.greater() >= 1.0 - 1e-9);
        prop_assert!(table.two_sided() <= 1.0 + 1e-9);
    }
}

#[test]
fn what_has_no_answer_is_refused() {
    assert!(clopper_pearson(1, 0, 0.95).is_err());
    assert!(clopper_pearson(2, 1, 0.95).is_err());
    for confidence in [0.0, 1.0, -1.0, f64::NAN] {
        assert!(wilson(1, 2, confidence).is_err(), "{confidence}");
    }
}

#[test]
fn a_thousand_million_runs_are_no_trouble() {
    let interval = clopper_pearson(3, 1_000_000_000, 0.95).unwrap();
    assert!(
        interval.lo > 6.1e-10 && interval.hi < 8.8e-9,
        "{interval:?}"
    );
}
