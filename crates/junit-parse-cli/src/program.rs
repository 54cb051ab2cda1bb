//! Reads the inputs, writes the answer, decides the exit code.
use std::io::Write;

use anyhow::Context as _;
use junit_parse::wire::{Document, File, Status};
use verdict_terminal::{Exit, Streams, write_atomically};

use crate::Args;
use crate::inputs::expand;
use crate::output::Style;
use crate::reading::read;

/// Runs the program.
///
/// # Errors
/// A wrong command line (no such file, a folder without reports), or surroundings that fail. A file
/// that is no report is no error but part of the answer.
pub fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let inputs = expand(&args.paths)?;
    let style = Style {
        format: args.format,
        only_failed: args.failed,
        is_colored: streams.colored(args.color),
    };
    let mut copies: Vec<(Style, Vec<u8>)> = args
        .reports
        .iter()
        .map(|report| {
            let style = Style {
                format: report.format,
                only_failed: args.failed,
                is_colored: false,
            };
            (style, Vec::new())
        })
        .collect();
    let mut files = Vec::new();
    let mut has_failures = false;
    for input in inputs {
        read(&input, args, &mut |reading| {
            if !args.quiet || reading.file.status == Status::Error {
                say_warnings(&reading.file, args.verbose, streams.err)?;
            }
            has_failures |= reading.cases(true).next().is_some();
            style.write_reading(&reading, streams.out)?;
            for (style, bytes) in &mut copies {
                style.write_reading(&reading, bytes)?;
            }
            files.push(reading.file);
            Ok(())
        })?;
    }
    let document = Document::new(files);
    style.write_end(&document, streams.out)?;
    for (report, (style, bytes)) in args.reports.iter().zip(&mut copies) {
        style.write_end(&document, bytes)?;
        write_atomically(&report.path, bytes)
            .with_context(|| format!("cannot write `{}`", report.path.display()))?;
    }
    Ok(exit_of(args, &document.files, has_failures))
}

fn exit_of(args: &Args, files: &[File], has_failures: bool) -> Exit {
    let is_error = |file: &File| file.status == Status::Error;
    let is_bad = |file: &File| is_error(file) || file.truncated;
    // Even the lenient get no 0 when nothing at all could be read: that would be a false green.
    let fails = if args.lenient {
        files.iter().all(is_error)
    } else {
        files.iter().any(is_bad)
    };
    if fails {
        Exit::Usage
    } else if args.exit_code && has_failures {
        Exit::Bad
    } else {
        Exit::Good
    }
}

fn say_warnings(file: &File, all: bool, err: &mut dyn Write) -> anyhow::Result<()> {
    const SHOWN: usize = 5;
    let level = if file.status == Status::Error {
        "error"
    } else {
        "warning"
    };
    let shown = if all { file.warnings.len() } else { SHOWN };
    for warning in file.warnings.iter().take(shown) {
        let (path, line, message) = (&file.path, warning.line, &warning.message);
        writeln!(err, "{level}: {path}:{line}: {message} [{}]", warning.kind)?;
    }
    let rest = file.warnings.len().saturating_sub(shown);
    if rest > 0 {
        writeln!(
            err,
            "warning: {}: {rest} more warnings (`--verbose` shows them)",
            file.path
        )?;
    }
    Ok(())
}
