//! Compares a document of reference values with the public functions.
use flake_stats::{
    BetaPrior, FisherTable, Ratio, Sprt, SprtDecision, both_outcomes, clopper_pearson, jeffreys,
    patch_rate_above_parent, patch_rate_above_parent_exact, percentile_cont, percentile_disc,
    rate_above, rule_of_three, runs_for_both_outcomes, runs_for_one_failure, two_sided_z, wilson,
    zero_failure_approximation, zero_failure_upper,
};
use serde_json::Value;

/// Counts comparisons, so that a test can say how many rows it saw.
pub(crate) struct Vectors {
    pub(crate) rows: usize,
    tolerance: f64,
    worst: f64,
    gaps: Vec<String>,
}

impl Vectors {
    /// Checks every block of `document` that this module knows; panics with all gaps.
    #[track_caller]
    pub(crate) fn check(document: &Value, tolerance: f64) -> Self {
        let mut vectors = Self {
            rows: 0,
            tolerance,
            worst: 0.0,
            gaps: Vec::new(),
        };
        for (name, block) in document.as_object().unwrap() {
            for row in block.as_array().into_iter().flatten() {
                vectors.rows += 1;
                vectors.row(name, row);
            }
        }
        assert!(
            vectors.gaps.is_empty(),
            "{} gaps, worst {:e}:\n{}",
            vectors.gaps.len(),
            vectors.worst,
            vectors.gaps.join("\n")
        );
        vectors
    }

    fn row(&mut self, block: &str, row: &Value) {
        let float = |key: &str| row[key].as_f64().unwrap();
        let count = |key: &str| row[key].as_u64().unwrap();
        match block {
            "z_two_sided" => self.near(row, "z", two_sided_z(float("conf")).unwrap()),
            "wilson" | "clopper_pearson" | "jeffreys" => {
                let interval = match block {
                    "wilson" => wilson,
                    "jeffreys" => jeffreys,
                    _ => clopper_pearson,
                };
                let interval = interval(count("k"), count("n"), float("conf")).unwrap();
                self.near(row, "lo", interval.lo);
                self.near(row, "hi", interval.hi);
            }
            "zero_fail_upper" => {
                let (n, c) = (count("n"), float("conf"));
                self.near(row, "upper_exact", zero_failure_upper(n, c).unwrap());
                let general = zero_failure_approximation(n, c).unwrap();
                self.near(row, "rule_general", general);
                if !row["rule_of_three"].is_null() {
                    self.near(row, "rule_of_three", rule_of_three(n).unwrap());
                }
            }
            "both_outcomes" => {
                let outcomes = both_outcomes(float("fail_rate"), count("n")).unwrap();
                self.near(row, "all_pass", outcomes.all_pass);
                self.near(row, "all_fail", outcomes.all_fail);
                self.near(row, "both", outcomes.both);
            }
            "runs_needed" => {
                let (p, c) = (float("fail_rate"), float("conf"));
                let one = runs_for_one_failure(p, c).unwrap();
                self.same(row, "runs_one_fail", &one.into());
                let both = runs_for_both_outcomes(p, c).unwrap();
                self.same(row, "runs_both_outcomes", &both.into());
            }
            "fisher_exact" => self.fisher(row),
            "sprt" => self.sprt(row),
            "percentiles" => {
                let values: Vec<f64> = serde_json::from_value(row["values"].clone()).unwrap();
                self.near(row, "disc", percentile_disc(&values, float("q")).unwrap());
                self.near(row, "cont", percentile_cont(&values, float("q")).unwrap());
            }
            "beta_posterior" => {
                let [a, b]: [f64; 2] = serde_json::from_value(row["prior"].clone()).unwrap();
                let prior = BetaPrior::new(a, b).unwrap();
                let above = rate_above(count("k"), count("n"), prior, float("x")).unwrap();
                self.near(row, "p_rate_above", above);
            }
            "beta_compare" => {
                let pair = |key: &str| serde_json::from_value(row[key].clone()).unwrap();
                let (parent, patch): ((u64, u64), (u64, u64)) = (pair("parent"), pair("patch"));
                let above = patch_rate_above_parent(parent, patch).unwrap();
                self.near(row, "p_patch_rate_above_parent", above);
                self.ratio(
                    row,
                    "exact",
                    patch_rate_above_parent_exact(parent, patch).unwrap(),
                );
            }
            other => panic!("no function for the block {other}"),
        }
    }

    fn fisher(&mut self, row: &Value) {
        let [a, b, c, d]: [u64; 4] = serde_json::from_value(row["table"].clone()).unwrap();
        let table = FisherTable::new([a, b], [c, d]).unwrap();
        self.near(row, "p_less", table.less());
        self.near(row, "p_greater", table.greater());
        self.near(row, "p_two_sided", table.two_sided());
        self.near(row, "p_two_sided_relerr_1e7", table.two_sided_as_r());
        self.near(row, "midp_less", table.mid_p_less());
        self.ratio(row, "exact_less", table.exact_less());
    }

    fn sprt(&mut self, row: &Value) {
        let float = |key: &str| row[key].as_f64().unwrap();
        let test = Sprt::new(float("p0"), float("p1"), float("alpha"), float("beta")).unwrap();
        for (key, value) in [
            ("A", test.upper_ratio()),
            ("B", test.lower_ratio()),
            ("log_upper", test.log_upper()),
            ("log_lower", test.log_lower()),
            ("llr_fail", test.failure_step()),
            ("llr_pass", test.pass_step()),
            ("slope", test.slope()),
            ("intercept_accept_h0", test.intercept_h0()),
            ("intercept_accept_h1", test.intercept_h1()),
            ("asn_wald_p0", test.wald_runs_p0()),
            ("asn_wald_p1", test.wald_runs_p1()),
            ("asn_wald_slope", test.wald_runs_slope()),
        ] {
            self.near(row, key, value);
        }
        self.same(
            row,
            "runs_if_all_pass",
            &test.runs_if_all_pass().unwrap().into(),
        );
        self.same(
            row,
            "runs_if_all_fail",
            &test.runs_if_all_fail().unwrap().into(),
        );

        let exact = &row["exact_dp"];
        let own = exact["tolerance"].as_f64().unwrap_or(self.tolerance);
        let kept = std::mem::replace(&mut self.tolerance, own);
        let good = test.characteristics(float("p0")).unwrap();
        self.near(exact, "type1", good.accept_h1);
        self.near(exact, "asn_p0", good.expected_runs);
        let bad = test.characteristics(float("p1")).unwrap();
        self.near(exact, "type2", bad.accept_h0);
        self.near(exact, "asn_p1", bad.expected_runs);
        self.tolerance = kept;

        for sequence in row["sequences"].as_array().unwrap() {
            let outcomes = sequence["outcomes"].as_str().unwrap();
            let stop = test.follow(outcomes.bytes().map(|outcome| outcome == b'f'));
            let decision = match stop.decision {
                SprtDecision::AcceptH0 => "accept_h0",
                SprtDecision::AcceptH1 => "accept_h1",
                SprtDecision::Continue => "continue",
            };
            self.same(sequence, "decision", &decision.into());
            self.same(sequence, "at", &stop.runs.into());
            self.near(sequence, "llr", stop.log_ratio);
        }
    }

    fn near(&mut self, row: &Value, key: &str, got: f64) {
        let wanted = row[key]
            .as_f64()
            .unwrap_or_else(|| panic!("{key} in {row}"));
        #[expect(clippy::float_cmp, reason = "both may be exactly 0")]
        let gap = if got == wanted {
            0.0
        } else {
            (got - wanted).abs() / wanted.abs()
        };
        self.worst = self.worst.max(gap);
        if gap.is_nan() || gap > self.tolerance {
            self.gaps.push(format!("{key}: {got:e} ({gap:e}) in {row}"));
        }
    }

    fn same(&mut self, row: &Value, key: &str, got: &Value) {
        if row[key] != *got {
            self.gaps.push(format!("{key}: {got} in {row}"));
        }
    }

    /// A reference may lack a fraction that we can give, never the other way round.
    fn ratio(&mut self, row: &Value, key: &str, got: Option<Ratio>) {
        if let Some(wanted) = row[key].as_str() {
            let got = got.map(|ratio| ratio.to_string()).unwrap_or_default();
            self.same(row, key, &got.as_str().into());
            assert!(wanted.contains('/'), "{key} in {row}");
        }
    }
}
