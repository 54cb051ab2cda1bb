//! The command line.
use junit_parse::Limits;
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
    /// Files, folders (all `*.xml` below), globs, or `-` for standard input.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<std::path::PathBuf>,

    /// What to write.
    #[arg(long, value_enum, default_value_t)]
    pub format: OutputFormat,

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

    /// Largest archive, in bytes (archives are not read yet).
    #[arg(long, value_name = "BYTES", default_value_t = 100_000_000)]
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
}
