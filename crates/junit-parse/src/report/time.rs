//! Seconds as producers write them: decimal commas, thousands separators, exponents, rubbish.
use std::time::Duration;

/// What a `time` attribute says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seconds {
    /// A plain number.
    Plain(Duration),
    /// A number with commas, and how it was read.
    Separated(Duration),
    /// A number below zero.
    Negative,
    /// No number, or one too large.
    Bad,
}

pub(super) fn read(text: &str) -> Seconds {
    if let Some(duration) = simple(text.as_bytes()) {
        return Seconds::Plain(duration);
    }
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('-') {
        let is_number = matches!(
            read_positive(rest),
            Seconds::Plain(_) | Seconds::Separated(_)
        );
        return if is_number {
            Seconds::Negative
        } else {
            Seconds::Bad
        };
    }
    read_positive(text.strip_prefix('+').unwrap_or(text))
}

/// Digits, a point, at most nine digits: what nearly every producer writes.
fn simple(text: &[u8]) -> Option<Duration> {
    let (mut seconds, mut nanos, mut unit) = (0_u64, 0_u32, 1_000_000_000_u32);
    if text.len() > 20 {
        return None;
    }
    let mut digits = text.iter();
    let mut whole = 0;
    for byte in digits.by_ref() {
        match byte {
            b'0'..=b'9' if whole < 10 => {
                whole += 1;
                seconds = seconds * 10 + u64::from(byte - b'0');
            }
            b'.' if whole > 0 => break,
            _ => return None,
        }
    }
    for byte in digits {
        unit /= 10;
        if !byte.is_ascii_digit() || unit == 0 {
            return None;
        }
        nanos += u32::from(byte - b'0') * unit;
    }
    (whole > 0).then(|| Duration::new(seconds, nanos))
}

fn read_positive(text: &str) -> Seconds {
    // A number ends and begins with a digit or a point; `inf` and `nan` do not.
    if !text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b".,eE+-".contains(&byte))
    {
        return Seconds::Bad;
    }
    let Some(comma) = text.rfind(',') else {
        return plain(text).map_or(Seconds::Bad, Seconds::Plain);
    };
    let point = text.rfind('.');
    let number = match point {
        Some(point) if point > comma => grouped(text, ',', '.'),
        None if is_thousands(text) => Some(text.replace(',', "")),
        Some(_) | None => grouped(text, '.', ','),
    };
    number
        .and_then(|number| plain(&number))
        .map_or(Seconds::Bad, Seconds::Separated)
}

/// `1,234,567` but not `0,160` or `12,5`.
fn is_thousands(text: &str) -> bool {
    let mut groups = text.split(',');
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b',')
        && groups.all(|group| group.len() == 3)
}

/// Drops `separator` and makes `decimal` a point; `None` when there is more than one `decimal`.
fn grouped(text: &str, separator: char, decimal: char) -> Option<String> {
    let (whole, fraction) = text.split_once(decimal)?;
    if fraction.contains([separator, decimal]) {
        return None;
    }
    Some(format!("{}.{fraction}", whole.replace(separator, "")))
}

fn plain(text: &str) -> Option<Duration> {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_decimal = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if is_decimal(whole) && is_decimal(fraction) {
        // Exact, unlike the way through a float.
        let seconds = if whole.is_empty() {
            0
        } else {
            whole.parse().ok()?
        };
        let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
        let nanos = digits.fold(0_u32, |sum, digit| sum * 10 + u32::from(digit - b'0'));
        return Some(Duration::new(seconds, nanos));
    }
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}
