//! `--format`, `--report FORMAT=PATH` and `--color`.
use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum as _;

/// An output format. A program accepts the ones that apply to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
#[non_exhaustive]
pub enum Format {
    /// Text for a person; may change at any time.
    Human,
    /// One JSON document with a `schema_version`.
    Json,
    /// One JSON object a line.
    Jsonl,
    /// Markdown, for a comment or a job summary.
    Markdown,
    /// GitHub workflow annotations.
    Github,
    /// SARIF 2.1.0.
    Sarif,
    /// One HTML file.
    Html,
}

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
#[non_exhaustive]
pub enum ColorChoice {
    /// Colour on a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always colour.
    Always,
    /// Never colour.
    Never,
}

/// One `--report FORMAT=PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportTarget {
    /// What to write.
    pub format: Format,
    /// Where to.
    pub path: PathBuf,
}

impl FromStr for ReportTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, path) = text
            .split_once('=')
            .ok_or_else(|| format!("`{text}` is not FORMAT=PATH"))?;
        let format = Format::from_str(format, false)?;
        if path.is_empty() {
            return Err(format!("`{text}` names no path"));
        }
        Ok(Self {
            format,
            path: PathBuf::from(path),
        })
    }
}
