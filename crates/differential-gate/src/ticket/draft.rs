//! From a `propose_freeze` decision to a ticket that a person can fill in.
use toml_edit::{Array, DocumentMut, value};

use super::document::is_sha;
use super::{ContractIdentity, TicketDate};
use crate::note::{DecisionFacts, is_contract_hash};

/// Why a decision makes no ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DraftRefusal {
    /// Only `propose_freeze` is a ticket's matter.
    #[error("the decision is not propose_freeze")]
    NotPropose,
    /// Rows that quote no contract bind nothing.
    #[error("the evidence is not bound to a contract")]
    Unbound,
    /// The decision is another contract's.
    #[error("the decision was made under another contract")]
    ContractMismatch,
    /// Something voids the evidence, or a property is rejected, or none is proposed.
    #[error("the decision's results do not amount to propose_freeze")]
    Inconsistent,
    /// The contract names no two full, different commits.
    #[error("the contract does not name two different commits by their full ids")]
    NoCommits,
}

impl DraftRefusal {
    /// The refusal's code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotPropose => "not_propose_freeze",
            Self::Unbound => "unbound",
            Self::ContractMismatch => "contract_mismatch",
            Self::Inconsistent => "inconsistent_decision",
            Self::NoCommits => "no_commits",
        }
    }
}

const HEADER: &str = "\
# A review ticket, not a permission: a person sets `expires`, `reason_code` and `reason`, and
# approves it. It is good for this patch and this contract alone, until `expires`.
# Reason codes: order, time, concurrency, randomness, resource, platform, other (with a text).
";

/// The text of a ticket for the properties that `decision` proposes, not yet approved.
///
/// # Errors
/// [`DraftRefusal`] unless the decision is a bound, consistent `propose_freeze` of this contract.
pub fn draft(
    decision: &DecisionFacts,
    contract: &ContractIdentity,
    today: TicketDate,
) -> Result<String, DraftRefusal> {
    if decision.decision.as_deref() != Some("propose_freeze") {
        return Err(DraftRefusal::NotPropose);
    }
    if !decision.bound {
        return Err(DraftRefusal::Unbound);
    }
    if decision.contract_hash.as_deref() != Some(contract.contract_hash.as_str())
        || !is_contract_hash(&contract.contract_hash)
    {
        return Err(DraftRefusal::ContractMismatch);
    }
    if !is_sha(&contract.patch_sha)
        || !is_sha(&contract.parent_sha)
        || contract.patch_sha == contract.parent_sha
    {
        return Err(DraftRefusal::NoCommits);
    }
    let mut proposed = Array::new();
    for result in &decision.results {
        match (result.decision.as_str(), result.reason.as_str()) {
            ("propose_freeze", "shared_variant_fail") if !result.prop.is_empty() => {
                proposed.push(result.prop.as_str());
            }
            ("accept", _) => {}
            _ => return Err(DraftRefusal::Inconsistent),
        }
    }
    if proposed.is_empty() || decision.issues > 0 {
        return Err(DraftRefusal::Inconsistent);
    }
    let mut document = DocumentMut::new();
    for (key, text) in [
        ("patch_sha", contract.patch_sha.as_str()),
        ("parent_sha", contract.parent_sha.as_str()),
        ("contract_hash", contract.contract_hash.as_str()),
    ] {
        document.insert(key, value(text));
    }
    document.insert("properties", value(proposed));
    document.insert("drafted", value(today.to_string()));
    for key in ["expires", "reason_code", "reason", "reviewer"] {
        document.insert(key, value(""));
    }
    document.insert("approved", value(false));
    Ok(format!("{HEADER}{document}"))
}
