//! A run's report against what the framework streamed while its tests ran.
use std::collections::{BTreeMap, BTreeSet};

use patch_verdict_core::{Ended, Forgery, Outcome, ReportState, RunResults, TestId};
use test_frameworks::{Channel, ChannelError, ChannelOutcome};

use crate::channel::Streamed;

/// What the channel of a run adds to its report.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Compared {
    /// How they differ.
    pub(super) forged: Option<Forgery>,
    /// The test in which the run ended before its time.
    pub(super) running: Option<String>,
    /// Whether every result of the report came over the channel as well.
    pub(super) agrees: bool,
}

/// Compares, and takes the results of tests that differ out of `results`: they are evidence for
/// nothing. `report` is the state of the report as it was read, before anything was left out.
///
/// A run that was stopped, or ended in a way that no report explains, is not compared: an
/// interrupted test stands half in its report, and such an end accepts nothing anyway.
pub(super) fn compare(
    streamed: Option<&Streamed>,
    (report, ended): (&ReportState, Option<&Ended>),
    results: &mut RunResults,
) -> Compared {
    let Some(streamed) = streamed else {
        return Compared::default();
    };
    let fault = |words: String| Compared {
        forged: Some(Forgery {
            fault: words,
            tests: Vec::new(),
        }),
        ..Compared::default()
    };
    if streamed.dropped_bytes > 0 {
        return fault("more came over the result channel than a run has to say".to_owned());
    }
    let channel = match Channel::parse(&streamed.bytes) {
        // The framework did not come as far as our part of it; there is nothing to believe either.
        Err(ChannelError::Silent) if *report != ReportState::Complete => {
            return Compared::default();
        }
        Err(error) => return fault(error.to_string()),
        Ok(channel) => channel,
    };
    if *report != ReportState::Complete || matches!(ended, Some(Ended::TimedOut | Ended::Other(_)))
    {
        return Compared {
            running: channel.running,
            ..Compared::default()
        };
    }
    if channel.ended.is_none() {
        return fault("it was complete before the tests had ended".to_owned());
    }
    let unreported = unreported(&channel, results);
    if let Some(first) = unreported.first() {
        let more = unreported.len() - 1;
        let more = if more == 0 {
            String::new()
        } else {
            format!(" and of {more} more")
        };
        return fault(format!("the result of `{first}`{more} is not in it"));
    }
    let tests = differing(&channel.results, results);
    results.retain(|id, _| tests.binary_search(id).is_err());
    Compared {
        agrees: tests.is_empty(),
        forged: (!tests.is_empty()).then(|| Forgery {
            fault: String::new(),
            tests,
        }),
        running: None,
    }
}

/// Tests of the channel that no case of the report stands for, sorted.
fn unreported<'a>(channel: &'a Channel, results: &RunResults) -> Vec<&'a str> {
    let reported: BTreeSet<&str> = results
        .values()
        .flat_map(|result| result.nodes.iter().map(String::as_str))
        .collect();
    let streamed = channel.results.keys().map(String::as_str);
    streamed.filter(|id| !reported.contains(id)).collect()
}

/// Tests whose cases, folded, are not what their ids on the channel fold to; sorted.
fn differing(streamed: &BTreeMap<String, ChannelOutcome>, results: &RunResults) -> Vec<TestId> {
    let said = |nodes: &[String]| -> Option<Outcome> {
        let mut outcome = None;
        for node in nodes {
            let one = match streamed.get(node)? {
                ChannelOutcome::Passed => Outcome::Pass,
                ChannelOutcome::Skipped => Outcome::Skip,
                ChannelOutcome::Failed => Outcome::Fail,
            };
            outcome = outcome.max(Some(one));
        }
        outcome
    };
    let differing = results
        .iter()
        // A module that is skipped as a whole has a case and no test: a skip that passes for nothing.
        .filter(|(_, result)| !(result.nodes.is_empty() && result.status == Outcome::Skip))
        .filter(|(_, result)| said(&result.nodes) != Some(result.status));
    differing.map(|(id, _)| id.clone()).collect()
}

#[cfg(test)]
mod tests;
