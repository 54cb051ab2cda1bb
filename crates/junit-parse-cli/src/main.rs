//! The `junit-parse` program.
use std::process::ExitCode;

use clap::Parser as _;

/// JUnit XML reports to tables, JSON or JSON Lines.
#[derive(Debug, clap::Parser)]
#[command(name = "junit-parse", version)]
struct Cli {
    #[command(flatten)]
    args: junit_parse_cli::Args,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    verdict_terminal::run_program("junit-parse", |streams| {
        junit_parse_cli::run(&cli.args, streams)
    })
}
