//! The exit codes of every program: an interface, written down once.

/// How a program ends. The numbers are fixed (INTERFACES: "All programs").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// 0: done, and the answer is good (accept, nothing wrong).
    Good,
    /// 1: done, and the answer is bad (reject, findings, failing tests not cleared).
    Bad,
    /// 2: the command line or an input file is wrong.
    Usage,
    /// 3: done, and a person must decide (`propose_freeze`, `spec_review`, `not_applicable`).
    Person,
    /// 4: the surroundings failed (git, child process, disk, database, network).
    Surroundings,
    /// 70: a bug in the program.
    Bug,
    /// 128 + n: ended by signal n.
    Signal(u8),
}

impl Exit {
    /// The number given to the operating system.
    pub const fn code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Bad => 1,
            Self::Usage => 2,
            Self::Person => 3,
            Self::Surroundings => 4,
            Self::Bug => 70,
            Self::Signal(signal) => 128_u8.saturating_add(signal),
        }
    }

    /// What `--exit-zero` makes of this code: 1 and 3 become 0, nothing else changes.
    #[must_use]
    pub const fn adopted(self) -> Self {
        match self {
            Self::Bad | Self::Person => Self::Good,
            other => other,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
