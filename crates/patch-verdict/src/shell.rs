//! Completions and the manual page, made from the command line's definition.
use verdict_terminal::{Exit, Streams};

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

pub(crate) fn completions(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut crate::command(),
        "patch-verdict",
        &mut text,
    );
    streams.out.write_all(&text)?;
    Ok(Exit::Good)
}

pub(crate) fn man(streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    clap_mangen::Man::new(crate::command()).render(&mut text)?;
    streams.out.write_all(&text)?;
    Ok(Exit::Good)
}
