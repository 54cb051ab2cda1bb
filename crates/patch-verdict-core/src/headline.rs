//! The one sentence above a verdict.
use crate::judge::tests;
use crate::{Evidence, Finding, Verdict};

/// What `reason` means for `count` tests.
pub(crate) fn sentence(reason: &str, count: usize) -> String {
    let subject = tests(count);
    let (fail, have) = if count == 1 {
        ("fails", "has")
    } else {
        ("fail", "have")
    };
    match reason {
        "regression" => format!("{subject} passed on the parent and {fail} with the patch"),
        "witness_mismatch" => {
            format!("{subject} {fail} on both sides, but with the patch in another way")
        }
        "witness_missing" => format!("{subject} {fail} on both sides without saying how"),
        "uniform_fail" => format!("{subject} {fail} in every run of both sides"),
        "missing_seed" => format!("{subject} {have} no result in at least one scheduled run"),
        "shared_variant_fail" => {
            format!("{subject} {fail} now and then on both sides, in the same way")
        }
        "not_isolated" => {
            format!("{subject} {fail} on both sides, but the runs could not be isolated")
        }
        "folded_id" => format!("{subject} {fail} on both sides under ids that change each run"),
        "unstable_witness" => {
            format!("{subject} {fail} on both sides in ways that cannot be compared")
        }
        other => format!("{subject}: {other}"),
    }
}

/// Why the gate stopped before its table.
pub(crate) fn stop(reason: &str) -> String {
    match reason {
        "incomplete_contract" => {
            "no scheduled run of one side gave a result: a crash, a timeout or no report (logs/)"
                .to_owned()
        }
        "invalid_contract" => "the contract is not valid".to_owned(),
        "malformed_row" => "a line of the rows is not a whole row".to_owned(),
        other => {
            format!("the rows contradict their contract ({other}); decision.json lists the lines")
        }
    }
}

/// What a headline is made from.
pub(crate) struct Known<'a> {
    pub(crate) evidence: &'a Evidence,
    pub(crate) verdict: Verdict,
    pub(crate) reason: &'a str,
    /// Gravest first.
    pub(crate) findings: &'a [Finding],
    /// Whether anything fails on the patch alone, even what cannot reject.
    pub(crate) breaks_something: bool,
}

pub(crate) fn headline(known: &Known<'_>) -> String {
    let deciding: Vec<&Finding> = known
        .findings
        .iter()
        .filter(|finding| finding.verdict == known.verdict)
        .collect();
    if let Some(headline) = only_uniform(known, &deciding) {
        return headline;
    }
    if let Some(first) = deciding.first().filter(|first| first.code == known.reason) {
        let others = match deciding.len() - 1 {
            0 => String::new(),
            1 => " (and one more reason)".to_owned(),
            more => format!(" (and {more} more reasons)"),
        };
        return format!("{}{others}", first.detail);
    }
    accepted(known.evidence)
}

/// A reject that comes only from `uniform_fail` says that nothing new broke (RULES §5).
fn only_uniform(known: &Known<'_>, deciding: &[&Finding]) -> Option<String> {
    let uniform = |finding: &&Finding| finding.code == "uniform_fail";
    if known.verdict != Verdict::Reject || known.breaks_something || !deciding.iter().all(uniform) {
        return None;
    }
    // What an earlier contract said names no tests, and speaks for itself.
    let count = deciding
        .iter()
        .map(|finding| finding.tests.len())
        .sum::<usize>();
    let verb = if count == 1 { "fails" } else { "fail" };
    (count > 0).then(|| {
        format!(
            "{} {verb} on both sides; this patch broke nothing new",
            tests(count)
        )
    })
}

fn accepted(evidence: &Evidence) -> String {
    let properties = evidence
        .gate
        .as_ref()
        .map_or(&[][..], |gate| &gate.properties);
    let cleared = properties
        .iter()
        .filter(|property| property.reason == "parent_fail_cleared")
        .count();
    let judged = format!("nothing new fails in {}", tests(properties.len()));
    match cleared {
        0 => judged,
        1 => format!("{judged}; 1 failed before and passes now"),
        cleared => format!("{judged}; {cleared} failed before and pass now"),
    }
}
