//! Which tickets have died: an expired ticket is deleted, not renewed.
use super::{Ticket, TicketDate, TicketError};

/// What became of one ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweptState {
    /// Its last day has passed: to be deleted.
    Expired(TicketDate),
    /// Its expiry lies ahead, or is today.
    Live(TicketDate),
    /// No expiry yet: a draft.
    Open,
    /// Not a ticket: never to be deleted.
    Unreadable(TicketError),
}

/// One ticket with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SweptTicket<'a> {
    /// The caller's name for it.
    pub name: &'a str,
    /// Its state today.
    pub state: SweptState,
}

/// Sorts out `tickets`, each a name and a text, as of `today`; in the order given.
pub fn sweep<'a>(
    tickets: impl IntoIterator<Item = (&'a str, &'a str)>,
    today: TicketDate,
) -> Vec<SweptTicket<'a>> {
    tickets
        .into_iter()
        .map(|(name, text)| SweptTicket {
            name,
            state: state(text, today),
        })
        .collect()
}

fn state(text: &str, today: TicketDate) -> SweptState {
    match Ticket::parse(text) {
        Err(error) => SweptState::Unreadable(error),
        Ok(ticket) => match ticket.expires {
            None => SweptState::Open,
            Some(expires) if expires < today => SweptState::Expired(expires),
            Some(expires) => SweptState::Live(expires),
        },
    }
}
