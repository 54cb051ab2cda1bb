//! A small detached process that cleans up after a driver that died without saying goodbye.

use std::io::Write;
use std::process::{Child, Stdio};

use super::{Driver, JANITOR};
use crate::workspace::record::Record;

/// Byte that says: everything is cleaned up already.
const GOODBYE: u8 = b'g';

/// The driver's end of the janitor.
#[derive(Debug)]
pub(crate) struct Janitor(Child);

impl Janitor {
    /// Starts it; `None` where this program cannot start itself again.
    pub(crate) fn start(record: &Record) -> std::io::Result<Option<Self>> {
        if !super::available() {
            return Ok(None);
        }
        let mut child = super::again(JANITOR)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let order = crate::plan::framed(record)?;
        if let Some(pipe) = child.stdin.as_mut() {
            pipe.write_all(&order)?;
        }
        Ok(Some(Self(child)))
    }

    /// Sends it home: nothing is left to do.
    pub(crate) fn dismiss(mut self) {
        if let Some(mut pipe) = self.0.stdin.take() {
            pipe.write_all(&[GOODBYE]).unwrap_or_default();
        }
        self.0.wait().ok();
    }
}

/// The janitor's own main: waits for a goodbye or for the end of the pipe.
pub(super) fn keep() -> u8 {
    rustix::process::setsid().ok();
    super::take_signals();
    let mut driver = Driver::connect();
    let Ok(line) = driver.receive_order() else {
        return 0;
    };
    let Ok(record) = serde_json::from_slice::<Record>(&line) else {
        return 1;
    };
    if matches!(driver.receive_byte(), Ok(Some(GOODBYE))) {
        return 0;
    }
    u8::from(record.clear().is_err())
}
