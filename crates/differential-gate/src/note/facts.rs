//! What the note and the ticket need of a decision document.
use serde::Deserialize;

use super::NoteError;

/// A decision document, as far as notes and tickets read it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct DecisionFacts {
    /// `accept`, `reject` or `propose_freeze`.
    pub decision: Option<String>,
    /// The top-level reason code.
    pub reason: Option<String>,
    /// Hash of the contract, absent when that was invalid.
    pub contract_hash: Option<String>,
    /// Whether every row quoted the contract.
    pub bound: bool,
    /// Number of issues, each of which voids the evidence.
    pub issues: usize,
    /// Every judged property, in the document's order.
    pub results: Vec<PropertyFacts>,
    /// Lines of the parent's file.
    pub parent: Option<RowFacts>,
    /// Lines of the patch's file.
    pub patch: Option<RowFacts>,
}

/// One judged property.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct PropertyFacts {
    /// Its id.
    pub prop: String,
    /// `accept`, `reject` or `propose_freeze`.
    pub decision: String,
    /// Its reason code.
    pub reason: String,
}

/// How many lines of a file were read, and as what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct RowFacts {
    /// Lines that are not blank.
    pub lines: u64,
    /// Rows of this contract.
    pub counted: u64,
    /// Rows that quote another contract.
    pub ignored: u64,
    /// Counted rows that passed.
    pub pass: u64,
    /// Counted rows that failed.
    pub fail: u64,
}

#[derive(Deserialize)]
struct Document {
    schema_version: u64,
    decision: Option<String>,
    reason: Option<String>,
    contract_hash: Option<String>,
    bound: Option<bool>,
    #[serde(default)]
    rows: Rows,
    #[serde(default)]
    issues: Vec<serde::de::IgnoredAny>,
    #[serde(default)]
    issues_omitted: serde_json::Value,
    #[serde(default)]
    results: Vec<PropertyFacts>,
}

#[derive(Deserialize, Default)]
struct Rows {
    parent: Option<RowFacts>,
    patch: Option<RowFacts>,
}

impl DecisionFacts {
    /// Reads a decision document of schema version 1.
    ///
    /// A document that does not say whether it is bound is not.
    ///
    /// # Errors
    /// [`NoteError::NotADecision`] with the place of the fault.
    pub fn parse(json: &[u8]) -> Result<Self, NoteError> {
        let document: Document = serde_json::from_slice(json)
            .map_err(|error| NoteError::NotADecision(error.to_string()))?;
        if document.schema_version != 1 {
            let version = document.schema_version;
            return Err(NoteError::NotADecision(format!(
                "schema version {version} is not 1"
            )));
        }
        let omitted = usize::from(
            !matches!(document.issues_omitted, serde_json::Value::Null)
                && document.issues_omitted != 0,
        );
        Ok(Self {
            decision: document.decision,
            reason: document.reason,
            contract_hash: document.contract_hash,
            bound: document.bound.unwrap_or(false),
            issues: document.issues.len().saturating_add(omitted),
            results: document.results,
            parent: document.rows.parent,
            patch: document.rows.patch,
        })
    }
}
