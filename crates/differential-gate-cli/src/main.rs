//! The `differential-gate` program.
use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let args = differential_gate_cli::Args::parse();
    verdict_terminal::run_program("differential-gate", |streams| {
        differential_gate_cli::run(&args, streams)
    })
}
