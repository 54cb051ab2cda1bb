//! Review tickets: what a person may do with a `propose_freeze` decision.
//!
//! A ticket is no permission. It is bound to one patch and one contract, a named person approves
//! it, and it dies at its expiry. Nothing here reads a clock: the day is a parameter.

mod approve;
mod date;
mod document;
mod draft;
mod identity;
mod sweep;
mod verify;

pub use approve::{Approval, approve};
pub use date::{InvalidDate, TicketDate};
pub use document::{Ticket, TicketError};
pub use draft::{DraftRefusal, draft};
pub use identity::ContractIdentity;
pub use sweep::{SweptState, SweptTicket, sweep};
pub use verify::{Refusal, Verification, verify};

/// The longest time between an approval and its expiry, in days.
pub const LONGEST_TICKET_DAYS: i32 = 90;

/// Why a failure is believed to be a shared flake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReasonCode {
    /// The order of tests.
    Order,
    /// Clocks, time zones, dates.
    Time,
    /// Threads, processes, races.
    Concurrency,
    /// Random numbers, hash seeds.
    Randomness,
    /// Memory, CPU, files, ports.
    Resource,
    /// Operating system or hardware.
    Platform,
    /// Anything else; needs a text.
    Other,
}

impl ReasonCode {
    /// All codes, in the order of the rules.
    pub const ALL: [Self; 7] = [
        Self::Order,
        Self::Time,
        Self::Concurrency,
        Self::Randomness,
        Self::Resource,
        Self::Platform,
        Self::Other,
    ];

    /// The code as written in tickets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Time => "time",
            Self::Concurrency => "concurrency",
            Self::Randomness => "randomness",
            Self::Resource => "resource",
            Self::Platform => "platform",
            Self::Other => "other",
        }
    }

    /// The code with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }
}
