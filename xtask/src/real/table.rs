//! The table that stands in docs/real-cases.md.
use super::judged::Judged;

/// All rows in Markdown.
pub(crate) fn table(rows: &[Judged]) -> String {
    let mut lines = vec![
        "| case | truth | verdict | names | right | seconds | plain loops | ratio |".to_owned(),
        "| --- | --- | --- | --- | --- | --- | --- | --- |".to_owned(),
    ];
    lines.extend(rows.iter().map(row));
    lines.push(String::new());
    lines.join("\n")
}

/// One row.
pub(crate) fn row(judged: &Judged) -> String {
    let right = match judged.right {
        Some(true) => "yes",
        Some(false) => "**no**",
        None => "not checked",
    };
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
    let ratio = judged
        .seconds
        .zip(judged.naive_seconds)
        .map(|(ours, naive)| ours / naive);
    format!(
        "| {} | {} | {} | {} | {right} | {} | {} | {} |",
        judged.name,
        judged.label,
        judged.verdict,
        judged.named.replace('|', "\\|"),
        number(judged.seconds),
        number(judged.naive_seconds),
        number(ratio)
    )
}
