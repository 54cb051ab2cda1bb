//! Errors that know their exit code and the next step.
use std::fmt;
use std::io::Write;

use crate::Exit;

/// An error with the exit code it leads to and, where there is one, the next step.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    message: String,
    hint: Option<String>,
    source: Option<anyhow::Error>,
}

impl Failure {
    /// An error text (lower case, no full stop) that ends the program with `exit`.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            hint: None,
            source: None,
        }
    }

    /// Adds the next step, printed behind `hint:`.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The exit code.
    pub const fn exit(&self) -> Exit {
        self.exit
    }

    /// The next step, if one was given.
    pub fn next_step(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(AsRef::as_ref)
    }
}

/// Gives any error an exit code and a sentence of what could not be done.
pub trait OrExit<T> {
    /// On an error: `message` in front of it, and `exit` as the program's code.
    ///
    /// # Errors
    /// The error of `self`, wrapped in a [`Failure`].
    fn or_exit(self, exit: Exit, message: impl Into<String>) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> OrExit<T> for Result<T, E> {
    fn or_exit(self, exit: Exit, message: impl Into<String>) -> anyhow::Result<T> {
        self.map_err(|error| {
            let failure = Failure {
                exit,
                message: message.into(),
                hint: None,
                source: Some(error.into()),
            };
            anyhow::Error::new(failure)
        })
    }
}

/// Prints `error` with its causes and hint; returns the exit code it asks for.
///
/// An error that carries no [`Failure`] is one of the surroundings (4). A reader that went away is
/// no error here: [`crate::run_program`] keeps it from becoming one.
pub fn report(error: &anyhow::Error, stderr: &mut dyn Write) -> Exit {
    let failures = || {
        error
            .chain()
            .filter_map(|cause| cause.downcast_ref::<Failure>())
    };
    let exit = failures().next().map_or(Exit::Surroundings, Failure::exit);
    let hint = failures().find_map(Failure::next_step);
    // Nothing is left to do when stderr itself is closed.
    writeln!(stderr, "error: {error:#}").ok();
    if let Some(hint) = hint {
        writeln!(stderr, "hint: {hint}").ok();
    }
    exit
}
