//! The ticket as a TOML document.
use toml_edit::{DocumentMut, Item, Value};

use super::{ReasonCode, TicketDate};
use crate::note::is_contract_hash;

/// Why a text is not a ticket.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TicketError {
    /// Not TOML (a key given twice is not).
    #[error("not a TOML document: {0}")]
    NotToml(String),
    /// A key is absent.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// A key's value cannot be what a ticket needs.
    #[error("`{key}` is not {wanted}")]
    Invalid {
        /// The key.
        key: &'static str,
        /// What it must be.
        wanted: &'static str,
    },
}

/// A ticket's fields. What a person has yet to fill in is absent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ticket {
    /// The one patch it speaks of.
    pub patch_sha: String,
    /// That patch's control arm.
    pub parent_sha: String,
    /// The one contract it speaks of.
    pub contract_hash: String,
    /// Properties proposed for freezing, at least one.
    pub properties: Vec<String>,
    /// The day of the draft.
    pub drafted: TicketDate,
    /// The last day on which it is good.
    pub expires: Option<TicketDate>,
    /// Why the failure is believed to be a shared flake.
    pub reason_code: Option<ReasonCode>,
    /// The same in words.
    pub reason: Option<String>,
    /// Who approved it.
    pub reviewer: Option<String>,
    /// Whether a person approved it.
    pub approved: bool,
}

impl Ticket {
    /// Reads a ticket strictly; keys it does not know are left alone.
    ///
    /// # Errors
    /// [`TicketError`], for the first fault.
    pub fn parse(text: &str) -> Result<Self, TicketError> {
        Self::from_document(&parse_document(text)?)
    }

    pub(super) fn from_document(document: &DocumentMut) -> Result<Self, TicketError> {
        let ticket = Self {
            patch_sha: sha(document, "patch_sha")?,
            parent_sha: sha(document, "parent_sha")?,
            contract_hash: required(document, "contract_hash")?,
            properties: properties(document)?,
            drafted: date(document, "drafted")?.ok_or(TicketError::Missing("drafted"))?,
            expires: date(document, "expires")?,
            reason_code: reason_code(document)?,
            reason: text_of(document, "reason")?,
            reviewer: text_of(document, "reviewer")?,
            approved: approved(document)?,
        };
        if !is_contract_hash(&ticket.contract_hash) {
            return Err(TicketError::Invalid {
                key: "contract_hash",
                wanted: "`sha256:` and 64 hex digits",
            });
        }
        if ticket.patch_sha == ticket.parent_sha {
            return Err(TicketError::Invalid {
                key: "patch_sha",
                wanted: "another commit than `parent_sha`",
            });
        }
        Ok(ticket)
    }
}

pub(super) fn parse_document(text: &str) -> Result<DocumentMut, TicketError> {
    text.parse::<DocumentMut>()
        .map_err(|error| TicketError::NotToml(error.message().to_owned()))
}

/// A full commit id: 40 or 64 lower-case hex digits. An abbreviation binds nothing.
pub(super) fn is_sha(text: &str) -> bool {
    matches!(text.len(), 40 | 64)
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn value<'a>(document: &'a DocumentMut, key: &str) -> Option<&'a Item> {
    document.get(key).filter(|item| !item.is_none())
}

/// A text that says something: blank is as good as absent.
fn text_of(document: &DocumentMut, key: &'static str) -> Result<Option<String>, TicketError> {
    value(document, key)
        .map(|item| {
            item.as_str().ok_or(TicketError::Invalid {
                key,
                wanted: "a text",
            })
        })
        .transpose()
        .map(|text| text.filter(|text| !text.trim().is_empty()))
        .map(|text| text.map(str::to_owned))
}

fn required(document: &DocumentMut, key: &'static str) -> Result<String, TicketError> {
    text_of(document, key)?.ok_or(TicketError::Missing(key))
}

fn sha(document: &DocumentMut, key: &'static str) -> Result<String, TicketError> {
    let sha = required(document, key)?;
    if is_sha(&sha) {
        Ok(sha)
    } else {
        Err(TicketError::Invalid {
            key,
            wanted: "a full commit id in lower-case hex",
        })
    }
}

/// A day as text or as a TOML date; a blank text is no day yet.
fn date(document: &DocumentMut, key: &'static str) -> Result<Option<TicketDate>, TicketError> {
    let text = match value(document, key).and_then(Item::as_value) {
        Some(Value::Datetime(date)) => Some(date.value().to_string()),
        _ => text_of(document, key)?,
    };
    text.map(|text| {
        text.parse().map_err(|_| TicketError::Invalid {
            key,
            wanted: "a day written YYYY-MM-DD",
        })
    })
    .transpose()
}

fn properties(document: &DocumentMut) -> Result<Vec<String>, TicketError> {
    let invalid = TicketError::Invalid {
        key: "properties",
        wanted: "a list of at least one property id",
    };
    let list = value(document, "properties")
        .ok_or(TicketError::Missing("properties"))?
        .as_array()
        .ok_or_else(|| invalid.clone())?;
    let ids: Option<Vec<String>> = list
        .iter()
        .map(|id| id.as_str().filter(|id| !id.is_empty()).map(str::to_owned))
        .collect();
    ids.filter(|ids| !ids.is_empty()).ok_or(invalid)
}

fn reason_code(document: &DocumentMut) -> Result<Option<ReasonCode>, TicketError> {
    text_of(document, "reason_code")?
        .map(|name| {
            ReasonCode::from_name(&name).ok_or(TicketError::Invalid {
                key: "reason_code",
                wanted: "one of order, time, concurrency, randomness, resource, platform, other",
            })
        })
        .transpose()
}

/// Only the boolean `true` is an approval: a text or a number may be a template's leftover.
fn approved(document: &DocumentMut) -> Result<bool, TicketError> {
    value(document, "approved").map_or(Ok(false), |item| {
        item.as_bool().ok_or(TicketError::Invalid {
            key: "approved",
            wanted: "true or false",
        })
    })
}
