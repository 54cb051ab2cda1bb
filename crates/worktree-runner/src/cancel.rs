//! A flag that signal handlers set and every wait of the runner looks at.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set it and the run in hand is ended, cleaned up and reported as cancelled.
///
/// ```
/// let cancel = worktree_runner::CancelFlag::new();
/// assert!(!cancel.is_set());
/// cancel.clone().set();
/// assert!(cancel.is_set());
/// ```
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the end.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether somebody asked for the end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Sets the flag on SIGINT, SIGTERM and SIGHUP from now on, for the life of the process.
    ///
    /// # Errors
    /// When the handlers cannot be installed.
    pub fn set_on_signals(&self) -> io::Result<()> {
        for signal in [
            signal_hook::consts::SIGINT,
            signal_hook::consts::SIGTERM,
            signal_hook::consts::SIGHUP,
        ] {
            signal_hook::flag::register(signal, Arc::clone(&self.0))?;
        }
        Ok(())
    }
}
