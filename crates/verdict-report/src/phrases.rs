//! Words that several formats share.
use std::collections::BTreeSet;

use patch_verdict_core::wire::{Excluded, Gate, GateResult, UnscoredTest, VerdictDocument};
use patch_verdict_core::{Finding, TestId, Verdict};

/// The text with control characters spelled out: an id or a failure is data, never commands to a
/// terminal, and never a line of its own. So are characters that show as nothing or turn the line.
pub(crate) fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        let unseen = matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
        );
        if character.is_control() || unseen {
            visible.extend(character.escape_default());
        } else {
            visible.push(character);
        }
    }
    visible
}

/// Lines of at most `width` characters, broken between words; a word that is longer stays whole,
/// for ids and paths are copied.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    /// A last word or two that alone would make a line of their own.
    const ORPHAN: usize = 8;
    if text.chars().count() <= width + ORPHAN {
        return vec![text.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    let mut length = 0;
    for word in text.split(' ') {
        let word_length = word.chars().count();
        match lines.last_mut() {
            Some(line) if length + 1 + word_length <= width => {
                line.push(' ');
                line.push_str(word);
                length += 1 + word_length;
            }
            _ => {
                lines.push(word.to_owned());
                length = word_length;
            }
        }
    }
    lines
}

/// The first `width` characters; what is cut is shown by an ellipsis.
pub(crate) fn clipped(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// The gate's results, gravest first: what decides must not stand where a list is cut.
pub(crate) fn gravest_first(gate: &Gate) -> Vec<&GateResult> {
    let order = [
        "regression",
        "witness_mismatch",
        "witness_missing",
        "missing_seed",
        "uniform_fail",
    ];
    let rank = |result: &GateResult| {
        let known = order.iter().position(|reason| *reason == result.reason);
        known.unwrap_or(order.len())
    };
    let mut results: Vec<&GateResult> = gate.results.iter().collect();
    results.sort_by_key(|result| (std::cmp::Reverse(result.decision), rank(result)));
    results
}

/// What a person has to know of an accepted result that failed before.
pub(crate) fn needs_review(result: &GateResult) -> bool {
    result.reason == "parent_fail_cleared"
}

/// `1 test`, `2 tests`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Why a test is not judged, in words where the code alone says little, and which part changed.
pub(crate) fn why_not_judged(test: &Excluded) -> String {
    let reason = match test.reason.as_str() {
        "changed" => "changed by the patch".to_owned(),
        "removed" => "removed by the patch".to_owned(),
        code => visible(code),
    };
    match test.parts.as_slice() {
        [] => reason,
        parts => format!("{reason}: {}", visible(&parts.join(", "))),
    }
}

/// The verdict as the first word of a text.
pub(crate) const fn shout(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accept => "ACCEPT",
        Verdict::ProposeFreeze => "PROPOSE FREEZE",
        Verdict::SpecReview => "SPEC REVIEW",
        Verdict::NotApplicable => "NOT APPLICABLE",
        Verdict::Reject => "REJECT",
    }
}

/// The first words of a text: an accept of some tests alone must not look like one of all.
pub(crate) fn title(document: &VerdictDocument) -> String {
    let partly = document.verdict == Verdict::Accept && document.scope.narrowed;
    let word = shout(document.verdict);
    if partly {
        format!("{word} (of some tests alone)")
    } else {
        word.to_owned()
    }
}

/// Whether the list of results names every test of a finding with its reason already.
pub(crate) fn in_results(document: &VerdictDocument, finding: &Finding) -> bool {
    let Some(gate) = &document.gate else {
        return false;
    };
    let listed: BTreeSet<&TestId> = gate
        .results
        .iter()
        .filter(|result| result.reason == finding.code)
        .map(|result| &result.id)
        .collect();
    !finding.tests.is_empty() && finding.tests.iter().all(|test| listed.contains(test))
}

/// Whether the list of tests outside the gate names every test of a finding.
pub(crate) fn in_excluded(document: &VerdictDocument, finding: &Finding) -> bool {
    let listed: BTreeSet<&TestId> = document.excluded.iter().map(|test| &test.id).collect();
    !finding.tests.is_empty() && finding.tests.iter().all(|test| listed.contains(test))
}

/// Twelve digits of a commit.
pub(crate) fn short(commit: &str) -> String {
    visible(commit.get(..12).unwrap_or(commit))
}

/// A rate as per cent, rounded; never up to certainty.
pub(crate) fn percent(rate: f64) -> String {
    let tenths = (rate * 1000.0).round() / 10.0;
    let tenths = if rate < 1.0 { tenths.min(99.9) } else { tenths };
    format!("{tenths:.1} %")
}

/// What was judged, in one line.
pub(crate) fn judged(document: &VerdictDocument) -> String {
    let scope = &document.scope;
    let seeds = count(scope.seeds.len(), "seed");
    let properties = count(scope.properties, "test");
    if scope.properties == 0 && !scope.narrowed {
        return "no test".to_owned();
    }
    let mut line = format!("{properties} under the same {seeds} on both sides");
    if !scope.framework.is_empty() {
        line = format!("{line}, by {}", visible(&scope.framework));
    }
    if scope.narrowed {
        let left_out = count(scope.not_judged, "test");
        let kind = &scope.kind;
        line = format!("{line}; {left_out} of the suite not judged ({kind})");
    }
    line
}

/// Counts of an unscored test: `parent 0/3 failed, patch 3/3 failed`.
pub(crate) fn unscored(test: &UnscoredTest) -> String {
    let side = |name: &str, counts: patch_verdict_core::wire::UnscoredCounts| {
        let runs = counts.pass + counts.fail + counts.skip + counts.missing;
        let mut words = format!("{name} {}/{runs} failed", counts.fail);
        if counts.skip > 0 {
            words = format!("{words}, {} skipped", counts.skip);
        }
        if counts.missing > 0 {
            words = format!("{words}, {} without result", counts.missing);
        }
        words
    };
    let patch = side("patch", test.patch);
    let parent = test.parent;
    if parent.pass + parent.fail + parent.skip + parent.missing == 0 {
        return patch;
    }
    format!("{}, {patch}", side("parent", test.parent))
}

/// The sentence on what the passing tests cannot exclude.
pub(crate) fn passing_bound(document: &VerdictDocument) -> Option<String> {
    let gate = document.gate.as_ref()?;
    let passing = gate
        .reasons
        .get("both_pass")
        .copied()
        .filter(|count| *count > 0)?;
    let upper = gate.passing_rate_upper?;
    let verb = if passing == 1 { "passes" } else { "pass" };
    Some(format!(
        "{} {verb} on both sides; a regression that fails less than {} of runs cannot be excluded ({:.0} %)",
        count(passing, "test"),
        percent(upper),
        gate.confidence * 100.0
    ))
}
