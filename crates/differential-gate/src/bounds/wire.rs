//! The `bounds` object of the decision document.
use serde::{Deserialize, Serialize};

use super::{Bounds, PValue};

/// `bounds` of a result. What makes no sense for the result's reason is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BoundsWire {
    /// The confidence of the bounds (one-sided).
    pub confidence: f64,
    /// Fisher's one-sided p value of "the patch fails more than the parent".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_rate_p: Option<f64>,
    /// The same p value as a fraction, left out when it does not fit 128 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_rate_ratio: Option<RatioWire>,
    /// Fisher's one-sided p value of "the patch fails less than the parent".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleared_p: Option<f64>,
    /// The same p value as a fraction, left out when it does not fit 128 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleared_ratio: Option<RatioWire>,
    /// The failure rate that a parent without failures may still have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_rate_upper: Option<f64>,
    /// The failure rate that a patch without failures may still have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch_rate_upper: Option<f64>,
    /// The pass rate that a patch without passes may still have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch_pass_rate_upper: Option<f64>,
}

/// A fraction as text, `NUMERATOR/DENOMINATOR` in lowest terms: its integers may exceed 2^53.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
#[non_exhaustive]
pub struct RatioWire(pub String);

impl From<&Bounds> for BoundsWire {
    fn from(bounds: &Bounds) -> Self {
        Self {
            confidence: bounds.confidence,
            same_rate_p: bounds.same_rate_p(),
            same_rate_ratio: ratio(bounds.same_rate),
            cleared_p: bounds.cleared_p(),
            cleared_ratio: ratio(bounds.cleared),
            parent_rate_upper: bounds.parent_rate_upper,
            patch_rate_upper: bounds.patch_rate_upper,
            patch_pass_rate_upper: bounds.patch_pass_rate_upper,
        }
    }
}

fn ratio(p: Option<PValue>) -> Option<RatioWire> {
    p.and_then(|p| p.exact)
        .map(|exact| RatioWire(exact.to_string()))
}
