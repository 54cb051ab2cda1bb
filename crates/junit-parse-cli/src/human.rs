//! The table for a person.
use std::io::{self, Write};

use junit_parse::wire::{Document, Status};
use junit_parse::{Case, Counts, Outcome};

use crate::reading::Reading;

/// Longest first line of a message in the table.
const MESSAGE_CHARS: usize = 100;

pub(crate) fn write_file(
    reading: &Reading,
    only_failed: bool,
    colored: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let file = &reading.file;
    let note = match (file.status, file.truncated) {
        (Status::Error, _) => format!(" ({})", file.fault.as_deref().unwrap_or("error")),
        (_, true) => " (cut)".to_owned(),
        (Status::Recovered, false) => " (recovered)".to_owned(),
        _ => String::new(),
    };
    writeln!(out, "{}{note}", visible(&file.path))?;
    for case in reading.cases(only_failed) {
        write_case(case, colored, out)?;
    }
    writeln!(out)
}

fn write_case(case: &Case, colored: bool, out: &mut dyn Write) -> io::Result<()> {
    let (word, color) = match case.outcome {
        Outcome::Passed => ("pass", "32"),
        Outcome::Failed => ("FAIL", "31"),
        Outcome::Error => ("ERROR", "31"),
        Outcome::Skipped => ("skip", "33"),
    };
    let word = format!("{word:<5}");
    let word = if colored {
        format!("\u{1B}[{color}m{word}\u{1B}[0m")
    } else {
        word
    };
    let time = case
        .duration
        .map_or(String::new(), |time| format!("{:.3}s", time.as_secs_f64()));
    let retries = match case.attempts.len() {
        0 | 1 => String::new(),
        count => format!("  [{count} attempts]"),
    };
    let (suite, name) = (visible(&case.suite), visible(&case.name));
    writeln!(out, "  {word}  {time:>10}  {suite}::{name}{retries}")?;
    let message = case
        .message
        .as_deref()
        .or(case.detail.as_deref())
        .unwrap_or_default();
    let line = message.lines().map(str::trim).find(|line| !line.is_empty());
    if let (true, Some(line)) = (case.ever_failed(), line) {
        let line: String = line.chars().take(MESSAGE_CHARS).collect();
        writeln!(out, "                     {}", visible(&line))?;
    }
    Ok(())
}

/// Control characters of a report must not reach the terminal.
fn visible(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let escaped = c.is_control().then(|| c.escape_default());
            let plain = (!c.is_control()).then_some(c);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect()
}

pub(crate) fn write_totals(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let Counts {
        cases,
        passed,
        failed,
        error,
        skipped,
        ..
    } = document.totals;
    let files = document.files.len();
    writeln!(
        out,
        "{cases} cases in {files} files: {passed} passed, {failed} failed, {error} errors, {skipped} skipped"
    )
}
