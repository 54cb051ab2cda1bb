//! Standard streams as parameters, and the frame around every `main`.
use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use crate::pipe::UntilClosed;
use crate::{ColorChoice, Exit, OrExit as _, report};

/// Where a program writes: the answer to `out`, everything else to `err`.
#[expect(clippy::exhaustive_structs, reason = "tests build one from buffers")]
pub struct Streams<'a> {
    /// Standard output: nothing but the answer.
    pub out: &'a mut dyn Write,
    /// Standard error: progress, notes, warnings, errors.
    pub err: &'a mut dyn Write,
    /// Whether `out` may be coloured when `--color auto` holds.
    pub out_is_terminal: bool,
    /// Whether `err` is a terminal (progress bars are drawn only then).
    pub err_is_terminal: bool,
    /// Whether `NO_COLOR` is set to something.
    pub no_color: bool,
}

impl Streams<'_> {
    /// Whether the answer is coloured under `choice`.
    pub const fn colored(&self, choice: ColorChoice) -> bool {
        match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => self.out_is_terminal && !self.no_color,
        }
    }
}

impl fmt::Debug for Streams<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Streams")
            .field("out_is_terminal", &self.out_is_terminal)
            .field("err_is_terminal", &self.err_is_terminal)
            .finish_non_exhaustive()
    }
}

/// Runs a program: errors become one line and a code, a panic becomes exit 70 without a backtrace.
pub fn run_program(
    name: &str,
    run: impl FnOnce(&mut Streams<'_>) -> anyhow::Result<Exit>,
) -> ExitCode {
    let hook = format!("error: {name} has a bug and stopped");
    panic::set_hook(Box::new(move |info| {
        writeln!(
            io::stderr(),
            "{hook}: {info}\nhint: please report it with this line"
        )
        .ok();
    }));
    let (stdout, stderr) = (io::stdout(), io::stderr());
    let mut out = io::BufWriter::new(UntilClosed::new(stdout.lock()));
    let mut err = UntilClosed::new(stderr);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let mut streams = Streams {
            out: &mut out,
            err: &mut err,
            out_is_terminal: io::stdout().is_terminal(),
            err_is_terminal: io::stderr().is_terminal(),
            no_color: std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
        };
        let exit = run(&mut streams)?;
        streams
            .out
            .flush()
            .or_exit(Exit::Surroundings, "cannot write to standard output")?;
        Ok(exit)
    }));
    match outcome {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(error)) => report(&error, &mut io::stderr()).into(),
        Err(_) => Exit::Bug.into(),
    }
}
