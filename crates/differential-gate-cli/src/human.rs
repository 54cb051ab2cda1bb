//! A decision as text for a person: the answer first, then what it rests on.
use std::collections::BTreeMap;
use std::fmt::Write as _;

use differential_gate::{Decision, GateDecision, Issue, PropertyResult, Reason, RowCounts, Side};

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    Headline,
    Usual,
    Everything,
}

/// Properties that pass on both sides and are still listed one by one.
const FEW: usize = 5;
/// Issues and witnesses that are listed before the rest is counted.
const LISTED: usize = 10;

/// The whole text, ending with a line feed.
pub(crate) fn text(decision: &GateDecision, detail: Detail, colored: bool) -> String {
    let mut out = String::new();
    if !decision.is_bound() {
        out.push_str("UNBOUND: these rows quote no contract; this is advice, not a green light\n");
    }
    let mark = paint(decision.decision(), colored);
    let word = decision.decision().as_str().to_uppercase();
    let sentence = headline(decision);
    writeln!(out, "{}{word}{}  {sentence}", mark.0, mark.1).ok();
    if detail == Detail::Headline {
        return out;
    }
    issues(&mut out, decision, detail);
    results(&mut out, decision, detail, colored);
    foot(&mut out, decision);
    out
}

/// One sentence: the reason code and what it means here.
pub(crate) fn headline(decision: &GateDecision) -> String {
    let code = decision.reason();
    let concerned = decision
        .results()
        .iter()
        .filter(|r| r.reason == code)
        .count();
    let all = decision.results().len();
    let tests = |count: usize| {
        let noun = if count == 1 { "property" } else { "properties" };
        format!("{count} {noun}")
    };
    let meaning = match code {
        Reason::InvalidContract => "the contract cannot be used".to_owned(),
        Reason::MalformedRow => "a line is not a whole row".to_owned(),
        Reason::WrongTree => "rows come from another commit than their side".to_owned(),
        Reason::SpecHashMismatch => "rows ran other specs than the contract's".to_owned(),
        Reason::FixtureHashMismatch => "rows ran on other fixtures than the contract's".to_owned(),
        Reason::IncompleteContract => "a side has no row of this contract".to_owned(),
        Reason::UnknownProperty => "rows name a property outside the contract".to_owned(),
        Reason::SeedScheduleMismatch => "rows leave the seed schedule".to_owned(),
        Reason::DuplicateRow => "a property has two rows for one seed".to_owned(),
        Reason::Regression => format!(
            "{} of {} passed on the parent and failed on the patch",
            concerned,
            tests(all)
        ),
        Reason::WitnessMismatch => {
            format!(
                "{} failed on both sides, in different ways",
                tests(concerned)
            )
        }
        Reason::WitnessMissing => format!(
            "{} failed on both sides, and a failure does not say how",
            tests(concerned)
        ),
        Reason::UniformFail => format!(
            "{} failed on both sides without one pass; this patch broke nothing new",
            tests(concerned)
        ),
        Reason::MissingSeed => format!("{} lack scheduled rows", tests(concerned)),
        Reason::SharedVariantFail => format!(
            "{} failed now and then on both sides in the same way; a person must decide",
            tests(concerned)
        ),
        Reason::ParentFailCleared => format!(
            "nothing new fails; {} no longer failed, which needs a spec review",
            tests(concerned)
        ),
        Reason::BothPass => format!("{} passed on both sides", tests(all)),
    };
    format!("{code}: {meaning}")
}

fn issues(out: &mut String, decision: &GateDecision, detail: Detail) {
    let issues = decision.issues();
    if issues.is_empty() {
        return;
    }
    out.push('\n');
    let limit = match detail {
        Detail::Headline | Detail::Usual => LISTED,
        Detail::Everything => usize::MAX,
    };
    for issue in issues.iter().take(limit) {
        writeln!(out, "  {}", issue_line(issue)).ok();
    }
    let rest = issues.len().saturating_sub(limit) as u64 + decision.issues_omitted();
    if rest > 0 {
        writeln!(out, "  … and {rest} more").ok();
    }
}

/// `malformed_row  patch line 3: field_seed`.
pub(crate) fn issue_line(issue: &Issue) -> String {
    let mut line = issue.code.to_string();
    if let Some(side) = issue.side {
        write!(line, "  {}", side.name()).ok();
    }
    match issue.line {
        Some(0) => line.push_str(", the file as a whole"),
        Some(number) => {
            write!(line, " line {number}").ok();
        }
        None => {}
    }
    if let Some(prop) = &issue.prop {
        write!(line, "  {}", printable(prop)).ok();
    }
    if let Some(detail) = &issue.detail {
        write!(line, ": {}", printable(detail)).ok();
    }
    line
}

fn results(out: &mut String, decision: &GateDecision, detail: Detail, colored: bool) {
    let mut sorted: Vec<&PropertyResult> = decision.results().iter().collect();
    // By rank, so that what decides stands first; by id within one reason.
    sorted.sort_by_key(|result| result.reason);
    let passing = sorted
        .iter()
        .filter(|r| r.reason == Reason::BothPass)
        .count();
    let fold = detail != Detail::Everything && passing > FEW;
    if !sorted.is_empty() {
        out.push('\n');
    }
    for result in sorted {
        if fold && result.reason == Reason::BothPass {
            continue;
        }
        let mark = paint(result.decision, colored);
        let (prop, word, code) = (printable(&result.prop), result.decision, result.reason);
        writeln!(out, "  {prop}  {}{word} {code}{}", mark.0, mark.1).ok();
        writeln!(out, "      {}", result.sentence()).ok();
        if result.reason != Reason::BothPass {
            witnesses(out, result);
        }
    }
    if fold {
        let schedule = decision.scheduled();
        writeln!(
            out,
            "  {passing} properties  accept both_pass  0/{schedule}, 0/{schedule} (--verbose lists them)"
        )
        .ok();
    }
}

/// The witness classes, each once, with the sides that saw it.
fn witnesses(out: &mut String, result: &PropertyResult) {
    let mut seen: BTreeMap<&str, (bool, bool)> = BTreeMap::new();
    for class in &result.parent.witnesses {
        seen.entry(class).or_default().0 = true;
    }
    for class in &result.patch.witnesses {
        seen.entry(class).or_default().1 = true;
    }
    for (class, sides) in seen.iter().take(LISTED) {
        let side = match sides {
            (true, true) => "both",
            (true, false) => "parent",
            (false, _) => "patch",
        };
        let class = if class.trim().is_empty() {
            "(a failure that does not say how)".to_owned()
        } else {
            printable(class)
        };
        writeln!(out, "      {side:>6}: {class}").ok();
    }
    let rest = seen.len().saturating_sub(LISTED);
    if rest > 0 {
        writeln!(out, "      … and {rest} more ways of failing").ok();
    }
    if result.parent.witnesses_cut || result.patch.witnesses_cut {
        out.push_str("      … and others, compared but not kept: their texts were too many\n");
    }
}

fn foot(out: &mut String, decision: &GateDecision) {
    out.push('\n');
    if let Some(hash) = decision.contract_hash() {
        for side in Side::BOTH {
            let rows = counts(decision.rows(side));
            writeln!(out, "  {:<8}  {rows}", side.name()).ok();
        }
        writeln!(out, "  contract  {hash}").ok();
    }
    if decision.scheduled() == 1 && decision.issues().is_empty() {
        out.push_str("  a schedule of one seed cannot show a flake: every failure on both sides counts as stable\n");
    }
    out.push_str("  counts only; no flake rate of the suite is claimed\n");
}

/// `70 rows counted: 69 pass, 1 fail`.
pub(crate) fn counts(rows: RowCounts) -> String {
    let mut text = format!(
        "{} rows counted: {} pass, {} fail",
        rows.counted, rows.pass, rows.fail
    );
    if rows.ignored > 0 {
        write!(text, "; {} of another contract ignored", rows.ignored).ok();
    }
    let malformed = rows.lines - rows.counted - rows.ignored;
    if malformed > 0 {
        write!(text, "; {malformed} malformed").ok();
    }
    text
}

/// Control characters escaped: what a report holds must not steer a terminal.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for symbol in text.chars() {
        if symbol.is_control()
            || matches!(symbol, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        {
            out.extend(symbol.escape_unicode());
        } else {
            out.push(symbol);
        }
    }
    out
}

const fn paint(decision: Decision, colored: bool) -> (&'static str, &'static str) {
    match (colored, decision) {
        (false, Decision::Accept | Decision::Reject | Decision::ProposeFreeze) => ("", ""),
        (true, Decision::Accept) => ("\u{1b}[32m", "\u{1b}[0m"),
        (true, Decision::Reject) => ("\u{1b}[31m", "\u{1b}[0m"),
        (true, Decision::ProposeFreeze) => ("\u{1b}[33m", "\u{1b}[0m"),
    }
}
