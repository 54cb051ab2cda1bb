//! The command line as a whole: which subcommand runs.
use verdict_terminal::{Exit, Streams};

use crate::{contract, decide, note, ticket, witness};

const AFTER_HELP: &str = "\
Exit codes:
  0   accept, nothing wrong
  1   reject
  2   wrong command line, or a file is missing or unreadable
  3   a person must decide (propose_freeze, an accept of unbound rows)
  4   the surroundings failed
  70  a bug

Example:
  differential-gate decide --contract contract.yaml --parent parent.jsonl --patch patch.jsonl";

/// Decide from recorded rows of two trees whether a failure is new
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "differential-gate", version, after_help = AFTER_HELP)]
#[non_exhaustive]
pub struct Args {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Clone, clap::Subcommand)]
#[non_exhaustive]
pub enum Command {
    /// Decide over the rows of both sides
    Decide(decide::Args),
    /// Write, hash or check a contract
    Contract(contract::Args),
    /// Print the witness class of a failure text that is read from standard input
    Witness(witness::Args),
    /// Print the evidence packet of a decision: four lines
    Note(note::Args),
    /// Draft, approve, verify and sweep review tickets
    Ticket(ticket::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// The subcommand's.
pub fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    match &args.command {
        Command::Decide(args) => decide::run(args, streams),
        Command::Contract(args) => contract::run(args, streams),
        Command::Witness(args) => witness::run(args, &mut std::io::stdin().lock(), streams),
        Command::Note(args) => note::run(args, streams),
        Command::Ticket(args) => ticket::run(args, streams),
    }
}
