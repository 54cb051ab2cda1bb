//! Discrete and continuous percentiles as `PostgreSQL` computes them.
use crate::StatisticsError;
use crate::domain::{count, float};

/// Element number `max(1, ceil(q n))` of the sorted values (1-based): always one of the values.
///
/// The product is the IEEE double product, as `PostgreSQL`'s `percentile_disc` has it: q = 0.07 of
/// 100 values is element 8, for 0.07 * 100 is a little above 7.
///
/// # Errors
/// [`StatisticsError::NoValues`], [`StatisticsError::NotFinite`], [`StatisticsError::Quantile`].
pub fn percentile_disc(values: &[f64], quantile: f64) -> Result<f64, StatisticsError> {
    let sorted = sorted(values, quantile)?;
    let row = (quantile * length(&sorted)).ceil().max(1.0);
    element(&sorted, row - 1.0)
}

/// The value at `q (n - 1)` of the sorted values (0-based), interpolated between its neighbours,
/// as `PostgreSQL`'s `percentile_cont` has it.
///
/// # Errors
/// As [`percentile_disc`].
pub fn percentile_cont(values: &[f64], quantile: f64) -> Result<f64, StatisticsError> {
    let sorted = sorted(values, quantile)?;
    let position = quantile * (length(&sorted) - 1.0);
    let low = element(&sorted, position.floor())?;
    let high = element(&sorted, position.ceil())?;
    let share = position - position.floor();
    // A weighted mean, because high - low may overflow.
    Ok(if share == 0.0 {
        low
    } else {
        low * (1.0 - share) + high * share
    })
}

fn sorted(values: &[f64], quantile: f64) -> Result<Vec<f64>, StatisticsError> {
    if !(0.0..=1.0).contains(&quantile) {
        return Err(StatisticsError::Quantile(quantile));
    }
    if let Some(value) = values.iter().find(|value| !value.is_finite()) {
        return Err(StatisticsError::NotFinite(*value));
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Ok(sorted)
}

fn length(values: &[f64]) -> f64 {
    float(u64::try_from(values.len()).unwrap_or(u64::MAX))
}

fn element(sorted: &[f64], index: f64) -> Result<f64, StatisticsError> {
    let index = usize::try_from(count(index.max(0.0))).unwrap_or(usize::MAX);
    // The last element stands in where rounding carries the product past the end.
    sorted
        .get(index)
        .or_else(|| sorted.last())
        .copied()
        .ok_or(StatisticsError::NoValues)
}
