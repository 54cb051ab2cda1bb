//! Earlier contracts of the same pair of trees: the strictest decision stands (RULES §2).
use patch_verdict_core::wire::Earlier;
use patch_verdict_core::{Finding, Judgement, Verdict};

/// What earlier contracts make of this verdict.
pub(crate) fn findings(earlier: &[Earlier]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for contract in earlier {
        let hash = contract.contract_hash.trim_start_matches("sha256:");
        let short = hash.get(..16).unwrap_or(hash);
        match (contract.replaced, contract.verdict) {
            (_, Verdict::Accept) | (true, Verdict::ProposeFreeze) => {}
            (true, _) => {
                let detail = format!(
                    "an earlier contract ({short}) with fewer seeds said {} {}: a person must look",
                    contract.verdict, contract.reason
                );
                findings.push(Finding::new(
                    Verdict::ProposeFreeze,
                    &contract.reason,
                    detail,
                    Vec::new(),
                ));
            }
            (false, verdict) => {
                let detail = format!(
                    "an earlier contract ({short}) of the same trees said {verdict} {}, and it stands",
                    contract.reason
                );
                findings.push(Finding::new(verdict, &contract.reason, detail, Vec::new()));
            }
        }
    }
    findings
}

/// Whether a judgement is remembered: `not_isolated` has no result behind it.
pub(crate) fn counts(judgement: &Judgement) -> bool {
    !matches!(judgement.reason.as_str(), "not_isolated" | "setup_failed")
}
