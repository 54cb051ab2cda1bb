//! The `differential-gate` program.
use std::process::ExitCode;

use clap::Parser;
use differential_gate_cli::witness;

/// Decides from recorded rows of two trees whether a failure is new.
#[derive(Debug, Parser)]
enum Command {
    /// Print the witness class of a failure text that is read from standard input.
    Witness(witness::Args),
}

fn main() -> ExitCode {
    let Command::Witness(args) = Command::parse();
    verdict_terminal::run_program("differential-gate", |streams| {
        witness::run(&args, &mut std::io::stdin().lock(), streams)
    })
}
