//! `differential-gate note`: the evidence packet of a decision.
use std::path::PathBuf;

use differential_gate::{DecisionFacts, note};
use verdict_terminal::{Exit, Failure, OrExit as _, Streams};

/// Print the four lines without which nobody merges on a flaky label.
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct Args {
    /// The decision document (`decide --format json`)
    #[arg(value_name = "DECISION.json")]
    pub decision: PathBuf,
}

/// Reads the decision, writes the four lines.
///
/// # Errors
/// When the file is missing, is no decision, or lacks one of the four.
pub fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let name = args.decision.display();
    let bytes =
        std::fs::read(&args.decision).or_exit(Exit::Usage, format!("cannot read `{name}`"))?;
    let packet = DecisionFacts::parse(&bytes).and_then(|facts| note(&facts));
    let packet = packet.map_err(|error| {
        Failure::new(Exit::Usage, format!("`{name}`: {error}"))
            .hint("without all four lines there is no evidence to merge on")
    })?;
    streams.out.write_all(packet.as_bytes())?;
    Ok(Exit::Good)
}
