//! Words that several formats share.
use patch_verdict_core::Verdict;
use patch_verdict_core::wire::{UnscoredTest, VerdictDocument};

/// The text with control characters spelled out: an id or a failure is data, never commands to a
/// terminal, and never a line of its own.
pub(crate) fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        // Bidirectional overrides can make a line read as what it is not.
        let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || turns || matches!(character, '\u{2028}' | '\u{2029}') {
            visible.extend(character.escape_default());
        } else {
            visible.push(character);
        }
    }
    visible
}

/// `1 test`, `2 tests`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
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

/// Twelve digits of a commit.
pub(crate) fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
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
    let mut line = format!("{properties} judged, {seeds} a side, {}", scope.framework);
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
