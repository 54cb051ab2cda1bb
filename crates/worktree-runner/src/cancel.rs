//! A flag that signal handlers set and every wait of the runner looks at.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Set by [`CancelFlag::set`]: no number of a signal.
const ASKED: usize = usize::MAX;

/// Set it and the run in hand is ended, cleaned up and reported as cancelled.
///
/// ```
/// let cancel = worktree_runner::CancelFlag::new();
/// assert!(!cancel.is_set());
/// cancel.clone().set();
/// assert!(cancel.is_set());
/// assert_eq!(cancel.signal(), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicUsize>);

impl CancelFlag {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the end.
    pub fn set(&self) {
        // A signal that came before keeps its number.
        self.0
            .compare_exchange(0, ASKED, Ordering::SeqCst, Ordering::SeqCst)
            .ok();
    }

    /// Whether somebody asked for the end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// The number of the last signal that asked for the end; `None` when none did. A program that was
    /// ended by signal n exits with 128 + n.
    pub fn signal(&self) -> Option<u8> {
        match self.0.load(Ordering::SeqCst) {
            0 => None,
            number => u8::try_from(number).ok(),
        }
    }

    /// Sets the flag on SIGINT, SIGTERM and SIGHUP from now on, for the life of the process.
    ///
    /// # Errors
    /// When the handlers cannot be installed.
    pub fn set_on_signals(&self) -> io::Result<()> {
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let number = usize::try_from(signal).unwrap_or(ASKED);
            signal_hook::flag::register_usize(signal, Arc::clone(&self.0), number)?;
        }
        Ok(())
    }
}
