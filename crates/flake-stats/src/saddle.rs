//! Binomial probabilities without cancellation, for counts of any size.
//!
//! C. Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000). Differences of
//! log-gamma values lose every digit at 10^9 runs; the saddle-point form loses almost none.
use std::f64::consts::PI;

/// `ln(z!) - ln(sqrt(2 pi z) (z/e)^z)`: the error of Stirling's formula, for real z > 0.
pub(crate) fn stirling_error(z: f64) -> f64 {
    let mut shift = 0.0;
    let mut z = z;
    // The asymptotic series needs a large argument; the recurrence carries a small one there.
    while z < 16.0 {
        shift += (z + 0.5) * (1.0 / z).ln_1p() - 1.0;
        z += 1.0;
    }
    let square = z * z;
    let series = 1.0 / 12.0
        - (1.0 / 360.0
            - (1.0 / 1260.0
                - (1.0 / 1680.0 - (1.0 / 1188.0 - (691.0 / 360_360.0) / square) / square)
                    / square)
                / square)
            / square;
    shift + series / z
}

/// `x ln(x/mean) + mean - x`, without cancellation where x is near the mean.
pub(crate) fn deviance(x: f64, mean: f64) -> f64 {
    let difference = x - mean;
    if difference.abs() >= 0.1 * (x + mean) {
        return if x > 0.0 {
            x * (x / mean).ln() - difference
        } else {
            mean
        };
    }
    let v = difference / (x + mean);
    let square = v * v;
    let mut sum = difference * v;
    let mut power = 2.0 * x * v;
    let mut odd = 1.0;
    // |v| < 0.1, so each turn adds two digits.
    for _ in 0..24 {
        power *= square;
        odd += 2.0;
        sum += power / odd;
    }
    sum
}

/// `ln` of `C(n, x) p^x q^(n-x)` for real 0 <= x <= n and p + q = 1, p and q > 0.
pub(crate) fn ln_binomial(x: f64, n: f64, p: f64, q: f64) -> f64 {
    let rest = n - x;
    if x <= 0.0 {
        return n * ln_of_complement(q, p);
    }
    if rest <= 0.0 {
        return n * ln_of_complement(p, q);
    }
    let error = stirling_error(n) - stirling_error(x) - stirling_error(rest);
    error - deviance(x, n * p) - deviance(rest, n * q) - 0.5 * (2.0 * PI * x * (rest / n)).ln()
}

/// `ln(value)` where `complement` is 1 - value and the smaller of the two is the exact one.
pub(crate) fn ln_of_complement(value: f64, complement: f64) -> f64 {
    if complement < 0.5 {
        (-complement).ln_1p()
    } else {
        value.ln()
    }
}
