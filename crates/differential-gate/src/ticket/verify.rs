//! Whether a ticket is good for a patch, today.
use super::{LONGEST_TICKET_DAYS, ReasonCode, Ticket, TicketDate, TicketError};

/// Why a ticket is not good, or cannot be approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Nobody approved it.
    #[error("no person has approved the ticket")]
    NotApproved,
    /// It speaks of another patch.
    #[error("the ticket is for another patch; a later patch needs a decision of its own")]
    WrongPatch,
    /// It speaks of another contract.
    #[error("the ticket is for another contract")]
    WrongContract,
    /// Its last day has passed.
    #[error("the ticket has expired; delete it")]
    Expired,
    /// It is approved and has no expiry, or one that no approval could have given.
    #[error("the expiry is not after today and within 90 days")]
    ExpiresOutOfRange,
    /// It was drafted on a later day than today.
    #[error("the ticket was drafted after today")]
    DraftedLater,
    /// It names no reviewer.
    #[error("the ticket names no reviewer")]
    NoReviewer,
    /// It has no reason code.
    #[error("the ticket has no reason code")]
    NoReasonCode,
    /// The code is `other`, without a text.
    #[error("the reason code `other` needs a reason in words")]
    NoReason,
    /// It was approved before: an approval is not renewed.
    #[error("the ticket is already approved; an approval is not renewed")]
    AlreadyApproved,
}

impl Refusal {
    /// The refusal's code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotApproved => "not_approved",
            Self::WrongPatch => "wrong_patch",
            Self::WrongContract => "wrong_contract",
            Self::Expired => "expired",
            Self::ExpiresOutOfRange => "expires_out_of_range",
            Self::DraftedLater => "drafted_later",
            Self::NoReviewer => "no_reviewer",
            Self::NoReasonCode => "no_reason_code",
            Self::NoReason => "no_reason",
            Self::AlreadyApproved => "already_approved",
        }
    }
}

/// The answer of [`verify`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// The ticket.
    pub ticket: Ticket,
    /// Everything that is wrong with it, in the order of [`Refusal`].
    pub refusals: Vec<Refusal>,
}

impl Verification {
    /// Whether the ticket is good: nothing is wrong with it.
    pub const fn is_good(&self) -> bool {
        self.refusals.is_empty()
    }
}

/// Holds a ticket against one patch, one contract and one day.
///
/// It is good only when a person approved it, for exactly this patch and contract (full ids, no
/// prefixes), and `today` is not after its expiry.
///
/// # Errors
/// [`TicketError`] when the text is no ticket.
pub fn verify(
    ticket: &str,
    patch_sha: &str,
    contract_hash: &str,
    today: TicketDate,
) -> Result<Verification, TicketError> {
    let ticket = Ticket::parse(ticket)?;
    let latest = today.plus_days(LONGEST_TICKET_DAYS);
    // An approval made up to today cannot reach further ahead than this.
    let beyond = |expires| latest.is_none_or(|last| expires > last);
    let checks = [
        (!ticket.approved, Refusal::NotApproved),
        (ticket.patch_sha != patch_sha, Refusal::WrongPatch),
        (
            ticket.contract_hash != contract_hash,
            Refusal::WrongContract,
        ),
        (
            ticket.expires.is_some_and(|expires| expires < today),
            Refusal::Expired,
        ),
        (
            ticket.expires.is_none_or(beyond),
            Refusal::ExpiresOutOfRange,
        ),
        (ticket.drafted > today, Refusal::DraftedLater),
        (ticket.reviewer.is_none(), Refusal::NoReviewer),
        (ticket.reason_code.is_none(), Refusal::NoReasonCode),
        (
            ticket.reason_code == Some(ReasonCode::Other) && ticket.reason.is_none(),
            Refusal::NoReason,
        ),
    ];
    let refusals = checks
        .into_iter()
        .filter_map(|(wrong, refusal)| wrong.then_some(refusal))
        .collect();
    Ok(Verification { ticket, refusals })
}
