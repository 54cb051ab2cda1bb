//! Places in spec files that a text names: the only line numbers a class may hold.
use super::pattern::patterns;

patterns! {
    // `File "a/b.py", line 3`, `a/b.py:3`, `B.cs:line 3`, `b.rb:3:in`, `B.php(3)`.
    PLACE = r#"File "([^"\n]+)", line (\d+)|([^\s"'()<>|:,;=\[\]]*[^\s"'()<>|:,;=\[\]/\\]\.[A-Za-z]{1,5}):(?:line )?(\d+)|([A-Za-z]:\\[^\s"'()<>|:,;=]+\.[A-Za-z]{1,5}):(?:line )?(\d+)|([^\s"'()<>|:,;=\[\]]+\.(?:php|cs|cpp|cc|cxx|ts|tsx|js|fs|vb))\((\d+)[,)]"#;
    // `at app//com.acme.LedgerTest.total(LedgerTest.java:21)`: the package tells the folder.
    JVM = r"(?:^|[\s/])((?:[\w$]+\.)*)[\w$]+\.[\w$<>-]+\(([\w$-]+\.(?:java|kt|groovy|scala)):(\d+)\)";
}

/// A line of a spec file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    /// The path as the caller gave it.
    pub(super) file: String,
    /// The line, in decimal digits.
    pub(super) line: String,
}

/// How many places a class holds at most.
const LIMIT: usize = 6;

/// Every place in one of `spec_files` that `text` names, in the order of the text, without doubles.
pub(super) fn in_spec_files(text: &str, spec_files: &[&str]) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    if spec_files.is_empty() {
        return frames;
    }
    let mut add = |file: &str, line: &str| {
        let frame = Frame {
            file: file.to_owned(),
            line: line.trim_start_matches('0').to_owned(),
        };
        if !frame.line.is_empty() && frames.len() < LIMIT && !frames.contains(&frame) {
            frames.push(frame);
        }
    };
    for line in text.lines() {
        for found in JVM.captures_iter(line) {
            let (_, [package, name, number]) = found.extract();
            let path = format!("{}{name}", package.replace('.', "/"));
            if let Some(file) = spec_files.iter().find(|file| ends_with_path(file, &path)) {
                add(file, number);
            }
        }
        for found in PLACE.captures_iter(line) {
            let mut groups = found.iter().skip(1).flatten();
            let (Some(path), Some(number)) = (groups.next(), groups.next()) else {
                continue;
            };
            let path = path.as_str().replace('\\', "/");
            // The longest spec path wins: `a/b.py` is not `b.py`.
            let file = spec_files
                .iter()
                .filter(|file| ends_with_path(&path, file))
                .max_by_key(|file| file.len());
            if let Some(file) = file {
                add(file, number.as_str());
            }
        }
    }
    frames
}

/// Whether `path` is `tail` or ends with it as whole components.
fn ends_with_path(path: &str, tail: &str) -> bool {
    let path = path.trim_start_matches("./");
    let tail = tail.trim_start_matches("./");
    !tail.is_empty()
        && path
            .strip_suffix(tail)
            .is_some_and(|head| head.is_empty() || head.ends_with('/'))
}
