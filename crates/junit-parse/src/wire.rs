//! The formats of the `junit-parse` program: one JSON document, or a JSON line a case.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Attempt, Case, Completeness, Counts, Outcome, ParseError, Report};

/// The version of [`Document`].
pub const SCHEMA_VERSION: u32 = 1;

/// `--format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Document {
    /// 1.
    pub schema_version: u32,
    /// One entry a file, in the order of reading.
    pub files: Vec<File>,
    /// Sums over the files.
    pub totals: Counts,
}

impl Document {
    /// A document over these files.
    pub fn new(files: Vec<File>) -> Self {
        let mut totals = Counts::default();
        for file in &files {
            totals.add_counts(&file.counts);
        }
        Self {
            schema_version: SCHEMA_VERSION,
            files,
            totals,
        }
    }
}

/// How reading a file went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// Well-formed.
    Ok,
    /// Something was repaired, or the file is cut.
    Recovered,
    /// No report could be read.
    Error,
}

/// One file of [`Document`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct File {
    /// The path as given or found, `-` for standard input; of an entry of an archive
    /// `ARCHIVE!/ENTRY`.
    pub path: String,
    /// How reading went.
    pub status: Status,
    /// Why no report could be read: `empty`, `not_junit`, `too_large`, `encoding`, `limit`, `io`; of an
    /// archive or an entry of one also `corrupt`, `unsupported`, `unsafe_path`, `not_a_file`,
    /// `nested_archive`, `duplicate_entry`, `too_many_entries`, `no_reports`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Cases by outcome.
    pub counts: Counts,
    /// Whether the file or a limit cut the report.
    pub truncated: bool,
    /// What was repaired, doubted or cut.
    pub warnings: Vec<Warning>,
    /// How many warnings were left out at the limit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub warnings_omitted: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl File {
    /// The entry of a report that was read.
    pub fn of_report(path: impl Into<String>, report: &Report) -> Self {
        let warnings = report.warnings.iter().map(|warning| Warning {
            kind: warning.kind.as_str().to_owned(),
            message: warning.message.clone(),
            line: warning.line,
            offset: warning.offset,
        });
        Self {
            path: path.into(),
            status: match report.completeness {
                Completeness::Complete => Status::Ok,
                Completeness::Recovered | Completeness::Truncated { .. } => Status::Recovered,
            },
            fault: None,
            counts: report.counts(),
            truncated: report.completeness.is_truncated(),
            warnings: warnings.collect(),
            warnings_omitted: report.warnings_omitted,
        }
    }

    /// The entry of a file that is no report.
    pub fn of_error(path: impl Into<String>, error: &ParseError) -> Self {
        let warning = Warning {
            kind: error.kind().as_str().to_owned(),
            message: error.to_string(),
            line: error.line(),
            offset: error.offset(),
        };
        Self::of_fault(path, error.kind().as_str(), warning)
    }

    /// The entry of a file that could not be opened or read (`fault` is then `io`).
    pub fn of_unreadable(path: impl Into<String>, message: impl Into<String>) -> Self {
        let warning = Warning {
            kind: "io".to_owned(),
            message: message.into(),
            line: 1,
            offset: 0,
        };
        Self::of_fault(path, "io", warning)
    }

    /// The entry of a file in an archive that gave no report.
    #[cfg(feature = "archive")]
    pub fn of_entry_error(path: impl Into<String>, error: &crate::EntryError) -> Self {
        let kind = error.kind().as_str();
        let warning = Warning {
            kind: kind.to_owned(),
            message: error.to_string(),
            line: error.line(),
            offset: error.offset(),
        };
        Self::of_fault(path, kind, warning)
    }

    /// The entry of an archive that could not be read to its end.
    #[cfg(feature = "archive")]
    pub fn of_archive_error(path: impl Into<String>, error: &crate::ArchiveError) -> Self {
        let kind = error.kind().as_str();
        let warning = Warning {
            kind: kind.to_owned(),
            message: error.to_string(),
            line: 1,
            offset: 0,
        };
        Self::of_fault(path, kind, warning)
    }

    fn of_fault(path: impl Into<String>, fault: &str, warning: Warning) -> Self {
        Self {
            path: path.into(),
            status: Status::Error,
            fault: Some(fault.to_owned()),
            counts: Counts::default(),
            truncated: false,
            warnings: vec![warning],
            warnings_omitted: 0,
        }
    }
}

/// One warning of a [`File`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Warning {
    /// See [`crate::WarningKind`]; for a fault, its word.
    pub kind: String,
    /// A sentence for a person.
    pub message: String,
    /// Line, 1-based.
    pub line: u64,
    /// Bytes from the start of the file, 0-based.
    pub offset: u64,
}

/// One line of `--format jsonl`: a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CaseLine {
    /// The class name, else the suite's name.
    pub suite: String,
    /// The case's name.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// The message of what decided the outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The exception's type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The stack trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The file of the test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Every attempt, where there was more than one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptLine>,
    /// The case's properties; of a repeated name the last.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
    /// Whether a limit cut a text of it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub clipped: bool,
    /// Whether the file ended inside it (it is here because it had failed).
    #[serde(default, skip_serializing_if = "is_false")]
    pub incomplete: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// One attempt of a [`CaseLine`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AttemptLine {
    /// How it ended.
    pub outcome: Outcome,
    /// Milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// Its message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Its exception's type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its stack trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

fn milliseconds(duration: std::time::Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

impl From<&Attempt> for AttemptLine {
    fn from(attempt: &Attempt) -> Self {
        Self {
            outcome: attempt.outcome,
            duration_ms: attempt.duration.map(milliseconds),
            message: attempt.message.as_deref().map(str::to_owned),
            kind: attempt.kind.as_deref().map(str::to_owned),
            detail: attempt.detail.as_deref().map(str::to_owned),
        }
    }
}

impl From<&Case> for CaseLine {
    fn from(case: &Case) -> Self {
        let is_single = case.attempts.len() < 2;
        let attempts = case
            .attempts
            .iter()
            .filter(|_| !is_single)
            .map(AttemptLine::from);
        Self {
            suite: case.suite.to_string(),
            name: case.name.clone(),
            outcome: case.outcome,
            duration_ms: case.duration.map(milliseconds),
            message: case.message.as_deref().map(str::to_owned),
            kind: case.kind.as_deref().map(str::to_owned),
            detail: case.detail.as_deref().map(str::to_owned),
            file: case.file.clone(),
            line: case.line,
            attempts: attempts.collect(),
            properties: case.properties.iter().cloned().collect(),
            clipped: case.is_clipped,
            incomplete: !case.is_complete,
        }
    }
}
