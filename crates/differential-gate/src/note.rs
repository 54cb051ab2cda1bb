//! The evidence packet: four lines without which nobody merges on a flaky label.

mod facts;

pub use facts::{DecisionFacts, PropertyFacts, RowFacts};

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Why there is no evidence packet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoteError {
    /// The document is not a decision document of schema version 1.
    #[error("not a decision document: {0}")]
    NotADecision(String),
    /// One of the four lines cannot be written.
    #[error("no evidence packet: {line} {detail}")]
    Missing {
        /// Which line: `contract hash`, `decision`, `reason codes` or `row counts`.
        line: &'static str,
        /// What is wrong with it.
        detail: &'static str,
    },
}

/// Above so many properties their reasons are counted by code instead of listed.
const MOST_LISTED: usize = 10;

/// The four lines: contract hash, top-level decision, reason codes of the properties, line counts
/// of both JSONL files. Each ends with a line feed.
///
/// # Errors
/// [`NoteError::Missing`] when one of the four is absent or contradicts the rest. A packet of
/// unbound evidence does not exist: nothing ties its rows to the contract.
pub fn note(facts: &DecisionFacts) -> Result<String, NoteError> {
    let hash = contract_line(facts)?;
    let decision = decision_line(facts)?;
    let reasons = reasons_line(facts)?;
    let parent = rows_of(
        facts.parent.as_ref(),
        "of the parent are missing or do not add up",
    )?;
    let patch = rows_of(
        facts.patch.as_ref(),
        "of the patch are missing or do not add up",
    )?;
    Ok(format!(
        "contract: {hash}\ndecision: {decision}\nreasons: {reasons}\nrows: parent {parent}; patch {patch}\n"
    ))
}

fn contract_line(facts: &DecisionFacts) -> Result<&str, NoteError> {
    let missing = |detail| NoteError::Missing {
        line: "contract hash",
        detail,
    };
    if !facts.bound {
        return Err(missing("does not bind these rows (`bound` is false)"));
    }
    let hash = facts
        .contract_hash
        .as_deref()
        .ok_or_else(|| missing("is missing"))?;
    if is_contract_hash(hash) {
        Ok(hash)
    } else {
        Err(missing("is not `sha256:` and 64 hex digits"))
    }
}

fn decision_line(facts: &DecisionFacts) -> Result<String, NoteError> {
    let missing = |detail| NoteError::Missing {
        line: "decision",
        detail,
    };
    let decision = facts
        .decision
        .as_deref()
        .ok_or_else(|| missing("is missing"))?;
    let reason = facts
        .reason
        .as_deref()
        .filter(|reason| !reason.is_empty())
        .ok_or_else(|| missing("has no reason"))?;
    // A document that was edited by hand, or made by another program, may disagree with itself.
    let among = |wanted: &str| facts.results.iter().any(|result| result.decision == wanted);
    let folded = if among("reject") || facts.issues > 0 {
        "reject"
    } else if among("propose_freeze") {
        "propose_freeze"
    } else {
        "accept"
    };
    if decision == folded {
        Ok(format!("{decision} ({})", plain(reason)))
    } else {
        Err(missing("disagrees with the results"))
    }
}

fn reasons_line(facts: &DecisionFacts) -> Result<String, NoteError> {
    let missing = |detail| NoteError::Missing {
        line: "reason codes",
        detail,
    };
    if facts.results.is_empty() {
        return Err(missing(
            "of the properties are missing: no property was judged",
        ));
    }
    if facts.results.iter().any(|result| result.reason.is_empty()) {
        return Err(missing("of some properties are missing"));
    }
    if facts.results.len() <= MOST_LISTED {
        let listed = facts.results.iter().map(|result| {
            let (prop, reason) = (plain(&result.prop), plain(&result.reason));
            format!("{prop} {reason}")
        });
        return Ok(listed.collect::<Vec<_>>().join(", "));
    }
    let mut by_code = BTreeMap::<&str, usize>::new();
    for result in &facts.results {
        *by_code.entry(&result.reason).or_default() += 1;
    }
    let grouped = by_code
        .iter()
        .map(|(code, count)| format!("{count} {}", plain(code)));
    Ok(grouped.collect::<Vec<_>>().join(", "))
}

fn rows_of(rows: Option<&RowFacts>, detail: &'static str) -> Result<String, NoteError> {
    rows.filter(|rows| {
        rows.pass.checked_add(rows.fail) == Some(rows.counted)
            && rows.counted.checked_add(rows.ignored) == Some(rows.lines)
            && rows.counted > 0
    })
    .map(|rows| {
        format!(
            "{} lines, {} ignored, {} pass, {} fail",
            rows.lines, rows.ignored, rows.pass, rows.fail
        )
    })
    .ok_or(NoteError::Missing {
        line: "row counts",
        detail,
    })
}

/// `sha256:` and 64 lower-case hex digits.
pub(crate) fn is_contract_hash(text: &str) -> bool {
    text.strip_prefix("sha256:").is_some_and(|digits| {
        digits.len() == 64
            && digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    })
}

/// Text that cannot start a line of its own.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
            // Writing to a string cannot fail.
            write!(plain, "{}", character.escape_default()).ok();
        } else {
            plain.push(character);
        }
    }
    plain
}
