//! A verdict for a pull request's comment or a job's summary.
use patch_verdict_core::wire::{SideCounts, VerdictDocument};

use crate::next_step::next_step;
use crate::phrases::{count, judged, passing_bound, short, shout, unscored, visible};

const MOST_ROWS: usize = 50;

/// The verdict in GitHub-flavoured Markdown; long lists are folded and cut, which is said.
pub fn markdown(document: &VerdictDocument) -> String {
    let mut lines = vec![
        format!("## {}: {}", shout(document.verdict), document.reason),
        String::new(),
        format!("**{}**", escape(&document.headline)),
        String::new(),
        format!(
            "Parent `{}`, patch `{}`. {}.",
            short(&document.parent_sha),
            short(&document.patch_sha),
            escape(&judged(document))
        ),
    ];
    gate(document, &mut lines);
    folded(document, &mut lines);
    for finding in &document.findings {
        let detail = escape(&finding.detail);
        lines.push(format!(
            "\n- {} ({}): {detail}",
            finding.code, finding.verdict
        ));
    }
    for note in document.notes.iter().chain(&document.isolation.gaps) {
        lines.push(format!("\n> {}", escape(note)));
    }
    if let Some(hash) = &document.contract_hash {
        lines.push(format!("\nContract `{hash}`."));
    }
    lines.push(format!("\nNext: {}.\n", escape(&next_step(document))));
    lines.join("\n")
}

fn gate(document: &VerdictDocument, lines: &mut Vec<String>) {
    if let Some(gate) = document
        .gate
        .as_ref()
        .filter(|gate| !gate.results.is_empty())
    {
        lines.push("\n| test | reason | parent failed | patch failed |".to_owned());
        lines.push("| --- | --- | --- | --- |".to_owned());
        for result in gate.results.iter().take(MOST_ROWS) {
            let failed = |side: &SideCounts| format!("{}/{}", side.fail, side.pass + side.fail);
            let (parent, patch) = (failed(&result.parent), failed(&result.patch));
            let id = code(result.id.as_str());
            lines.push(format!("| {id} | {} | {parent} | {patch} |", result.reason));
        }
        cut(gate.results.len(), lines);
    }
    if let Some(bound) = passing_bound(document) {
        lines.push(format!("\n{}.", escape(&bound)));
    }
}

fn folded(document: &VerdictDocument, lines: &mut Vec<String>) {
    for (title, tests) in [
        (
            "Changed tests, run without a score",
            &document.changed_tests,
        ),
        ("New tests", &document.new_tests),
    ] {
        let rows = tests
            .iter()
            .map(|test| (test.id.as_str(), unscored(test)))
            .collect();
        details(title, rows, lines);
    }
    let excluded = document.excluded.iter();
    let rows = excluded
        .map(|test| {
            (
                test.id.as_str(),
                format!("{} {}", test.reason, escape(&test.parts.join(", "))),
            )
        })
        .collect();
    details("Outside the gate", rows, lines);
}

fn details(title: &str, rows: Vec<(&str, String)>, lines: &mut Vec<String>) {
    if rows.is_empty() {
        return;
    }
    let total = rows.len();
    lines.push(format!(
        "\n<details><summary>{title}: {}</summary>\n",
        count(total, "test")
    ));
    for (id, text) in rows.into_iter().take(MOST_ROWS) {
        lines.push(format!("- {}: {text}", code(id)));
    }
    cut(total, lines);
    lines.push("\n</details>".to_owned());
}

fn cut(total: usize, lines: &mut Vec<String>) {
    if let Some(more) = total.checked_sub(MOST_ROWS).filter(|more| *more > 0) {
        lines.push(format!("\n{more} more stand in `verdict.json`."));
    }
}

/// Inline code that a back tick in an id cannot close.
fn code(text: &str) -> String {
    let fence = if text.contains('`') { "``" } else { "`" };
    let text = visible(text).replace('|', "\\|");
    format!("{fence}{text}{fence}")
}

/// Text in which no markup of ours or of HTML starts.
fn escape(text: &str) -> String {
    visible(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('|', "\\|")
}
