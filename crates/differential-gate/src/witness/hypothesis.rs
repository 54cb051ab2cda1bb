//! Hypothesis: examples, seeds and blobs are inputs of a failure, not its class.
use super::pattern::patterns;

patterns! {
    EXAMPLE = r"^\s*(?:Falsifying (?:explicit )?example|Failing (?:explicit )?test case|Failing (?:explicit )?example|Unreliable test timings|You can reproduce this|You can add @seed|Explanation:$|Draw \d+\b|Highest target score|Failed to reproduce exception|These lines were always|Or, to reproduce)";
    SHOWN = r"^\s*(?:Falsifying (?:explicit )?example|Failing (?:explicit )?(?:test case|example)): ?\S+\(|^\s*Unreliable test timings";
    SUBJECT = r"(?s)\bHypothesis [\p{L}\p{N}_.\[\]]+\(.*?\) produces unreliable results";
    COUNT = r"Hypothesis found \d+ distinct failures\.?";
    SUB_EXCEPTIONS = r" \(\d+ sub-exceptions?\)";
    HEALTH = r"HealthCheck\.(\w+)";
}

/// The lines before the first that shows an example.
pub(super) fn without_examples<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    // Words such as `Draw 3` are a message's own unless an example is shown.
    let is_shown = lines.iter().any(|line| SHOWN.is_match(line));
    let end = lines
        .iter()
        .position(|line| is_shown && EXAMPLE.is_match(line));
    let mut kept = lines
        .get(..end.unwrap_or(lines.len()))
        .unwrap_or_default()
        .to_vec();
    while kept.last().is_some_and(|line| line.trim().is_empty()) {
        kept.pop();
    }
    kept
}

/// A message without the call that Hypothesis quotes in it and without its count of failures.
pub(super) fn without_call(text: &str) -> String {
    if !text.contains("Hypothesis ") && !text.contains("sub-exception") {
        return text.to_owned();
    }
    let text = SUBJECT.replace(text, "Hypothesis <call> produces unreliable results");
    let text = COUNT.replace(&text, "Hypothesis found distinct failures");
    SUB_EXCEPTIONS.replace_all(&text, "").into_owned()
}

/// Which health check failed; the counts beside it differ from run to run.
pub(super) fn health_check(kind: &str, body: &[&str]) -> Option<String> {
    if !kind.ends_with("FailedHealthCheck") {
        return None;
    }
    let named = body.iter().find_map(|line| HEALTH.captures(line))?;
    Some(format!("HealthCheck.{}", named.get(1)?.as_str()))
}
