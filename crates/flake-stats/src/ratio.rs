//! Exact fractions.
use std::fmt;

use crate::domain::float;

/// A fraction in lowest terms, between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ratio {
    /// Above the line.
    pub numerator: u128,
    /// Below the line, never 0.
    pub denominator: u128,
}

impl Ratio {
    /// `numerator / denominator` in lowest terms; none when the denominator is 0.
    pub(crate) const fn reduced(numerator: u128, denominator: u128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let (mut a, mut b) = (numerator, denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Some(Self {
            numerator: numerator / a,
            denominator: denominator / a,
        })
    }

    /// The nearest double, within two units of the last place.
    pub fn value(self) -> f64 {
        wide(self.numerator) / wide(self.denominator)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// A wide integer as a double, from its two halves.
fn wide(value: u128) -> f64 {
    const HALF: f64 = 18_446_744_073_709_551_616.0;
    let high = u64::try_from(value >> 64).unwrap_or(u64::MAX);
    let low = u64::try_from(value & u128::from(u64::MAX)).unwrap_or(u64::MAX);
    float(high) * HALF + float(low)
}
