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

pub(crate) fn headline(
    evidence: &Evidence,
    verdict: Verdict,
    reason: &str,
    findings: &[Finding],
) -> String {
    let deciding = || findings.iter().filter(|finding| finding.verdict == verdict);
    let only_uniform = verdict == Verdict::Reject
        && deciding().all(|finding| finding.code == "uniform_fail")
        && deciding().next().is_some();
    if only_uniform {
        let count = deciding().map(|finding| finding.tests.len()).sum::<usize>();
        let verb = if count == 1 { "fails" } else { "fail" };
        return format!(
            "{} {verb} on both sides; this patch broke nothing new",
            tests(count)
        );
    }
    if let Some(first) = deciding().find(|finding| finding.code == reason) {
        let more = deciding().count() - 1;
        let others = match more {
            0 => String::new(),
            1 => " (and one more reason)".to_owned(),
            more => format!(" (and {more} more reasons)"),
        };
        return format!("{}{others}", first.detail);
    }
    let judged = evidence
        .gate
        .as_ref()
        .map_or(0, |gate| gate.properties.len());
    match reason {
        "parent_fail_cleared" => {
            format!(
                "nothing new fails in {}; some failed before and pass now",
                tests(judged)
            )
        }
        _ => format!("nothing new fails in {}", tests(judged)),
    }
}
