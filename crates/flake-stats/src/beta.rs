//! The regularised incomplete beta function and its inverse.
//!
//! A. `DiDonato` and A. Morris, "Algorithm 708: Significant Digit Computation of the Incomplete Beta
//! Function Ratios" (1992), the continued fraction; the factor in front by Loader's saddle point.
use crate::saddle;

/// A point of (0, 1) with its complement, each to full relative precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    pub(crate) fn new(x: f64) -> Self {
        Self { x, y: 1.0 - x }
    }

    fn swapped(self) -> Self {
        Self {
            x: self.y,
            y: self.x,
        }
    }

    /// Adds `step` to the log odds.
    fn shifted(self, step: f64) -> Self {
        let (x, y) = if step > 0.0 {
            (self.x, self.y * (-step).exp())
        } else {
            (self.x * step.exp(), self.y)
        };
        Self {
            x: x / (x + y),
            y: y / (x + y),
        }
    }
}

/// Both tails of a beta distribution at a point, and the slope along the log odds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tails {
    /// P(rate <= x).
    pub(crate) lower: f64,
    /// P(rate > x).
    pub(crate) upper: f64,
    /// `x^a y^b / B(a, b)`: how fast the lower tail grows with the log odds of x.
    slope: f64,
}

/// Both tails of Beta(a, b) at `point`, for a, b > 0.
pub(crate) fn tails(a: f64, b: f64, point: Point) -> Tails {
    if point.x <= 0.0 || point.y <= 0.0 {
        let lower = if point.x <= 0.0 { 0.0 } else { 1.0 };
        return Tails {
            lower,
            upper: 1.0 - lower,
            slope: 0.0,
        };
    }
    let slope = (saddle::ln_binomial(a, a + b, point.x, point.y) + (a * (b / (a + b))).ln()).exp();
    // Positive left of the mean; written with the smaller parameter so that nothing cancels.
    let left = |a: f64, b: f64, point: Point| {
        if a <= b {
            a - (a + b) * point.x
        } else {
            (a + b) * point.y - b
        }
    };
    let distance = left(a, b, point);
    if distance >= 0.0 {
        let lower = (slope * fraction(a, b, point, distance)).min(1.0);
        Tails {
            lower,
            upper: 1.0 - lower,
            slope,
        }
    } else {
        let swapped = point.swapped();
        let upper = (slope * fraction(b, a, swapped, -distance)).min(1.0);
        Tails {
            lower: 1.0 - upper,
            upper,
            slope,
        }
    }
}

/// `I_x(a, b) B(a, b) / (x^a y^b)` left of the mean.
#[expect(clippy::many_single_char_names, reason = "the paper's names")]
fn fraction(a: f64, b: f64, point: Point, distance: f64) -> f64 {
    // The number of terms grows with the square root of the parameters: 10^12 needs some 10^7.
    const MOST_TERMS: u32 = 40_000_000;
    const CLOSE_ENOUGH: f64 = 4.0 * f64::EPSILON;
    let c = 1.0 + distance;
    let (c0, c1) = (b / a, 1.0 + 1.0 / a);
    let y_plus_1 = 1.0 + point.y;
    let (mut n, mut p, mut s) = (0.0, 1.0, a + 1.0);
    let (mut above, mut below) = (0.0, 1.0);
    let (mut next_above, mut next_below) = (1.0, c / c1);
    let mut value = c1 / c;
    for _ in 0..MOST_TERMS {
        n += 1.0;
        let t = n / a;
        let w = n * (b - n) * point.x;
        let ratio = a / s;
        let alpha = (p * (p + c0) * ratio * ratio) * (w * point.x);
        let beta = n + w / s + (1.0 + t) / (c1 + t + t) * (c + n * y_plus_1);
        p = 1.0 + t;
        s += 2.0;
        (above, next_above) = (next_above, alpha * above + beta * next_above);
        (below, next_below) = (next_below, alpha * below + beta * next_below);
        let previous = value;
        value = next_above / next_below;
        if (value - previous).abs() <= CLOSE_ENOUGH * value {
            break;
        }
        above /= next_below;
        below /= next_below;
        next_above = value;
        next_below = 1.0;
    }
    value
}

/// Which tail of the distribution a quantile cuts off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    Lower,
    Upper,
}

/// The point where the given tail of Beta(a, b) holds `probability` (strictly between 0 and 1).
///
/// Newton on the logarithm of the tail along the log odds, where every beta distribution is
/// log-concave: from the second step on it comes to the root from one side and cannot overshoot.
pub(crate) fn quantile(a: f64, b: f64, tail: Tail, probability: f64) -> Point {
    const MOST_STEPS: u32 = 200;
    let (tail, probability) = match (tail, probability > 0.5) {
        (same, false) => (same, probability),
        (Tail::Lower, true) => (Tail::Upper, 1.0 - probability),
        (Tail::Upper, true) => (Tail::Lower, 1.0 - probability),
    };
    let mut point = Point {
        x: a / (a + b),
        y: b / (a + b),
    };
    for _ in 0..MOST_STEPS {
        let at = tails(a, b, point);
        let (mass, direction) = match tail {
            Tail::Lower => (at.lower, 1.0),
            Tail::Upper => (at.upper, -1.0),
        };
        let step = (probability / mass).ln() * mass / at.slope * direction;
        if !step.is_finite() {
            break;
        }
        point = point.shifted(step);
        if step.abs() <= 2.0 * f64::EPSILON {
            break;
        }
    }
    point
}
