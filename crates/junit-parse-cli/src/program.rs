//! Reads the inputs, writes the answer, decides the exit code.
use std::io::Write;

use junit_parse::wire::{CaseLine, Document, File, Status};
use junit_parse::{Case, Report};
use verdict_terminal::{Exit, Streams};

use crate::inputs::{Input, expand};
use crate::{Args, OutputFormat, human};

/// One input and what came of it.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) file: File,
    pub(crate) report: Option<Report>,
}

impl Reading {
    /// The cases to show.
    pub(crate) fn cases(&self, only_failed: bool) -> impl Iterator<Item = &Case> {
        let cases = self.report.iter().flat_map(|report| &report.cases);
        cases.filter(move |case| !only_failed || case.ever_failed())
    }
}

/// Runs the program.
///
/// # Errors
/// A wrong command line (no such file, an archive), or surroundings that fail. A file that is no
/// report is no error but part of the answer.
pub fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let inputs = expand(&args.paths)?;
    let mut files = Vec::new();
    let mut has_failures = false;
    for input in inputs {
        // One report in memory at a time.
        let reading = read(&input, args);
        if !args.quiet {
            say_warnings(&reading.file, args.verbose, streams.err)?;
        }
        has_failures |= reading.cases(true).next().is_some();
        match args.format {
            OutputFormat::Jsonl => write_lines(&reading, args.failed, streams.out)?,
            OutputFormat::Human => {
                let colored = streams.colored(args.color);
                human::write_file(&reading, args.failed, colored, streams.out)?;
            }
            OutputFormat::Json => {}
        }
        files.push(reading.file);
    }
    let document = Document::new(files);
    match args.format {
        OutputFormat::Json => {
            serde_json::to_writer_pretty(&mut *streams.out, &document)?;
            writeln!(streams.out)?;
        }
        OutputFormat::Human => human::write_totals(&document, streams.out)?,
        OutputFormat::Jsonl => {}
    }
    let is_error = |file: &File| file.status == Status::Error;
    let is_bad = |file: &File| is_error(file) || file.truncated;
    let files = &document.files;
    // Even the lenient get no 0 when nothing at all could be read: that would be a false green.
    let fails = if args.lenient {
        files.iter().all(is_error)
    } else {
        files.iter().any(is_bad)
    };
    if fails {
        return Ok(Exit::Usage);
    }
    Ok(if args.exit_code && has_failures {
        Exit::Bad
    } else {
        Exit::Good
    })
}

fn read(input: &Input, args: &Args) -> Reading {
    let path = input.shown();
    let bytes = match input.read(args.max_file_bytes) {
        Ok(bytes) => bytes,
        Err(error) => {
            let file = File::of_unreadable(path, format!("cannot read the file: {error}"));
            return Reading { file, report: None };
        }
    };
    match junit_parse::parse(&bytes, &args.limits()) {
        Ok(report) => Reading {
            file: File::of_report(path, &report),
            report: Some(report),
        },
        Err(error) => Reading {
            file: File::of_error(path, &error),
            report: None,
        },
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

fn write_lines(reading: &Reading, only_failed: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    for case in reading.cases(only_failed) {
        serde_json::to_writer(&mut *out, &CaseLine::from(case))?;
        writeln!(out)?;
    }
    Ok(())
}
