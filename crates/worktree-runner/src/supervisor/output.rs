//! A log that keeps the head and the tail of an output of any length.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};

/// Writes the head as it comes, holds the tail in memory and appends it at the end.
#[derive(Debug)]
pub(crate) struct CappedLog {
    file: File,
    head_left: u64,
    tail: VecDeque<u8>,
    tail_limit: usize,
    dropped: u64,
    error: Option<i32>,
}

impl CappedLog {
    pub(crate) fn new(file: File, limit_bytes: u64) -> Self {
        let half = limit_bytes / 2;
        Self {
            file,
            head_left: half,
            tail: VecDeque::new(),
            tail_limit: usize::try_from(half).unwrap_or(usize::MAX),
            dropped: 0,
            error: None,
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let head = usize::try_from(self.head_left)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let (first, rest) = bytes.split_at(head);
        self.head_left = self.head_left.saturating_sub(first.len() as u64);
        self.write(first);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(self.tail_limit);
        if surplus > 0 {
            self.tail.drain(..surplus);
            self.dropped = self.dropped.saturating_add(surplus as u64);
        }
    }

    /// Appends what was cut and the tail; returns dropped bytes and the first error number of a write.
    pub(crate) fn finish(mut self) -> (u64, Option<i32>) {
        if self.dropped > 0 {
            let mark = format!(
                "\n[... {} bytes of output left out here ...]\n",
                self.dropped
            );
            self.write(mark.as_bytes());
        }
        let tail = std::mem::take(&mut self.tail);
        let (front, back) = tail.as_slices();
        self.write(front);
        self.write(back);
        (self.dropped, self.error)
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none()
            && let Err(error) = self.file.write_all(bytes)
        {
            self.error = Some(error.raw_os_error().unwrap_or_else(|| {
                io::Error::from(io::ErrorKind::Other)
                    .raw_os_error()
                    .unwrap_or(5)
            }));
        }
    }
}

#[cfg(test)]
mod tests;
