//! A decision as Markdown, for a comment or a job summary.
use std::fmt::Write as _;

use differential_gate::{GateDecision, PropertyResult, Reason, Side};

use crate::human;

/// Rows of a table before the rest is counted.
const LISTED: usize = 50;

/// The whole text, ending with a line feed.
pub(crate) fn text(decision: &GateDecision) -> String {
    let mut out = String::new();
    if !decision.is_bound() {
        out.push_str("**Unbound:** these rows quote no contract; advice, not a green light.\n\n");
    }
    let word = decision.decision();
    writeln!(out, "### {word}: {}\n", human::headline(decision)).ok();
    for issue in decision.issues().iter().take(LISTED) {
        writeln!(out, "- {}", cell(&human::issue_line(issue))).ok();
    }
    let more = decision.issues().len().saturating_sub(LISTED) as u64 + decision.issues_omitted();
    if more > 0 {
        writeln!(out, "- … and {more} more").ok();
    }
    results(&mut out, decision);
    if let Some(hash) = decision.contract_hash() {
        out.push('\n');
        for side in Side::BOTH {
            let rows = human::counts(decision.rows(side));
            writeln!(out, "- {}: {rows}", side.name()).ok();
        }
        writeln!(out, "- contract: `{hash}`").ok();
    }
    out.push_str("\nCounts only; no flake rate of the suite is claimed.\n");
    out
}

fn results(out: &mut String, decision: &GateDecision) {
    let mut told: Vec<&PropertyResult> = decision
        .results()
        .iter()
        .filter(|result| result.reason != Reason::BothPass)
        .collect();
    told.sort_by_key(|result| result.reason);
    if !told.is_empty() {
        out.push_str(
            "| property | decision | reason | counts and bounds |\n| --- | --- | --- | --- |\n",
        );
        for result in told.iter().take(LISTED) {
            let (prop, sentence) = (cell(&result.prop), cell(&result.sentence()));
            let (decision, reason) = (result.decision, result.reason);
            writeln!(out, "| {prop} | {decision} | `{reason}` | {sentence} |").ok();
        }
        let more = told.len().saturating_sub(LISTED);
        if more > 0 {
            writeln!(out, "\n… and {more} more.").ok();
        }
    }
    let passing = decision.results().len() - told.len();
    if passing > 0 {
        writeln!(out, "\n{passing} passed on both sides.").ok();
    }
}

/// Text that can neither leave its cell nor become a mark-up of its own.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for symbol in human::printable(text).chars() {
        if matches!(
            symbol,
            '|' | '<' | '>' | '`' | '*' | '_' | '[' | ']' | '\\' | '#' | '@' | '&'
        ) {
            // An entity, for a backslash would not stop `@name` from notifying somebody.
            write!(out, "&#{};", u32::from(symbol)).ok();
        } else {
            out.push(symbol);
        }
    }
    out
}
