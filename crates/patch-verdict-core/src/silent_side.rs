//! A side of which no scored run gave a result: which tests, how its runs ended, which log to read.
use crate::judge::tests;
use crate::judge_runs::{runs, words};
use crate::{Evidence, Outcome, ReportState, RunFacts, RunKind, SideName};

/// So many tests are named in the sentence; the finding holds all of them.
const NAMED: usize = 3;

/// The sentence about the first such side, the patch before the parent; `None` where both sides gave
/// some result.
pub(crate) fn sentence(evidence: &Evidence) -> Option<String> {
    let silent = |side: &SideName| {
        let mut scored = runs(evidence, *side, RunKind::Scored).peekable();
        scored.peek().is_some() && scored.all(|run| !gave_a_result(evidence, run))
    };
    let side = [SideName::Patch, SideName::Parent]
        .into_iter()
        .find(silent)?;
    let run = runs(evidence, side, RunKind::Scored).next()?;
    let properties = &evidence.buckets.properties;
    let mut named: Vec<String> = properties
        .iter()
        .take(NAMED)
        .map(|id| format!("`{id}`"))
        .collect();
    if properties.len() > NAMED {
        named.push("…".to_owned());
    }
    let name = match side {
        SideName::Parent => "parent",
        SideName::Patch => "patch",
    };
    let log = match evidence.logs.get(&(side, run.seed)) {
        Some(log) => format!(" (see {log})"),
        None => " (see its log)".to_owned(),
    };
    Some(format!(
        "no run of the {name} gave a result for {} ({}): the run with seed {} {}{log}",
        tests(properties.len()),
        named.join(", "),
        run.seed,
        end(run),
    ))
}

fn gave_a_result(evidence: &Evidence, run: &RunFacts) -> bool {
    let mut results = run.results.iter();
    results
        .any(|(id, outcome)| *outcome != Outcome::Skip && evidence.buckets.properties.contains(id))
}

fn end(run: &RunFacts) -> String {
    let ended = match &run.ended {
        crate::Ended::TimedOut => "was stopped at its timeout".to_owned(),
        other => format!("ended with `{}`", words(other)),
    };
    let ended = match &run.running {
        Some(test) => format!("{ended} in `{test}`"),
        None => ended,
    };
    match &run.report {
        ReportState::Complete => ended,
        ReportState::Missing => format!("{ended} and left no report"),
        ReportState::Broken(_) if run.ended == crate::Ended::TimedOut => ended,
        ReportState::Broken(why) => format!("{ended}, and its report is broken: {why}"),
    }
}
