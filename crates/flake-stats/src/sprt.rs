//! Wald's sequential probability ratio test, with its exact operating characteristics.
//!
//! A. Wald, "Sequential Analysis" (1947). Wald's own formulas neglect how far a step overshoots a
//! boundary, so the real error rates and run counts differ: they are computed step by step here.
use crate::StatisticsError;
use crate::domain::{self, EXACT, count, float};

/// A sum of logarithms within this relative distance of a boundary has reached it.
const TIE: f64 = 1e-12;

/// A test of "the failure rate is `p0`" (H0) against "it is `p1`" (H1), `p0 < p1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    p0: f64,
    p1: f64,
    alpha: f64,
    beta: f64,
}

/// What a sequential test says after some runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a sequential test has three answers"
)]
pub enum SprtDecision {
    /// The good rate is accepted.
    AcceptH0,
    /// The bad rate is accepted.
    AcceptH1,
    /// More runs are needed.
    Continue,
}

/// Where a sequence of outcomes led.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SprtStop {
    /// The answer.
    pub decision: SprtDecision,
    /// Runs used.
    pub runs: u64,
    /// The log-likelihood ratio then.
    pub log_ratio: f64,
}

/// How a sequential test behaves at one true failure rate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Characteristics {
    /// P(H0 is accepted).
    pub accept_h0: f64,
    /// P(H1 is accepted).
    pub accept_h1: f64,
    /// Expected number of runs.
    pub expected_runs: f64,
}

impl Sprt {
    /// A test with error probabilities `alpha` (H1 accepted under p0) and `beta` (H0 under p1).
    ///
    /// # Errors
    /// [`StatisticsError::RateOrder`], [`StatisticsError::ErrorProbability`].
    pub fn new(p0: f64, p1: f64, alpha: f64, beta: f64) -> Result<Self, StatisticsError> {
        if !(p0 > 0.0 && p0 < p1 && p1 < 1.0) {
            return Err(StatisticsError::RateOrder { p0, p1 });
        }
        for probability in [alpha, beta] {
            if !(probability > 0.0 && probability < 1.0 && alpha + beta < 1.0) {
                return Err(StatisticsError::ErrorProbability(probability));
            }
        }
        Ok(Self {
            p0,
            p1,
            alpha,
            beta,
        })
    }

    /// `A = (1 - beta) / alpha`: H1 is accepted when the likelihood ratio reaches it.
    pub fn upper_ratio(&self) -> f64 {
        (1.0 - self.beta) / self.alpha
    }

    /// `B = beta / (1 - alpha)`: H0 is accepted when the likelihood ratio falls to it.
    pub fn lower_ratio(&self) -> f64 {
        self.beta / (1.0 - self.alpha)
    }

    /// `ln A`.
    pub fn log_upper(&self) -> f64 {
        self.upper_ratio().ln()
    }

    /// `ln B`.
    pub fn log_lower(&self) -> f64 {
        self.lower_ratio().ln()
    }

    /// What a failure adds to the log-likelihood ratio, `ln(p1 / p0)`: positive.
    pub fn failure_step(&self) -> f64 {
        (self.p1 / self.p0).ln()
    }

    /// What a pass adds to it, `ln((1 - p1) / (1 - p0))`: negative.
    pub fn pass_step(&self) -> f64 {
        (-self.p1).ln_1p() - (-self.p0).ln_1p()
    }

    /// The failures a run by which both boundaries rise: the rate that the test finds hardest.
    pub fn slope(&self) -> f64 {
        -self.pass_step() / (self.failure_step() - self.pass_step())
    }

    /// Failures at run 0 on the line of acceptance of H0 (negative).
    pub fn intercept_h0(&self) -> f64 {
        self.log_lower() / (self.failure_step() - self.pass_step())
    }

    /// Failures at run 0 on the line of acceptance of H1.
    pub fn intercept_h1(&self) -> f64 {
        self.log_upper() / (self.failure_step() - self.pass_step())
    }

    /// Wald's approximation of the expected runs under p0: print the exact number instead.
    pub fn wald_runs_p0(&self) -> f64 {
        let gain = (1.0 - self.alpha) * self.log_lower() + self.alpha * self.log_upper();
        gain / self.drift(self.p0)
    }

    /// Wald's approximation of the expected runs under p1.
    pub fn wald_runs_p1(&self) -> f64 {
        let gain = self.beta * self.log_lower() + (1.0 - self.beta) * self.log_upper();
        gain / self.drift(self.p1)
    }

    /// Wald's approximation of the expected runs at the rate [`slope`](Self::slope).
    pub fn wald_runs_slope(&self) -> f64 {
        (self.log_lower() * self.log_upper()) / (self.failure_step() * self.pass_step())
    }

    /// Runs until H0 is accepted when every run passes.
    ///
    /// # Errors
    /// [`StatisticsError::OutOfReach`] above 2^53.
    pub fn runs_if_all_pass(&self) -> Result<u64, StatisticsError> {
        steps(self.log_lower() / self.pass_step())
    }

    /// Runs until H1 is accepted when every run fails.
    ///
    /// # Errors
    /// [`StatisticsError::OutOfReach`] above 2^53.
    pub fn runs_if_all_fail(&self) -> Result<u64, StatisticsError> {
        steps(self.log_upper() / self.failure_step())
    }

    /// The log-likelihood ratio after so many failures and passes, in any order.
    pub fn log_ratio(&self, failures: u64, passes: u64) -> f64 {
        float(failures) * self.failure_step() + float(passes) * self.pass_step()
    }

    /// The answer after so many failures and passes, if no answer was reached before.
    pub fn decide(&self, failures: u64, passes: u64) -> SprtDecision {
        let ratio = self.log_ratio(failures, passes);
        let (lower, upper) = (self.log_lower(), self.log_upper());
        if ratio >= upper - TIE * upper.abs() {
            SprtDecision::AcceptH1
        } else if ratio <= lower + TIE * lower.abs() {
            SprtDecision::AcceptH0
        } else {
            SprtDecision::Continue
        }
    }

    /// Follows outcomes (`true` is a failure) until the test stops or they end.
    pub fn follow(&self, outcomes: impl IntoIterator<Item = bool>) -> SprtStop {
        let (mut failures, mut passes) = (0, 0);
        let mut decision = SprtDecision::Continue;
        for failed in outcomes {
            if failed {
                failures += 1;
            } else {
                passes += 1;
            }
            decision = self.decide(failures, passes);
            if decision != SprtDecision::Continue {
                break;
            }
        }
        SprtStop {
            decision,
            runs: failures + passes,
            log_ratio: self.log_ratio(failures, passes),
        }
    }

    /// The exact error probabilities and expected runs when the true failure rate is `rate`.
    ///
    /// Every reachable count is followed until less than 1e-15 of the probability is undecided.
    ///
    /// # Errors
    /// [`StatisticsError::Rate`]; [`StatisticsError::OutOfReach`] when p0 and p1 lie so close that
    /// this would take more than 10^8 steps.
    pub fn characteristics(&self, rate: f64) -> Result<Characteristics, StatisticsError> {
        const MOST_STEPS: usize = 100_000_000;
        const NEGLIGIBLE: f64 = 1e-15;
        let rate = domain::rate(rate)?;
        let mut result = Characteristics {
            accept_h0: 0.0,
            accept_h1: 0.0,
            expected_runs: 0.0,
        };
        // Undecided probability by number of failures, from `fewest` upwards, after `runs` runs.
        let (mut alive, mut fewest, mut runs) = (vec![1.0], 0_u64, 0_u64);
        let mut steps = 0_usize;
        loop {
            let undecided: f64 = alive.iter().sum();
            if undecided * (float(runs) + 1.0) <= NEGLIGIBLE {
                return Ok(result);
            }
            steps = steps.saturating_add(alive.len());
            if steps > MOST_STEPS {
                return Err(StatisticsError::OutOfReach);
            }
            result.expected_runs += undecided;
            runs += 1;
            let reached = one_run(&alive, rate);
            let mut next = Vec::with_capacity(reached.len());
            for (failures, mass) in (fewest..).zip(reached) {
                match self.decide(failures, runs - failures.min(runs)) {
                    SprtDecision::AcceptH0 => result.accept_h0 += mass,
                    SprtDecision::AcceptH1 => result.accept_h1 += mass,
                    SprtDecision::Continue => {
                        if next.is_empty() {
                            fewest = failures;
                        }
                        next.push(mass);
                    }
                }
            }
            alive = next;
        }
    }

    /// Mean step of the log-likelihood ratio at a failure rate.
    fn drift(&self, rate: f64) -> f64 {
        rate * self.failure_step() + (1.0 - rate) * self.pass_step()
    }
}

/// Probabilities by number of failures after one more run.
fn one_run(alive: &[f64], rate: f64) -> Vec<f64> {
    let passed = alive.iter().map(|mass| mass * (1.0 - rate)).chain([0.0]);
    let failed = [0.0]
        .into_iter()
        .chain(alive.iter().map(|mass| mass * rate));
    passed.zip(failed).map(|(pass, fail)| pass + fail).collect()
}

/// The whole number of equal steps that cover a distance.
fn steps(exact: f64) -> Result<u64, StatisticsError> {
    let whole = (exact * (1.0 - TIE)).ceil().max(1.0);
    if whole < EXACT {
        Ok(count(whole))
    } else {
        Err(StatisticsError::OutOfReach)
    }
}
