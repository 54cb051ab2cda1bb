//! Exception groups of Python, among them the several failures that Hypothesis found.
use super::hypothesis;
use super::pattern::patterns;
use super::python::read_reports;
use super::reading::Reading;

patterns! {
    MARGIN = r"^\s*(?:\| ?|\+ )";
    MEMBER = r"^\s*\+[-+]+ (?:\d+|\.\.\.) -+$|^\s*\+-+$";
}

/// Reads a group as the type of the group and the sorted set of its members.
pub(super) fn read(lines: &[&str]) -> Option<Reading> {
    let start = lines
        .iter()
        .position(|line| line.trim_start().starts_with("+ Exception Group Traceback"))?;
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in lines.iter().skip(start) {
        if MEMBER.is_match(line) {
            blocks.push(Vec::new());
        } else {
            let end = MARGIN.find(line).map_or(0, |margin| margin.end());
            let line = line.get(end..).unwrap_or_default();
            // A nested group: its heading reads like a traceback's.
            let line = if line.trim_start().starts_with("Exception Group Traceback") {
                "Traceback (most recent call last):"
            } else {
                line
            };
            if let Some(block) = blocks.last_mut() {
                block.push(line);
            }
        }
    }
    let mut blocks = blocks.into_iter();
    let head = head(&blocks.next()?);
    let mut group = read_reports(&head)?;
    let mut members: Vec<String> = blocks
        .filter(|block| block.iter().any(|line| !line.trim().is_empty()))
        .map(|block| member(&block))
        .collect();
    members.sort();
    members.dedup();
    group.assertion = hypothesis::without_call(&group.assertion);
    if !members.is_empty() {
        group.assertion = format!("{} [{}]", group.assertion, members.join("; "));
    }
    Some(group)
}

/// The group's own traceback, without the report that Hypothesis quotes below it.
fn head<'a>(block: &[&'a str]) -> Vec<&'a str> {
    hypothesis::without_examples(block)
}

/// One member; without frames it is its exception line alone.
fn member(block: &[&str]) -> String {
    let mut lines = vec!["Traceback (most recent call last):"];
    let framed = block.iter().any(|line| {
        line.trim_start()
            .starts_with("Traceback (most recent call last):")
    });
    if framed {
        lines.clear();
    }
    lines.extend_from_slice(block);
    read_reports(&lines).map_or_else(
        || super::reading::message(block.iter().copied()),
        |reading| reading.describe(),
    )
}
