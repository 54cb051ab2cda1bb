//! The decision document: what `--format json` prints and `decision.json` holds.
use serde::{Deserialize, Serialize};

use crate::BoundsWire;

/// The version of the document's shape.
pub const SCHEMA_VERSION: u32 = 1;

/// The program that decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "three keys fixed by the format")]
pub struct Tool {
    /// The program's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The commit it was built from, or `unknown`.
    pub commit: String,
}

/// A decision with everything it was taken from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::struct_field_names,
    reason = "the document's own key is called decision"
)]
#[non_exhaustive]
pub struct Decision {
    /// The version of this shape.
    pub schema_version: u32,
    /// `accept`, `reject` or `propose_freeze`.
    pub decision: String,
    /// The code of the highest ranked reason.
    pub reason: String,
    /// The contract hash; null for an invalid contract.
    pub contract_hash: Option<String>,
    /// Whether the rows are tied to a contract; if not, nobody may merge on it.
    pub bound: bool,
    /// Lines of both sides; empty for an invalid contract.
    pub rows: Rows,
    /// What stops the gate, in stop order, then side, then line.
    pub issues: Vec<Issue>,
    /// Issues beyond the first 1,000 of a side and code; absent when 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub issues_omitted: u64,
    /// The properties, sorted by id; empty if there is an issue.
    pub results: Vec<PropertyResult>,
    /// The program that decided.
    pub tool: Tool,
}

/// Lines of both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Rows {
    /// The parent's lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<RowCounts>,
    /// The patch's lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<RowCounts>,
}

/// Lines of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RowCounts {
    /// Lines that are not blank.
    pub lines: u64,
    /// Whole rows of this contract.
    pub counted: u64,
    /// Whole rows of other contracts.
    pub ignored: u64,
    /// Counted rows that passed.
    pub pass: u64,
    /// Counted rows that failed.
    pub fail: u64,
}

/// Something that stops the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Issue {
    /// The reason code.
    pub code: String,
    /// `parent` or `patch`; absent for the contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The line, from 1; 0 for the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The property the row names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prop: Option<String>,
    /// A word that narrows the code down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// What was decided of one property.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PropertyResult {
    /// The property's id.
    pub prop: String,
    /// `accept`, `reject` or `propose_freeze`.
    pub decision: String,
    /// The line of the decision table.
    pub reason: String,
    /// `true` where a person should look at the oracle, else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs_spec_review: Option<bool>,
    /// The parent's rows.
    pub parent: SideSummary,
    /// The patch's rows.
    pub patch: SideSummary,
    /// What the counts cannot exclude.
    pub bounds: BoundsWire,
}

/// One property on one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SideSummary {
    /// Seeds that passed.
    pub pass: u64,
    /// Seeds that failed.
    pub fail: u64,
    /// The first 100 distinct witnesses, sorted.
    pub witnesses: Vec<String>,
    /// `true` where the last of them are left out for lack of memory, else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witnesses_cut: Option<bool>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}
