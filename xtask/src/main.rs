//! Build, test and demo steps of the workspace: `cargo xtask demo`, `cargo xtask test`.
use std::process::ExitCode;

mod demo;
mod node;
mod process;
mod python;
mod real;
mod schemas;
mod test;
mod tidy;

const USAGE: &str = "usage: cargo xtask COMMAND

  demo                 build, make a sample repository and judge six patches in it
  test [--all] [--install] [--only STEP]
                       every check; --all adds the slow ones; --install lets it install Debian's packages
  tidy                 the rules of the repository
  schemas [--check]    write (or compare) docs/schemas/
  real --clones FOLDER [--cases FILE] [--only TEXT] [--out FILE]
                       judge real cases and write the table of docs/real-cases.md
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", [].as_slice()),
    };
    let outcome = match command {
        "demo" => demo::run(rest),
        "test" => test::run(rest),
        "tidy" => tidy::run(),
        "schemas" => schemas::run(rest),
        "real" => real::run(rest),
        _ => {
            process::say(USAGE);
            return ExitCode::from(u8::from(command != "help") * 2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            process::say(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
