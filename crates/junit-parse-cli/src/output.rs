//! One answer in one format, written as the reports come.
use std::io::{self, Write};

use junit_parse::wire::{CaseLine, Document};

use crate::reading::Reading;
use crate::{OutputFormat, human};

/// How an answer is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) format: OutputFormat,
    pub(crate) only_failed: bool,
    pub(crate) is_colored: bool,
}

impl Style {
    /// Writes what there is to say of one report now.
    pub(crate) fn write_reading(self, reading: &Reading, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            OutputFormat::Human => {
                human::write_file(reading, self.only_failed, self.is_colored, out)
            }
            OutputFormat::Json => Ok(()),
            OutputFormat::Jsonl => {
                for case in reading.cases(self.only_failed) {
                    serde_json::to_writer(&mut *out, &CaseLine::from(case))?;
                    writeln!(out)?;
                }
                Ok(())
            }
        }
    }

    /// Writes what there is to say at the end.
    pub(crate) fn write_end(self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            OutputFormat::Human => human::write_totals(document, out),
            OutputFormat::Json => {
                serde_json::to_writer_pretty(&mut *out, document)?;
                writeln!(out)
            }
            OutputFormat::Jsonl => Ok(()),
        }
    }
}
