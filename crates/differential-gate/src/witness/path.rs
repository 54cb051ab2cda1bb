//! Drops the folders of absolute paths; the base name says which file is meant.
use super::pattern::{patterns, replace};

patterns! {
    // After a method of HTTP it is a route, and stays whole.
    UNIX = r#"((?:^|[\s'"`(])(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) +|^|[\s'"`(<\[{=,;:>]|file://)(/(?:[^\s'"`<>|:;,()\[\]{}/\\*?]+/)+[^\s'"`<>|:;,()\[\]{}/\\*?]*)"#;
    WINDOWS = r#"(^|[\s'"`(<\[{=,;>])((?:[A-Za-z]:|\\\\[\w.-]+)(?:\\{1,2}|/)(?:[^\s'"`<>|:;,()\[\]{}/\\*?]+(?:\\{1,2}|/))*[^\s'"`<>|:;,()\[\]{}/\\*?]*)"#;
    // Python's `tempfile`, `mktemp`, Rust's `tempfile`, .NET, JUnit, random `mkdtemp` tails.
    TEMP_NAME = r"^(?:tmp[A-Za-z0-9_]{4,10}|tmp\.[A-Za-z0-9]{6,12}|\.tmp[A-Za-z0-9]{6}|junit-?\d{6,20}|pytest-\d+|[A-Za-z]*\d{9,20})(\.[A-Za-z][A-Za-z0-9]{0,7})?$";
    RANDOM_TAIL = r"^([A-Za-z][\w-]*?[-_.])([A-Za-z0-9]{6,12})(\.[A-Za-z][A-Za-z0-9]{0,7})?$";
    RANDOM_BARE = r"^(Test[A-Za-z_]+?|[a-z]+?)\d{8,}(\.[A-Za-z][A-Za-z0-9]{0,7})?$";
    EXTENSION = r"\.[A-Za-z][A-Za-z0-9]{0,7}$";
    // Line numbers of files that are not known to be equal on both sides.
    LINE = r"([\w$-]+\.(?:py|pyi|pyx|rs|js|mjs|cjs|jsx|ts|mts|cts|tsx|vue|svelte|go|java|kt|kts|scala|groovy|cs|fs|vb|rb|php|c|cc|cpp|cxx|h|hh|hpp|swift|ex|exs|m|mm|dart|lua|pl|sh)):(?:line )?\d+(?::\d+)?\b";
    FILE_LINE = r#"(File "[^"\n]+"|file '[^'\n]+'), line \d+"#;
}

/// First components of absolute paths that are file systems, not routes of a web service.
const ROOTS: [&str; 25] = [
    "tmp",
    "private",
    "var",
    "home",
    "Users",
    "root",
    "usr",
    "opt",
    "etc",
    "work",
    "workspace",
    "workspaces",
    "builds",
    "mnt",
    "srv",
    "runner",
    "github",
    "__w",
    "nix",
    "proc",
    "dev",
    "sys",
    "Volumes",
    "Library",
    "Applications",
];

/// Shortens every absolute path in `text` to `<path>/` and its base name, and drops line numbers of source files.
pub(super) fn shorten_paths(text: &mut String) {
    for pattern in [&UNIX, &WINDOWS] {
        if pattern.is_match(text) {
            *text = pattern
                .replace_all(text, |found: &regex::Captures<'_>| {
                    let (_, [before, path]) = found.extract();
                    if before
                        .trim_end()
                        .ends_with(|last: char| last.is_ascii_uppercase())
                    {
                        format!("{before}{path}")
                    } else {
                        format!("{before}{}", shorten(path))
                    }
                })
                .into_owned();
        }
    }
    replace(text, &LINE, "${1}");
    replace(text, &FILE_LINE, "${1}");
}

/// `<path>/base` of one path; a route such as `/api/v1/users` stays as it is.
fn shorten(path: &str) -> String {
    let trimmed = path.trim_end_matches('.');
    let dots = path.get(trimmed.len()..).unwrap_or_default();
    let parts: Vec<&str> = trimmed
        .split(['/', '\\'])
        .filter(|part| !part.is_empty())
        .collect();
    let (Some(first), Some(base)) = (parts.first(), parts.last()) else {
        return path.to_owned();
    };
    let is_windows = !path.starts_with('/');
    let is_file = EXTENSION.is_match(base);
    if !(is_windows || ROOTS.contains(first) || is_file) {
        return path.to_owned();
    }
    // A device is its name, and a file system root has no folder to lose.
    if !is_windows && (matches!(*first, "dev" | "proc" | "sys") || parts.len() < 2) {
        return path.to_owned();
    }
    let is_temporary = parts
        .iter()
        .any(|part| matches!(*part, "tmp" | "Temp" | "T" | "TMP" | "temp"));
    format!("<path>/{}{dots}", base_name(base, is_temporary))
}

/// The base name, unless it is one that a library drew at random.
fn base_name(base: &str, is_temporary: bool) -> String {
    if let Some(found) = TEMP_NAME.captures(base) {
        let random = base
            .chars()
            .any(|c| c.is_ascii_digit() || c == '_' || c == '.')
            || (is_temporary && base.starts_with("tmp"));
        if random {
            let extension = found.get(1).map_or("", |group| group.as_str());
            return format!("<tmp>{extension}");
        }
    }
    if is_temporary {
        if let Some(found) = RANDOM_TAIL.captures(base) {
            let group = |index| found.get(index).map_or("", |group| group.as_str());
            if is_random(group(2)) {
                return format!("{}<tmp>{}", group(1), group(3));
            }
        }
        if let Some(found) = RANDOM_BARE.captures(base) {
            let group = |index| found.get(index).map_or("", |group| group.as_str());
            return format!("{}<tmp>{}", group(1), group(2));
        }
    }
    base.to_owned()
}

/// Whether a name's tail mixes letters, cases and digits as no person would.
fn is_random(tail: &str) -> bool {
    let digits = tail.chars().any(|c| c.is_ascii_digit());
    let lower = tail.chars().any(|c| c.is_ascii_lowercase());
    let upper = tail.chars().skip(1).any(|c| c.is_ascii_uppercase());
    (digits && (lower || upper)) || (lower && upper)
}
