//! Doctest, run by itself or by pytest.
use super::pattern::patterns;
use super::reading::{Reading, expected, join, message};

patterns! {
    NUMBERED = r"^\d{3,} ";
    PYTEST_END = r"^\S.*:\d+: (?:DocTestFailure|UnexpectedException)$";
    EXAMPLE_LINE = r"^(?:\d{3,} )?\s*(?:>>>|\.\.\.) ?(.*)$";
    UNEXPECTED = r"^UNEXPECTED EXCEPTION: (\w+)\((.*)\)$";
}

/// Whether the text is a report of a failed doctest under pytest.
pub(super) fn is_report(text: &str) -> bool {
    text.lines().any(|line| PYTEST_END.is_match(line))
}

/// Reads failed examples: the example, what it should print; not what it printed.
pub(super) fn read(lines: &[&str]) -> Option<Reading> {
    if lines.contains(&"Failed example:") {
        let blocks = lines.split(|line| *line == "Failed example:").skip(1);
        return join(blocks.map(plain).collect());
    }
    lines
        .iter()
        .any(|line| PYTEST_END.is_match(line))
        .then(|| pytest(lines))
}

/// A block of doctest's own report, below `Failed example:`.
fn plain(block: &[&str]) -> Reading {
    let block: Vec<&str> = block
        .iter()
        .copied()
        .take_while(|line| !line.starts_with("*****") && !line.starts_with("-----"))
        .collect();
    let example = section(&block, 0);
    finish(&message(example), &block)
}

/// pytest's report: numbered source, then the same sections.
fn pytest(lines: &[&str]) -> Reading {
    let source: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| NUMBERED.is_match(line))
        .collect();
    // The last example shown is the one that failed.
    let start = source.iter().rposition(|line| line.contains(">>>"));
    let example = source
        .iter()
        .skip(start.unwrap_or(0))
        .filter_map(|line| EXAMPLE_LINE.captures(line))
        .filter_map(|found| found.get(1))
        .map(|group| group.as_str());
    finish(&message(example), lines)
}

/// The class of an example from its sections.
fn finish(example: &str, block: &[&str]) -> Reading {
    let find = |title: &str| block.iter().position(|line| line.starts_with(title));
    if let Some(at) = find("Expected:") {
        let wanted = expected(section(block, at + 1));
        return Reading::new("DocTestFailure", format!("{example}\nExpected: {wanted}"));
    }
    if find("Expected nothing").is_some() {
        return Reading::new("DocTestFailure", format!("{example}\nExpected nothing"));
    }
    if find("Differences (").is_some() {
        let wanted = block.iter().copied().filter(|line| {
            line.trim_start().starts_with('-') && !line.trim_start().starts_with("---")
        });
        let wanted = expected(wanted);
        return Reading::new("DocTestFailure", format!("{example}\nExpected: {wanted}"));
    }
    if let Some(found) = block.iter().find_map(|line| UNEXPECTED.captures(line)) {
        let (_, [kind, text]) = found.extract();
        return Reading::new(kind, format!("{example}\n{}", message([text])));
    }
    let rest: Vec<&str> = block.to_vec();
    let raised = super::python::read_reports(&rest);
    match raised {
        Some(reading) => Reading::new(reading.kind, format!("{example}\n{}", reading.assertion)),
        None => Reading::new("DocTestFailure", message(rest)),
    }
}

/// The indented lines from `start` on.
fn section<'a>(block: &[&'a str], start: usize) -> Vec<&'a str> {
    block
        .iter()
        .skip(start)
        .copied()
        .skip_while(|line| line.trim().is_empty())
        .take_while(|line| line.starts_with([' ', '\t']) || line.is_empty())
        .collect()
}
