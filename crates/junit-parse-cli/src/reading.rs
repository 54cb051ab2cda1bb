//! Reads one input: a report, or the reports of an archive.
use std::fs::File as Disk;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use junit_parse::wire::File;
use junit_parse::{ArchiveFormat, Case, Report, visit_archive};

use crate::Args;
use crate::inputs::Input;

/// One report and what came of it.
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

    fn of_bytes(path: String, bytes: &[u8], args: &Args) -> Self {
        match junit_parse::parse(bytes, &args.limits()) {
            Ok(report) => Self {
                file: File::of_report(path, &report),
                report: Some(report),
            },
            Err(error) => Self::without(File::of_error(path, &error)),
        }
    }

    const fn without(file: File) -> Self {
        Self { file, report: None }
    }
}

/// What is done with each report, one in memory at a time.
type Each<'e> = &'e mut dyn FnMut(Reading) -> anyhow::Result<()>;

/// Reads an input and hands over each report in it.
pub(crate) fn read(input: &Input, args: &Args, each: Each<'_>) -> anyhow::Result<()> {
    let outcome = match input {
        Input::Stdin => read_stdin(input, args, each),
        Input::File(path) => read_file(path, input, args, each),
    };
    match outcome {
        Ok(result) => result,
        Err(error) => {
            let message = format!("cannot read the file: {error}");
            each(Reading::without(File::of_unreadable(
                input.shown(),
                message,
            )))
        }
    }
}

/// Bytes that tell an archive.
const HEAD_BYTES: u64 = 512;

fn read_stdin(input: &Input, args: &Args, each: Each<'_>) -> io::Result<anyhow::Result<()>> {
    let mut stdin = io::stdin().lock();
    let mut bytes = Vec::new();
    (&mut stdin).take(HEAD_BYTES).read_to_end(&mut bytes)?;
    let format = ArchiveFormat::of_head(&bytes);
    let limit = match format {
        Some(_) => args.max_archive_bytes,
        None => u64::try_from(args.max_file_bytes).unwrap_or(u64::MAX),
    };
    // One byte more than the limit tells a longer input from a fitting one.
    stdin
        .take(limit.saturating_add(1).saturating_sub(HEAD_BYTES))
        .read_to_end(&mut bytes)?;
    Ok(match format {
        Some(format) => read_archive(Cursor::new(bytes), format, input, args, each),
        None => each(Reading::of_bytes(input.shown(), &bytes, args)),
    })
}

fn read_file(
    path: &Path,
    input: &Input,
    args: &Args,
    each: Each<'_>,
) -> io::Result<anyhow::Result<()>> {
    let mut file = Disk::open(path)?;
    let mut head = Vec::new();
    (&mut file).take(HEAD_BYTES).read_to_end(&mut head)?;
    let by_name = ArchiveFormat::of_name(&path.to_string_lossy());
    if let Some(format) = ArchiveFormat::of_head(&head).or(by_name) {
        return Ok(read_archive(file, format, input, args, each));
    }
    let limit = u64::try_from(args.max_file_bytes).unwrap_or(u64::MAX);
    let mut bytes = head;
    file.take(limit.saturating_add(1).saturating_sub(HEAD_BYTES))
        .read_to_end(&mut bytes)?;
    Ok(each(Reading::of_bytes(input.shown(), &bytes, args)))
}

fn read_archive(
    mut archive: impl Read + Seek,
    format: ArchiveFormat,
    input: &Input,
    args: &Args,
    each: Each<'_>,
) -> anyhow::Result<()> {
    archive.seek(SeekFrom::Start(0))?;
    let shown = input.shown();
    let visited = visit_archive(archive, format, &args.archive_limits(), |entry| {
        let path = if entry.path.is_empty() {
            shown.clone()
        } else {
            format!("{shown}!/{}", entry.path)
        };
        let reading = match entry.report {
            Ok(report) => Reading {
                file: File::of_report(path, &report),
                report: Some(report),
            },
            Err(error) => Reading::without(File::of_entry_error(path, &error)),
        };
        match each(reading) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    });
    match visited {
        Ok(ControlFlow::Continue(())) => Ok(()),
        Ok(ControlFlow::Break(error)) => Err(error),
        Err(error) => each(Reading::without(File::of_archive_error(shown, &error))),
    }
}
