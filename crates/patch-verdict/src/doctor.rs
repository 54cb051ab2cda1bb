//! `patch-verdict doctor`.
use std::path::PathBuf;

use verdict_terminal::{Exit, Streams};

use crate::check::environment;

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A folder in the repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
}

/// Lists what a check needs and whether it is here.
pub(crate) fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let findings = patch_verdict_engine::diagnose(&args.repo, &environment());
    let mut missing = false;
    for finding in &findings {
        let word = match finding.state {
            patch_verdict_engine::State::Good => "ok     ",
            patch_verdict_engine::State::Weaker => "weaker ",
            _ => "MISSING",
        };
        missing |= finding.state == patch_verdict_engine::State::Missing;
        writeln!(
            streams.out,
            "{word}  {:<11} {}",
            finding.what, finding.detail
        )?;
        if let Some(hint) = &finding.hint {
            writeln!(streams.out, "         {:<11} {hint}", "")?;
        }
    }
    Ok(if missing { Exit::Bad } else { Exit::Good })
}
