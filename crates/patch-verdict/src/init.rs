//! `patch-verdict init`.
use std::path::PathBuf;

use verdict_terminal::{Exit, Failure, OrExit as _, Streams, write_atomically};

use crate::check::{environment, failure};

/// Arguments of `init`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
}

/// Writes a configuration with what was found, every other key as a comment.
pub(crate) fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let found = patch_verdict_engine::look(&args.repo, &environment())
        .map_err(|error| failure(error, None))?;
    let path = found.root.join("patch-verdict.toml");
    if path.exists() && !args.force {
        return Err(Failure::new(
            Exit::Usage,
            format!("`{}` is there already", path.display()),
        )
        .hint("edit it, or replace it with `--force`")
        .into());
    }
    let text = text(&found);
    write_atomically(&path, text.as_bytes()).or_exit(
        Exit::Surroundings,
        format!("cannot write `{}`", path.display()),
    )?;
    writeln!(streams.out, "wrote {}", path.display())?;
    writeln!(streams.out, "  {} ({})", found.framework, found.because)?;
    writeln!(
        streams.out,
        "commit it: a check reads it from the parent's side, never from the patch"
    )?;
    writeln!(
        streams.out,
        "a small suite that never flaked needs none of this: a plain red run is then the better answer"
    )?;
    Ok(Exit::Good)
}

fn text(found: &patch_verdict_engine::Look) -> String {
    let command: Vec<String> = found
        .command
        .iter()
        .map(|word| format!("{word:?}"))
        .collect();
    format!(
        "# How patch-verdict judges patches in this repository. Read from the parent's side of a patch.\n\
         seeds = 3\n\
         # accept_narrow_scope = false   # may a check of some tests alone end with exit 0?\n\
         # unstable_witness = []         # ids whose failures cannot be compared, e.g. \"visual/**\"\n\
         \n\
         [[suite]]\n\
         name = \"default\"\n\
         directory = \".\"\n\
         framework = {:?}\n\
         command = [{}]\n\
         # setup = [\"python3 -m venv .venv\", \".venv/bin/pip install -e .[test]\"]   # once a side, network on\n\
         # timeout = \"10m\"\n\
         # network = \"off\"\n\
         \n\
         # [env]\n\
         # pass = []                     # names of variables that tests may see\n\
         # set = {{}}                      # the same values for both sides\n",
        found.framework,
        command.join(", ")
    )
}
