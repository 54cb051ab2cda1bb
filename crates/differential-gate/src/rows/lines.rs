//! A stream of lines, each held alone and none longer than the cap.
use std::io::{BufRead, Read as _};

/// Bytes a line may have. A longer one is passed over and is no row.
const CAP: u64 = 8 * 1024 * 1024;

const BOM: &str = "\u{feff}";

/// Why nothing of a side can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Void {
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// The stream ended with an error (a broken archive, a disk).
    Unreadable,
}

/// One line of the file, not blank.
#[derive(Debug)]
pub(crate) enum Line<'a> {
    Text(&'a str),
    TooLong,
}

/// Reads lines that end with LF (CRLF, one BOM and blank lines are tolerated).
#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: R,
    bytes: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(crate) const fn new(reader: R) -> Self {
        Self {
            reader,
            bytes: Vec::new(),
            number: 0,
        }
    }

    /// The next line that is not blank, with its number (from 1, blank lines counted).
    pub(crate) fn next(&mut self) -> Result<Option<(u64, Line<'_>)>, Void> {
        loop {
            self.bytes.clear();
            let mut part = self.reader.by_ref().take(CAP);
            let read = part.read_until(b'\n', &mut self.bytes);
            if read.map_err(|_| Void::Unreadable)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.bytes.last() != Some(&b'\n') && self.bytes.len() as u64 >= CAP {
                self.pass_over()?;
                return Ok(Some((self.number, Line::TooLong)));
            }
            // Blanks of JSON alone: a line of them is an empty one.
            let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
            let start = if self.number == 1 && self.bytes.starts_with(BOM.as_bytes()) {
                BOM.len()
            } else {
                0
            };
            let line = self.bytes.get(start..).unwrap_or_default();
            if !line.iter().all(blank) {
                break;
            }
        }
        let text = std::str::from_utf8(&self.bytes).map_err(|_| Void::NotUtf8)?;
        let text = match text.strip_prefix(BOM) {
            Some(rest) if self.number == 1 => rest,
            Some(_) | None => text,
        };
        Ok(Some((self.number, Line::Text(text))))
    }

    /// Reads to the end of a line that is too long, still looking for bytes that are not UTF-8.
    fn pass_over(&mut self) -> Result<(), Void> {
        loop {
            let ended = self.bytes.last() == Some(&b'\n');
            let rest = match std::str::from_utf8(&self.bytes) {
                Ok(_) => Vec::new(),
                // A character that the part cuts goes on in the next one.
                Err(error) if error.error_len().is_none() && !ended => {
                    self.bytes.split_off(error.valid_up_to())
                }
                Err(_) => return Err(Void::NotUtf8),
            };
            if ended {
                return Ok(());
            }
            let carried = rest.len();
            self.bytes = rest;
            let mut part = self.reader.by_ref().take(CAP);
            let read = part.read_until(b'\n', &mut self.bytes);
            if read.map_err(|_| Void::Unreadable)? == 0 {
                return if carried == 0 {
                    Ok(())
                } else {
                    Err(Void::NotUtf8)
                };
            }
        }
    }
}
