//! `differential-gate ticket`: draft, approve, verify, sweep.
use std::io::{BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};

use differential_gate::{
    Approval, ContractIdentity, DecisionFacts, ReasonCode, SweptState, TicketDate, approve, draft,
    sweep, verify,
};
use verdict_terminal::{Exit, Failure, OrExit as _, Streams, write_atomically};

use crate::input::ContractFile;

/// Draft, approve, verify and sweep review tickets.
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct Args {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What to do with a ticket.
#[derive(Debug, Clone, clap::Subcommand)]
#[non_exhaustive]
pub enum Command {
    /// Write a ticket for what a `propose_freeze` decision proposes
    Draft(DraftArgs),
    /// Sign a ticket: needs a person
    Approve(ApproveArgs),
    /// Is the ticket good for this patch and contract, today?
    Verify(VerifyArgs),
    /// List the tickets of a folder; expired ones are to be deleted
    Sweep(SweepArgs),
}

/// Arguments of `ticket draft`.
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct DraftArgs {
    /// The decision document
    #[arg(long, value_name = "FILE")]
    pub decision: PathBuf,
    /// The contract, JSON or (by its name) YAML
    #[arg(long, value_name = "FILE")]
    pub contract: PathBuf,
    /// The day to take for today (UTC)
    #[arg(long, value_name = "DATE")]
    pub today: Option<TicketDate>,
}

/// Arguments of `ticket approve`.
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct ApproveArgs {
    /// The ticket
    #[arg(value_name = "TICKET.toml")]
    pub ticket: PathBuf,
    /// Who approves
    #[arg(long, value_name = "NAME")]
    pub reviewer: Option<String>,
    /// The last day on which it is good, at most 90 days ahead
    #[arg(long, value_name = "DATE")]
    pub expires: Option<TicketDate>,
    /// order, time, concurrency, randomness, resource, platform or other
    #[arg(long, value_name = "CODE", value_parser = reason_code)]
    pub reason_code: Option<ReasonCode>,
    /// The reason in words; `other` needs it
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// The day to take for today (UTC)
    #[arg(long, value_name = "DATE")]
    pub today: Option<TicketDate>,
}

/// Arguments of `ticket verify`.
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct VerifyArgs {
    /// The ticket
    #[arg(value_name = "TICKET.toml")]
    pub ticket: PathBuf,
    /// The full id of the patch
    #[arg(long, value_name = "SHA")]
    pub patch: String,
    /// The contract hash
    #[arg(long, value_name = "HASH")]
    pub contract_hash: String,
    /// The day to take for today (UTC)
    #[arg(long, value_name = "DATE")]
    pub today: Option<TicketDate>,
}

/// Arguments of `ticket sweep`.
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct SweepArgs {
    /// The folder; its `*.toml` files are looked at
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Delete what has expired
    #[arg(long)]
    pub delete: bool,
    /// The day to take for today (UTC)
    #[arg(long, value_name = "DATE")]
    pub today: Option<TicketDate>,
}

fn reason_code(text: &str) -> Result<ReasonCode, String> {
    let known = ReasonCode::ALL.into_iter().find(|code| code.name() == text);
    known.ok_or_else(|| {
        let names = ReasonCode::ALL.map(ReasonCode::name);
        format!("`{text}` is none of {}", names.join(", "))
    })
}

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be read or is not what it should be.
pub fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    match &args.command {
        Command::Draft(args) => run_draft(args, streams),
        Command::Approve(args) => run_approve(args, streams),
        Command::Verify(args) => run_verify(args, streams),
        Command::Sweep(args) => run_sweep(args, streams),
    }
}

fn run_draft(args: &DraftArgs, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let facts = DecisionFacts::parse(read(&args.decision)?.as_bytes())
        .or_exit(Exit::Usage, format!("`{}`", args.decision.display()))?;
    let contract = ContractFile::open(&args.contract)?
        .contract()
        .or_exit(Exit::Usage, format!("`{}`", args.contract.display()))?;
    match draft(
        &facts,
        &ContractIdentity::from(&contract),
        today(args.today)?,
    ) {
        Ok(text) => {
            streams.out.write_all(text.as_bytes())?;
            Ok(Exit::Good)
        }
        Err(refusal) => refused(streams, refusal.code(), &refusal),
    }
}

fn run_approve(args: &ApproveArgs, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    if !matches!(set("CI").as_str(), "" | "false" | "0") {
        return Err(Failure::new(
            Exit::Usage,
            "a ticket is approved by a person, not by a CI job",
        )
        .hint("run it on your own machine, with `--reviewer`, `--expires` and `--reason-code`")
        .into());
    }
    let text = read(&args.ticket)?;
    let approval = Approval {
        reviewer: given(args.reviewer.clone(), "reviewer", streams)?,
        expires: match args.expires {
            Some(expires) => expires,
            None => given(None, "expires (YYYY-MM-DD)", streams)?
                .parse()
                .or_exit(Exit::Usage, "the expiry")?,
        },
        reason_code: match args.reason_code {
            Some(code) => code,
            None => reason_code(&given(None, "reason code", streams)?)
                .map_err(|message| Failure::new(Exit::Usage, message))?,
        },
        reason: args.reason.clone(),
    };
    let name = args.ticket.display();
    let outcome = approve(&text, &approval, today(args.today)?)
        .or_exit(Exit::Usage, format!("`{name}` is no ticket"))?;
    match outcome {
        Ok(signed) => {
            write_atomically(&args.ticket, signed.as_bytes())
                .or_exit(Exit::Surroundings, format!("cannot write `{name}`"))?;
            writeln!(streams.out, "{name}: approved until {}", approval.expires)?;
            Ok(Exit::Good)
        }
        Err(refusal) => refused(streams, refusal.code(), &refusal),
    }
}

/// What was given, else the answer of a person at a terminal.
fn given(value: Option<String>, what: &str, streams: &mut Streams<'_>) -> anyhow::Result<String> {
    if let Some(value) = value {
        return Ok(value);
    }
    let stdin = std::io::stdin();
    if !stdin.is_terminal() || !streams.err_is_terminal {
        let message = format!("{what} is not given, and nobody is here to ask");
        return Err(Failure::new(Exit::Usage, message)
            .hint("`--reviewer NAME --expires DATE --reason-code CODE`")
            .into());
    }
    write!(streams.err, "{what}: ")?;
    streams.err.flush()?;
    let mut line = String::new();
    stdin.lock().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

fn run_verify(args: &VerifyArgs, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let text = read(&args.ticket)?;
    let name = args.ticket.display();
    let verified = verify(&text, &args.patch, &args.contract_hash, today(args.today)?)
        .or_exit(Exit::Usage, format!("`{name}` is no ticket"))?;
    if verified.is_good() {
        writeln!(streams.out, "{name}: good")?;
        return Ok(Exit::Good);
    }
    for refusal in &verified.refusals {
        writeln!(streams.out, "{name}: {}: {refusal}", refusal.code())?;
    }
    Ok(Exit::Bad)
}

fn run_sweep(args: &SweepArgs, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let folder = args.folder.display();
    let entries = std::fs::read_dir(&args.folder)
        .or_exit(Exit::Usage, format!("cannot read the folder `{folder}`"))?;
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    paths.sort();
    let texts = paths
        .iter()
        .map(|path| read(path))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let tickets = names
        .iter()
        .map(String::as_str)
        .zip(texts.iter().map(String::as_str));
    let mut expired = false;
    for ticket in sweep(tickets, today(args.today)?) {
        match ticket.state {
            SweptState::Expired(day) => {
                expired |= !args.delete;
                if args.delete {
                    std::fs::remove_file(ticket.name).or_exit(
                        Exit::Surroundings,
                        format!("cannot delete `{}`", ticket.name),
                    )?;
                }
                let done = if args.delete { ", deleted" } else { "" };
                writeln!(streams.out, "{}: expired on {day}{done}", ticket.name)?;
            }
            SweptState::Live(day) => writeln!(streams.out, "{}: good until {day}", ticket.name)?,
            SweptState::Open => writeln!(streams.out, "{}: not approved", ticket.name)?,
            SweptState::Unreadable(error) => {
                writeln!(streams.out, "{}: no ticket: {error}", ticket.name)?;
            }
            _ => {}
        }
    }
    Ok(if expired { Exit::Bad } else { Exit::Good })
}

fn refused(
    streams: &mut Streams<'_>,
    code: &str,
    refusal: &dyn std::fmt::Display,
) -> anyhow::Result<Exit> {
    writeln!(streams.err, "refused: {code}: {refusal}")?;
    Ok(Exit::Bad)
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).or_exit(Exit::Usage, format!("cannot read `{}`", path.display()))
}

fn today(given: Option<TicketDate>) -> anyhow::Result<TicketDate> {
    match given {
        Some(day) => Ok(day),
        None => jiff::Timestamp::now()
            .strftime("%Y-%m-%d")
            .to_string()
            .parse()
            .or_exit(Exit::Bug, "today is no day"),
    }
}
