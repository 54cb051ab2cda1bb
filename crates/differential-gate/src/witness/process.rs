//! Processes that ended by themselves: interpreter crashes, signals, with the stacks they dump.
use super::pattern::patterns;
use super::reading::{Reading, message};

patterns! {
    FATAL = r"^Fatal Python error: (.*)$";
    THREAD = r"^(?:Current thread|Thread) 0x[0-9a-f]+";
    FRAME = r#"^\s+File "([^"]*)", line \d+ in (.*)$"#;
    TIMEOUT_DUMP = r"^[+~]{5,} (?:Timeout|Stack of .*) [+~]{5,}$";
}

/// Whether a line begins a dump of a crashed interpreter.
pub(super) fn marks(line: &str) -> bool {
    FATAL.is_match(line) || TIMEOUT_DUMP.is_match(line)
}

/// Reads what killed the process, and the innermost function of the thread that was running.
pub(super) fn read(text: &str) -> Option<Reading> {
    let lines: Vec<&str> = text.lines().collect();
    if let Some(found) = lines.iter().find_map(|line| FATAL.captures(line)) {
        let reason = message([found.get(1)?.as_str()]);
        let function = lines
            .iter()
            .skip_while(|line| !line.starts_with("Current thread"))
            .find_map(|line| FRAME.captures(line));
        let place = function.map_or_else(String::new, |frame| {
            let (_, [path, name]) = frame.extract();
            let base = path.rsplit(['/', '\\']).next().unwrap_or(path);
            format!(" in {name} of {base}")
        });
        return Some(Reading::new(
            "Fatal Python error",
            format!("{reason}{place}"),
        ));
    }
    // pytest-timeout dumps every stack: where the threads were at that moment is chance.
    let kept = lines.iter().copied().filter(|line| {
        !TIMEOUT_DUMP.is_match(line)
            && !FRAME.is_match(line)
            && !THREAD.is_match(line)
            && !line.starts_with("    ")
            && !line.starts_with("  File ")
    });
    Some(Reading::new("Timeout", message(kept)))
}
