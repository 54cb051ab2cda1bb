//! decision.json, note.txt and, for a proposal, ticket.toml.
use differential_gate::{
    Contract, ContractIdentity, DecisionFacts, GateDecision, TicketDate, draft, note,
};
use patch_verdict_core::Verdict;
use patch_verdict_core::wire::VerdictDocument;

use crate::evidence::ReviewFiles;
use crate::{CheckError, CheckOptions};

pub(crate) fn write(
    files: &ReviewFiles,
    contract: Option<&Contract>,
    decision: &GateDecision,
    document: &VerdictDocument,
    options: &CheckOptions,
) -> Result<(), CheckError> {
    let tool = differential_gate::wire::Tool {
        name: options.tool.name.clone(),
        version: options.tool.version.clone(),
        commit: options.tool.commit.clone(),
    };
    let decided = decision.document(&tool);
    let text = serde_json::to_string_pretty(&decided)
        .map_err(|error| CheckError::surroundings("the decision cannot be written", error))?;
    files.write("decision.json", format!("{text}\n").as_bytes())?;
    let Ok(facts) = DecisionFacts::parse(text.as_bytes()) else {
        return Ok(());
    };
    // A decision without results has no packet: its absence says that there is no evidence.
    if let Ok(packet) = note(&facts) {
        files.write("note.txt", packet.as_bytes())?;
    }
    if document.verdict == Verdict::ProposeFreeze
        && let (Some(contract), Some(today)) = (contract, today())
        && let Ok(ticket) = draft(&facts, &ContractIdentity::from(contract), today)
    {
        files.write("ticket.toml", ticket.as_bytes())?;
    }
    Ok(())
}

/// The day of the draft, UTC.
fn today() -> Option<TicketDate> {
    jiff::Timestamp::now()
        .strftime("%Y-%m-%d")
        .to_string()
        .parse()
        .ok()
}
