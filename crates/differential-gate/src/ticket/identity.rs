//! What a ticket is bound to: one contract and the two commits in it.
use crate::Contract;

/// A contract's hash and commits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a contract names one hash and two commits"
)]
pub struct ContractIdentity {
    /// `sha256:` and 64 hex digits.
    pub contract_hash: String,
    /// The control arm.
    pub parent_sha: String,
    /// The experiment.
    pub patch_sha: String,
}

impl From<&Contract> for ContractIdentity {
    fn from(contract: &Contract) -> Self {
        Self {
            contract_hash: contract.hash().to_owned(),
            parent_sha: contract.parent_sha().to_owned(),
            patch_sha: contract.patch_sha().to_owned(),
        }
    }
}
