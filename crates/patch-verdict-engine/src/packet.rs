//! decision.json, note.txt and, for a proposal, ticket.toml.
use differential_gate::GateDecision;
use patch_verdict_core::wire::VerdictDocument;

use crate::evidence::ReviewFiles;
use crate::{CheckError, CheckOptions};

pub(crate) fn write(
    files: &ReviewFiles,
    decision: &GateDecision,
    _document: &VerdictDocument,
    options: &CheckOptions,
) -> Result<(), CheckError> {
    let tool = differential_gate::wire::Tool {
        name: options.tool.name.clone(),
        version: options.tool.version.clone(),
        commit: options.tool.commit.clone(),
    };
    let document = decision.document(&tool);
    let text = serde_json::to_string_pretty(&document)
        .map_err(|error| CheckError::surroundings("the decision cannot be written", error))?;
    files.write("decision.json", format!("{text}\n").as_bytes())
}
