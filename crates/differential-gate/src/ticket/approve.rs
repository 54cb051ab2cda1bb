//! A person's approval, written into the ticket without touching anything else in it.
use toml_edit::{Item, Value, value};

use super::document::parse_document;
use super::{LONGEST_TICKET_DAYS, ReasonCode, Refusal, Ticket, TicketDate, TicketError};

/// What a person adds to a drafted ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the rules name these four")]
pub struct Approval {
    /// Who approves.
    pub reviewer: String,
    /// The last day on which the ticket is good: after today, at most 90 days ahead.
    pub expires: TicketDate,
    /// Why the failure is believed to be a shared flake.
    pub reason_code: ReasonCode,
    /// The same in words; [`ReasonCode::Other`] needs it.
    pub reason: Option<String>,
}

/// The text of the ticket with `approval` in it; comments, order and unknown keys stay.
///
/// # Errors
/// [`TicketError`] when the text is no ticket. The inner result is a [`Refusal`]: a ticket is
/// approved once, and a later patch needs a ticket of its own.
pub fn approve(
    ticket: &str,
    approval: &Approval,
    today: TicketDate,
) -> Result<Result<String, Refusal>, TicketError> {
    let mut document = parse_document(ticket)?;
    let drafted = Ticket::from_document(&document)?;
    if let Some(refusal) = refusal(&drafted, approval, today) {
        return Ok(Err(refusal));
    }
    let mut set = |key: &str, new: Value| match document.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            let decor = old.decor().clone();
            *old = new;
            *old.decor_mut() = decor;
        }
        None => {
            document.insert(key, value(new));
        }
    };
    set("expires", approval.expires.to_string().into());
    set("reason_code", approval.reason_code.name().into());
    if let Some(reason) = worded(approval) {
        set("reason", reason.into());
    }
    set("reviewer", approval.reviewer.trim().into());
    set("approved", true.into());
    Ok(Ok(document.to_string()))
}

fn refusal(drafted: &Ticket, approval: &Approval, today: TicketDate) -> Option<Refusal> {
    if drafted.approved {
        return Some(Refusal::AlreadyApproved);
    }
    if drafted.expires.is_some_and(|expires| expires < today) {
        return Some(Refusal::Expired);
    }
    if drafted.drafted > today {
        return Some(Refusal::DraftedLater);
    }
    if approval.reviewer.trim().is_empty() {
        return Some(Refusal::NoReviewer);
    }
    let worded = worded(approval).is_some() || drafted.reason.is_some();
    if approval.reason_code == ReasonCode::Other && !worded {
        return Some(Refusal::NoReason);
    }
    let latest = today.plus_days(LONGEST_TICKET_DAYS);
    let in_range = approval.expires > today && latest.is_some_and(|last| approval.expires <= last);
    (!in_range).then_some(Refusal::ExpiresOutOfRange)
}

fn worded(approval: &Approval) -> Option<&str> {
    approval
        .reason
        .as_deref()
        .map(str::trim)
        .filter(|reason| !reason.is_empty())
}
