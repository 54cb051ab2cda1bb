//! Calendar days, written `YYYY-MM-DD` and nothing else.
use std::fmt;
use std::str::FromStr;

use jiff::ToSpan as _;
use jiff::civil::Date;

/// A calendar day (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TicketDate(Date);

/// A text that is no calendar day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a day written YYYY-MM-DD")]
pub struct InvalidDate(String);

impl TicketDate {
    /// So many days later; none beyond the calendar's end.
    pub fn plus_days(self, days: i32) -> Option<Self> {
        self.0.checked_add(days.days()).ok().map(Self)
    }
}

impl FromStr for TicketDate {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        let invalid = || InvalidDate(text.to_owned());
        // The parser below also takes times, week dates and signs.
        let plain = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !plain {
            return Err(invalid());
        }
        text.parse().map(Self).map_err(|_| invalid())
    }
}

impl fmt::Display for TicketDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
