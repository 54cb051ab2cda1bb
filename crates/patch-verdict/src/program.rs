//! Arguments, and which subcommand answers them.
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use verdict_terminal::{Exit, Streams, run_program};

use crate::{check, demo, doctor, init, shell};

const EXIT_CODES: &str = "\
Exit codes:
  0    accept, nothing wrong
  1    reject
  2    the command line or an input is wrong
  3    a person must decide: propose_freeze, spec_review, not_applicable, an accept of some tests alone
  4    the surroundings failed: git, a child process, the disk
  70   a bug in the program
  128+n  ended by signal n

Example:
  patch-verdict check --base main -- pytest -q";

/// Referees a code patch when the test suite cannot be trusted.
#[derive(Debug, Parser)]
#[command(name = "patch-verdict", version, after_help = EXIT_CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a patch: was the failure there before it?
    Check(Box<check::Args>),
    /// Look at the repository and write patch-verdict.toml
    Init(init::Args),
    /// Make a sample repository and judge six patches in it
    Demo(demo::Args),
    /// Say what this machine can isolate, and what is missing
    Doctor(doctor::Args),
    /// Decide over rows on disk, hash contracts, class failures, sign tickets
    #[command(name = "gate")]
    Gate(differential_gate_cli::Args),
    /// Read JUnit XML reports
    #[command(name = "junit")]
    Junit(junit_parse_cli::Args),
    /// Print completions for a shell
    Completions(shell::Args),
    /// Print the manual page
    Man,
}

/// The command line's definition, for completions and manuals.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    run_program("patch-verdict", |streams| run(&cli, streams))
}

fn run(cli: &Cli, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    match &cli.command {
        Command::Check(args) => check::run(args, streams),
        Command::Init(args) => init::run(args, streams),
        Command::Demo(args) => demo::run(args, streams),
        Command::Doctor(args) => doctor::run(args, streams),
        Command::Gate(args) => differential_gate_cli::run(args, streams),
        Command::Junit(args) => junit_parse_cli::run(args, streams),
        Command::Completions(args) => shell::completions(args, streams),
        Command::Man => shell::man(streams),
    }
}
