//! The command line.
use std::path::PathBuf;
use std::str::FromStr;

use junit_parse::{ArchiveLimits, Limits};
use verdict_terminal::ColorChoice;

/// `--format` as far as it applies here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
#[non_exhaustive]
pub enum OutputFormat {
    /// A table for a person; may change at any time.
    #[default]
    Human,
    /// One JSON document with files, counts and warnings.
    Json,
    /// One JSON object a case.
    Jsonl,
}

/// One `--report FORMAT=PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportFile {
    /// What to write.
    pub format: OutputFormat,
    /// Where to.
    pub path: PathBuf,
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((format, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
            return Err(format!("`{text}` is not FORMAT=PATH"));
        };
        let format = <OutputFormat as clap::ValueEnum>::from_str(format, false)
            .map_err(|_| format!("`{format}` is none of human, json, jsonl"))?;
        let path = PathBuf::from(path);
        Ok(Self { format, path })
    }
}

/// Reads JUnit XML reports as tools really write them.
#[derive(Debug, Clone, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[command(after_help = "\
Example: junit-parse --failed build/test-results

Exit codes: 0 read (and with --exit-code nothing failed) · 1 with --exit-code: a test failed ·
2 wrong command line, or a file that is no report or is cut (with --lenient: no file could be read) ·
4 the surroundings failed · 70 a bug")]
#[non_exhaustive]
pub struct Args {
    /// Files, folders (all `*.xml` below), globs, archives (`.zip .tar .tar.gz .tgz`), or `-` for
    /// standard input.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// What to write.
    #[arg(long, value_enum, default_value_t)]
    pub format: OutputFormat,

    /// Write a further copy: FORMAT is human, json or jsonl. May be given several times.
    #[arg(long = "report", value_name = "FORMAT=PATH")]
    pub reports: Vec<ReportFile>,

    /// Show only cases that failed.
    #[arg(long)]
    pub failed: bool,

    /// Exit with 1 when a test failed.
    #[arg(long)]
    pub exit_code: bool,

    /// Exit with 0 although a file is no report or is cut (the warnings stay), as long as one could
    /// be read.
    #[arg(long)]
    pub lenient: bool,

    /// Largest report, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().max_bytes)]
    pub max_file_bytes: usize,

    /// Largest archive, and most that it may unpack to, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = ArchiveLimits::default().max_archive_bytes)]
    pub max_archive_bytes: u64,

    /// Most cases of a report.
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_cases)]
    pub max_cases: usize,

    /// Longest message, in characters.
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_message_chars)]
    pub max_message_chars: usize,

    /// Longest detail (stack trace), in characters.
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_detail_chars)]
    pub max_detail_chars: usize,

    /// Say nothing on standard error but errors.
    #[arg(long, short)]
    pub quiet: bool,

    /// Say more: every warning of every file.
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,

    /// Colour of the human format.
    #[arg(long, value_enum, default_value_t)]
    pub color: ColorChoice,
}

impl Args {
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.max_bytes = self.max_file_bytes;
        limits.max_cases = self.max_cases;
        limits.max_message_chars = self.max_message_chars;
        limits.max_detail_chars = self.max_detail_chars;
        limits
    }

    pub(crate) fn archive_limits(&self) -> ArchiveLimits {
        let mut limits = ArchiveLimits::default();
        limits.max_archive_bytes = self.max_archive_bytes;
        limits.report = self.limits();
        limits
    }
}
