//! `differential-gate witness`: failure text on standard input, class on standard output.
use std::io::Read;

use anyhow::Context as _;
use differential_gate::witness_class_of_text;
use verdict_terminal::{Exit, Failure, Streams};

/// Print the witness class of a failure text that is read from standard input.
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct Args {
    /// Id of the property that failed
    #[arg(long, value_name = "ID")]
    pub prop: String,
    /// Path of a spec file that is byte-equal on both sides; its line numbers may stay (repeatable)
    #[arg(long, value_name = "PATH")]
    pub spec_file: Vec<String>,
}

/// Reads the text, writes its class and a line feed.
///
/// # Errors
/// When there is no text at all, or a stream fails.
pub fn run(args: &Args, stdin: &mut dyn Read, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let mut bytes = Vec::new();
    stdin
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    let text = String::from_utf8_lossy(&bytes);
    let spec_files: Vec<&str> = args.spec_file.iter().map(String::as_str).collect();
    let class = witness_class_of_text(&args.prop, &text, &spec_files);
    if class.is_empty() {
        let failure = Failure::new(Exit::Usage, "standard input holds no failure text")
            .hint("pipe the text of one failure into this command");
        return Err(failure.into());
    }
    writeln!(streams.out, "{class}").context("cannot write the class")?;
    Ok(Exit::Good)
}
