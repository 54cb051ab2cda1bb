//! A verdict for a pull request's comment or a job's summary.
use patch_verdict_core::wire::{SideCounts, VerdictDocument};

use crate::next_step::{next_command, next_step};
use crate::phrases::{
    count, gravest_first, in_excluded, in_results, judged, needs_review, passing_bound, short,
    title, unscored, visible, why_not_judged,
};

const MOST_ROWS: usize = 50;
/// Tests named below one finding.
const MOST_NAMED: usize = 10;

/// The verdict in GitHub-flavoured Markdown; long lists are folded and cut, which is said.
pub fn markdown(document: &VerdictDocument) -> String {
    let mut lines = vec![
        format!("## {}: {}", title(document), visible(&document.reason)),
        String::new(),
        format!("**{}**", escape(&document.headline)),
        String::new(),
        format!(
            "Parent `{}`, patch `{}`. Judged: {}.",
            short(&document.parent_sha),
            short(&document.patch_sha),
            judged(document)
        ),
    ];
    gate(document, &mut lines);
    folded(document, &mut lines);
    findings(document, &mut lines);
    for note in document.notes.iter().chain(&document.isolation.gaps) {
        lines.push(format!("\n> {}", escape(note)));
    }
    if let Some(hash) = &document.contract_hash {
        lines.push(format!("\nContract {}.", code(hash)));
    }
    let next = next_step(document);
    lines.push(match next_command(document) {
        Some(command) => format!("\nNext: {next}: {}\n", code(&command)),
        None => format!("\nNext: {next}.\n"),
    });
    lines.join("\n")
}

/// What the headline and the table have not said; the tests it is about by name.
fn findings(document: &VerdictDocument, lines: &mut Vec<String>) {
    for finding in &document.findings {
        let named = finding.tests.is_empty()
            || in_results(document, finding)
            || in_excluded(document, finding);
        if named && document.headline.starts_with(&finding.detail) {
            continue;
        }
        let (code_of, verdict) = (visible(&finding.code), finding.verdict);
        lines.push(format!(
            "\n- {code_of} ({verdict}): {}",
            escape(&finding.detail)
        ));
        if named {
            continue;
        }
        for test in finding.tests.iter().take(MOST_NAMED) {
            lines.push(format!("  - {}", code(test.as_str())));
        }
        if let Some(more) = finding
            .tests
            .len()
            .checked_sub(MOST_NAMED)
            .filter(|more| *more > 0)
        {
            lines.push(format!("  - and {more} more"));
        }
    }
}

fn gate(document: &VerdictDocument, lines: &mut Vec<String>) {
    if let Some(gate) = document
        .gate
        .as_ref()
        .filter(|gate| !gate.results.is_empty())
    {
        lines.push("\n| test | reason | parent failed | patch failed |".to_owned());
        lines.push("| --- | --- | --- | --- |".to_owned());
        for result in gravest_first(gate).into_iter().take(MOST_ROWS) {
            let failed = |side: &SideCounts| format!("{}/{}", side.fail, side.pass + side.fail);
            let (parent, patch) = (failed(&result.parent), failed(&result.patch));
            let id = code(result.id.as_str());
            let review = if needs_review(result) {
                " (needs a look)"
            } else {
                ""
            };
            let reason = visible(&result.reason);
            lines.push(format!("| {id} | {reason}{review} | {parent} | {patch} |"));
        }
        cut(gate.results.len(), lines);
    }
    if let Some(bound) = passing_bound(document) {
        lines.push(format!("\n{bound}."));
    }
}

fn folded(document: &VerdictDocument, lines: &mut Vec<String>) {
    for (title, tests) in [
        (
            "Changed tests, run on both sides beside the gate",
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
        .map(|test| (test.id.as_str(), escape(&why_not_judged(test))))
        .collect();
    details("Not judged", rows, lines);
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

/// Inline code that no back tick in the text can close: the fence is longer than any run of them.
fn code(text: &str) -> String {
    let text = visible(text).replace('|', "\\|");
    let longest = text.split(|character| character != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text in which no markup of ours or of HTML starts, no person is called and no issue is linked.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '@' => escaped.push_str("&#64;"),
            '#' => escaped.push_str("&#35;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other => escaped.push(other),
        }
    }
    escaped
}
