//! One line a property for people: counts first, then one bound and one p value.
use super::{Bounds, Counts, bounds};

/// The line of a property with this reason code and these counts.
///
/// ```
/// use differential_gate::{Counts, sentence};
///
/// let (parent, patch) = (Counts { pass: 7, fail: 0 }, Counts { pass: 6, fail: 1 });
/// assert_eq!(
///     sentence("regression", parent, patch),
///     "parent 0/7 failed, patch 1/7 failed; same-rate chance 0.50 (Fisher, one-sided); \
///      parent's rate could be up to 34.8 % (95 %)"
/// );
/// ```
pub fn sentence(reason: &str, parent: Counts, patch: Counts) -> String {
    let mut parts = vec![format!(
        "parent {}/{} failed, patch {}/{} failed",
        parent.fail,
        parent.total(),
        patch.fail,
        patch.total()
    )];
    parts.extend(claims(reason, &bounds(reason, parent, patch)));
    parts.join("; ")
}

fn claims(reason: &str, bounds: &Bounds) -> Vec<String> {
    let worse = || {
        bounds
            .same_rate_p()
            .map(|p| format!("patch worse? p {} (Fisher, one-sided)", equals(p)))
    };
    let claims = match reason {
        "both_pass" => vec![bounds.patch_rate_upper.map(|rate| {
            let rate = bound(rate);
            format!("a regression that fails less than {rate} of runs cannot be excluded (95 %)")
        })],
        "regression" => vec![
            bounds
                .same_rate_p()
                .map(|p| format!("same-rate chance {} (Fisher, one-sided)", probability(p))),
            bounds
                .parent_rate_upper
                .map(|rate| format!("parent's rate could be up to {} (95 %)", bound(rate))),
        ],
        "parent_fail_cleared" => vec![
            bounds.cleared_p().map(|p| {
                let p = probability(p);
                format!("an unchanged test looks this cleared with chance {p} (Fisher, one-sided)")
            }),
            bounds
                .patch_rate_upper
                .map(|rate| format!("patch's rate could be up to {} (95 %)", bound(rate))),
        ],
        "shared_variant_fail" => vec![worse()],
        "uniform_fail" => vec![
            Some("a stable failure, not a flake".to_owned()),
            bounds.patch_pass_rate_upper.map(|rate| {
                let rate = bound(rate);
                format!("a pass rate up to {rate} cannot be excluded (95 %)")
            }),
        ],
        "witness_mismatch" => vec![
            Some("the two sides do not fail in the same ways".to_owned()),
            worse(),
        ],
        "witness_missing" => vec![
            Some("a failure without a witness cannot be compared".to_owned()),
            worse(),
        ],
        "missing_seed" => vec![Some(
            "results are missing, so these counts support no claim".to_owned(),
        )],
        _ => Vec::new(),
    };
    claims.into_iter().flatten().collect()
}

/// An upper bound in per cent with one decimal; one that would print as 0.0 is rounded up, and one
/// below 1 never prints as 100.0.
fn bound(rate: f64) -> String {
    if (0.9995..1.0).contains(&rate) {
        return "> 99.9 %".to_owned();
    }
    let percent = rate * 100.0;
    let shown = if percent < 0.05 { 0.1 } else { percent };
    format!("{shown:.1} %")
}

/// A probability: two decimals from 0.1, four below, and never rounded to 0 or to 1.
fn probability(p: f64) -> String {
    if p < 0.0001 {
        "< 0.0001".to_owned()
    } else if p < 0.0995 {
        format!("{p:.4}")
    } else if p < 0.995 {
        format!("{p:.2}")
    } else if p < 1.0 {
        "> 0.99".to_owned()
    } else {
        "1".to_owned()
    }
}

/// [`probability`] behind a sign of its own.
fn equals(p: f64) -> String {
    let text = probability(p);
    if text.starts_with(['<', '>']) {
        text
    } else {
        format!("= {text}")
    }
}

#[cfg(test)]
mod tests;
