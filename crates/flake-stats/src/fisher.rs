//! Fisher's exact test of a two by two table.
//!
//! R. A. Fisher, "Statistical Methods for Research Workers" (1934), section 21.02; the mid-p value:
//! H. O. Lancaster (JASA 56, 1961).
use crate::domain::float;
use crate::saddle::ln_binomial;
use crate::{MAX_COUNT, Ratio, StatisticsError};

/// Two rows of counts, `[failed, passed]` each; the first row is the parent, the second the patch.
///
/// Under "both rows have one rate" the first row's failures follow a hypergeometric distribution
/// with the table's margins; every probability here is one of its tails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FisherTable {
    first: [u64; 2],
    second: [u64; 2],
}

/// Two probabilities nearer than this (relatively) are a tie: more than the error of a double
/// computation, less than any real difference that matters.
const TIE: f64 = 1e-10;
/// The slack that R's `fisher.test` takes.
const TIE_OF_R: f64 = 1e-7;

impl FisherTable {
    /// The table of two rows `[failed, passed]`. Empty rows are allowed: they prove nothing (p = 1).
    ///
    /// # Errors
    /// [`StatisticsError::CountTooLarge`] when the counts sum to more than [`MAX_COUNT`].
    pub const fn new(first: [u64; 2], second: [u64; 2]) -> Result<Self, StatisticsError> {
        let ([a, b], [c, d]) = (first, second);
        let total = a.saturating_add(b).saturating_add(c).saturating_add(d);
        if total > MAX_COUNT {
            return Err(StatisticsError::CountTooLarge(total));
        }
        Ok(Self { first, second })
    }

    /// One-sided p value of "the second row fails more": P(first row's failures <= seen).
    pub fn less(&self) -> f64 {
        let tails = self.hypergeometric().tails(self.first[0]);
        at_most_one(tails.below + tails.at)
    }

    /// One-sided p value of "the second row fails less": P(first row's failures >= seen).
    pub fn greater(&self) -> f64 {
        let tails = self.hypergeometric().tails(self.first[0]);
        at_most_one(tails.above + tails.at)
    }

    /// The mid-p form of [`less`](Self::less): half of the seen table's own probability is left out.
    pub fn mid_p_less(&self) -> f64 {
        let tails = self.hypergeometric().tails(self.first[0]);
        at_most_one(tails.below + tails.at / 2.0)
    }

    /// The mid-p form of [`greater`](Self::greater).
    pub fn mid_p_greater(&self) -> f64 {
        let tails = self.hypergeometric().tails(self.first[0]);
        at_most_one(tails.above + tails.at / 2.0)
    }

    /// Two-sided p value: all tables that are at most as probable as the seen one.
    ///
    /// Ties are decided exactly while the weights fit 128 bits, within 1e-10 beyond.
    pub fn two_sided(&self) -> f64 {
        self.exact_two_sided()
            .map_or_else(|| self.two_sided_within(TIE), Ratio::value)
    }

    /// [`two_sided`](Self::two_sided) as R's `fisher.test` has it, with ties within 1e-7.
    pub fn two_sided_as_r(&self) -> f64 {
        self.two_sided_within(TIE_OF_R)
    }

    /// [`less`](Self::less) as a fraction; none when its integers do not fit 128 bits.
    pub fn exact_less(&self) -> Option<Ratio> {
        let seen = self.first[0];
        self.exact_sum(|value, _| value <= seen)
    }

    /// [`greater`](Self::greater) as a fraction; none when its integers do not fit 128 bits.
    pub fn exact_greater(&self) -> Option<Ratio> {
        let seen = self.first[0];
        self.exact_sum(|value, _| value >= seen)
    }

    /// [`two_sided`](Self::two_sided) as a fraction; none when its integers do not fit 128 bits.
    pub fn exact_two_sided(&self) -> Option<Ratio> {
        let own = self.exact_weight(self.first[0])?;
        self.exact_sum(|_, weight| weight <= own)
    }

    const fn hypergeometric(&self) -> Hypergeometric {
        let ([a, b], [c, d]) = (self.first, self.second);
        Hypergeometric {
            drawn: a + b,
            left: c + d,
            marked: a + c,
        }
    }

    fn two_sided_within(&self, slack: f64) -> f64 {
        let distribution = self.hypergeometric();
        let seen = self.first[0];
        let limit = distribution.ln_probability(seen) + slack.ln_1p();
        let (lowest, highest) = distribution.range();
        let mode = distribution.mode();
        let rare = |value: u64| distribution.ln_probability(value) <= limit;
        // The probabilities rise to the mode and fall after it: each side has one turning point.
        let low_end = last(lowest, mode, rare);
        let high_end = last(0, highest - mode, |back| rare(highest - back));
        match (low_end, high_end) {
            (Some(low), Some(back)) if low >= highest - back => 1.0,
            (low, back) => {
                let below = low.map_or(0.0, |value| {
                    let tails = distribution.tails(value);
                    tails.below + tails.at
                });
                let above = back.map_or(0.0, |back| {
                    let tails = distribution.tails(highest - back);
                    tails.above + tails.at
                });
                at_most_one(below + above)
            }
        }
    }

    /// The share of the tables that `counts` takes, by their weights.
    fn exact_sum(&self, counts: impl Fn(u64, u128) -> bool) -> Option<Ratio> {
        // More terms than this cannot fit 128 bits, but for tables with an empty margin.
        const MOST_TERMS: u64 = 1_000_000;
        let distribution = self.hypergeometric();
        let (lowest, highest) = distribution.range();
        if highest - lowest > MOST_TERMS {
            return None;
        }
        let (mut sum, mut all) = (0_u128, 0_u128);
        for value in lowest..=highest {
            let weight = self.exact_weight(value)?;
            all = all.checked_add(weight)?;
            if counts(value, weight) {
                sum = sum.checked_add(weight)?;
            }
        }
        Ratio::reduced(sum, all)
    }

    /// How many ways lead to `value` failures in the first row, along the smallest margin.
    fn exact_weight(&self, value: u64) -> Option<u128> {
        let Hypergeometric {
            drawn,
            left,
            marked,
        } = self.hypergeometric();
        let unmarked = drawn + left - marked;
        let passed = drawn.checked_sub(value)?;
        let other = marked.checked_sub(value)?;
        let smallest = drawn.min(left).min(marked).min(unmarked);
        let (first, second) = if marked == smallest {
            (choose(drawn, value), choose(left, other))
        } else if unmarked == smallest {
            (
                choose(drawn, passed),
                choose(left, unmarked.checked_sub(passed)?),
            )
        } else if drawn == smallest {
            (choose(marked, value), choose(unmarked, passed))
        } else {
            (
                choose(marked, other),
                choose(unmarked, left.checked_sub(other)?),
            )
        };
        first?.checked_mul(second?)
    }
}

/// The number of marked among `drawn` of `drawn + left` items, `marked` of which are marked.
#[derive(Debug, Clone, Copy)]
struct Hypergeometric {
    drawn: u64,
    left: u64,
    marked: u64,
}

/// P(< value), P(= value), P(> value).
struct Tails {
    below: f64,
    at: f64,
    above: f64,
}

impl Hypergeometric {
    /// The smallest and the largest possible value.
    fn range(&self) -> (u64, u64) {
        (
            self.marked.saturating_sub(self.left),
            self.drawn.min(self.marked),
        )
    }

    /// The most probable value.
    fn mode(&self) -> u64 {
        let (lowest, highest) = self.range();
        let total = u128::from(self.drawn) + u128::from(self.left) + 2;
        let mode = (u128::from(self.drawn) + 1) * (u128::from(self.marked) + 1) / total;
        u64::try_from(mode)
            .unwrap_or(highest)
            .clamp(lowest, highest)
    }

    fn ln_probability(&self, value: u64) -> f64 {
        let (lowest, highest) = self.range();
        if lowest == highest {
            return 0.0;
        }
        let total = float(self.drawn) + float(self.left);
        let unmarked = total - float(self.marked);
        let (p, q) = (float(self.drawn) / total, float(self.left) / total);
        let x = float(value);
        ln_binomial(x, float(self.marked), p, q)
            + ln_binomial(float(self.drawn) - x, unmarked, p, q)
            - ln_binomial(float(self.drawn), total, p, q)
    }

    /// Each tail is summed from the seen value outwards where its terms fall, and is the rest of 1
    /// where they would rise: no difference of near equals either way.
    fn tails(&self, value: u64) -> Tails {
        let (lowest, highest) = self.range();
        let at = self.ln_probability(value).exp();
        if value <= self.mode() {
            let below = at * outwards(value, lowest, |x| self.step_down(x));
            let above = (1.0 - below - at).max(0.0);
            Tails { below, at, above }
        } else {
            let above = at * outwards(value, highest, |x| 1.0 / self.step_down(x + 1));
            let below = (1.0 - above - at).max(0.0);
            Tails { below, at, above }
        }
    }

    /// P(value - 1) / P(value).
    fn step_down(&self, value: u64) -> f64 {
        let x = float(value);
        let rest = float(self.left) - (float(self.marked) - x);
        x / (float(self.drawn) - x + 1.0) * ((rest) / (float(self.marked) - x + 1.0))
    }
}

/// The sum of all terms after `value` up to `end`, relative to its own.
fn outwards(value: u64, end: u64, step: impl Fn(u64) -> f64) -> f64 {
    let (mut at, mut term, mut sum) = (value, 1.0, 0.0);
    while at != end {
        term *= step(at);
        sum += term;
        if term <= sum * (f64::EPSILON / 1024.0) {
            break;
        }
        at = if at > end { at - 1 } else { at + 1 };
    }
    sum
}

/// The last value from `from` to `to` that holds, where holding ends at most once.
fn last(from: u64, to: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    if !holds(from) {
        return None;
    }
    if holds(to) {
        return Some(to);
    }
    let (mut good, mut bad) = (from, to);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if holds(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}

/// The binomial coefficient, if it fits.
fn choose(n: u64, k: u64) -> Option<u128> {
    let k = k.min(n.checked_sub(k)?);
    let mut result = 1_u128;
    for i in 1..=k {
        // The product of i consecutive numbers is divisible by i!, so each quotient is whole.
        result = result.checked_mul(u128::from(n - k + i))? / u128::from(i);
    }
    Some(result)
}

/// Sums of rounded terms may exceed 1 by a few units of the last place.
const fn at_most_one(probability: f64) -> f64 {
    probability.clamp(0.0, 1.0)
}
