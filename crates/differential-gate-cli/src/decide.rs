//! `differential-gate decide`: rows of both sides in, one decision out.
use std::path::PathBuf;

use anyhow::Context as _;
use differential_gate::{
    Decision, GateDecision, decide as decide_bound, decide_invalid, decide_unbound, wire,
};
use verdict_terminal::{
    ColorChoice, Exit, Failure, Format, ReportTarget, Streams, commit, write_atomically,
};

use crate::{human, input, markdown};

/// Decide over the rows of both sides
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct Args {
    /// The contract, JSON or (by its name) YAML
    #[arg(long, value_name = "FILE")]
    pub contract: PathBuf,
    /// The parent's rows, JSON Lines, gzipped or not
    #[arg(long, value_name = "FILE")]
    pub parent: PathBuf,
    /// The patch's rows, JSON Lines, gzipped or not
    #[arg(long, value_name = "FILE")]
    pub patch: PathBuf,
    /// Read bare rows that quote no contract; an accept then exits 3
    #[arg(long)]
    pub allow_unbound: bool,
    /// Output format: human, json or markdown
    #[arg(long, value_enum, default_value = "human", hide_possible_values = true)]
    pub format: Format,
    /// Write a further copy, FORMAT=PATH (repeatable)
    #[arg(long, value_name = "FORMAT=PATH")]
    pub report: Vec<ReportTarget>,
    /// When to colour the human format
    #[arg(long, value_enum, default_value = "auto")]
    pub color: ColorChoice,
    /// List every property, also the many that pass on both sides
    #[arg(short, long)]
    pub verbose: bool,
    /// Print nothing but the answer's first line in the human format
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
}

/// Reads the files, decides, prints the decision.
///
/// # Errors
/// A file that is missing or cannot be opened, a format that does not apply. What the files hold
/// is never an error: it leads to a decision.
pub fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    // A wrong format is told before anything is read or written.
    for format in args.report.iter().map(|target| target.format) {
        applies(format)?;
    }
    applies(args.format)?;
    let decision = decide(args)?;
    for target in &args.report {
        let text = render(&decision, target.format, args, false)?;
        write_atomically(&target.path, text.as_bytes())
            .with_context(|| format!("cannot write `{}`", target.path.display()))?;
    }
    let colored = streams.colored(args.color);
    let text = render(&decision, args.format, args, colored)?;
    streams.out.write_all(text.as_bytes())?;
    Ok(exit(&decision))
}

/// The exit code of a decision. Advice from unbound rows is never a green light.
fn exit(decision: &GateDecision) -> Exit {
    match (decision.decision(), decision.is_bound()) {
        (Decision::Accept, true) => Exit::Good,
        (Decision::Accept, false) | (Decision::ProposeFreeze, true | false) => Exit::Person,
        (Decision::Reject, true | false) => Exit::Bad,
    }
}

fn decide(args: &Args) -> anyhow::Result<GateDecision> {
    let file = input::ContractFile::open(&args.contract)?;
    let parent = input::rows(&args.parent)?;
    let patch = input::rows(&args.patch)?;
    let decided = if args.allow_unbound {
        file.schedule()
            .map(|schedule| decide_unbound(&schedule, parent, patch))
    } else {
        file.contract()
            .map(|contract| decide_bound(&contract, parent, patch))
    };
    Ok(decided.unwrap_or_else(|error| decide_invalid(&error)))
}

fn applies(format: Format) -> anyhow::Result<()> {
    if matches!(format, Format::Human | Format::Json | Format::Markdown) {
        return Ok(());
    }
    let failure = Failure::new(Exit::Usage, "a decision has no such format")
        .hint("use human, json or markdown");
    Err(failure.into())
}

fn render(
    decision: &GateDecision,
    format: Format,
    args: &Args,
    colored: bool,
) -> anyhow::Result<String> {
    if format == Format::Json {
        let mut text = serde_json::to_string_pretty(&decision.document(&tool()))
            .context("cannot write the decision as JSON")?;
        text.push('\n');
        return Ok(text);
    }
    if format == Format::Markdown {
        return Ok(markdown::text(decision));
    }
    let detail = match (args.quiet, args.verbose) {
        (true, _) => human::Detail::Headline,
        (false, true) => human::Detail::Everything,
        (false, false) => human::Detail::Usual,
    };
    Ok(human::text(decision, detail, colored))
}

fn tool() -> wire::Tool {
    wire::Tool {
        name: "differential-gate".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: commit().to_owned(),
    }
}
