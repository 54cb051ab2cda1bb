//! What the path of a file says about its part in a test suite.

/// Words in a path that mark what belongs to tests. A false hit costs a look by a person, a miss
/// would leave a changed test in the gate.
const TEST_WORDS: [&str; 27] = [
    "cypress",
    "e2e",
    "expected",
    "fixture",
    "fixtures",
    "golden",
    "goldens",
    "jest",
    "mock",
    "mocks",
    "playwright",
    "proptest",
    "snap",
    "snapshot",
    "snapshots",
    "spec",
    "specs",
    "stub",
    "stubs",
    "test",
    "testdata",
    "testing",
    "tests",
    "testutil",
    "testutils",
    "unittest",
    "vitest",
];

/// The path of `name` in `folder`; the root is `""` or `"."`.
pub(crate) fn join(folder: &str, name: &str) -> String {
    let folder = folder.trim_start_matches("./").trim_matches('/');
    match (folder, name) {
        ("" | ".", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

/// `path` below `folder`; `None` for a file elsewhere.
pub(crate) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    match folder.trim_start_matches("./").trim_matches('/') {
        "" | "." => Some(path),
        folder => path.strip_prefix(folder)?.strip_prefix('/'),
    }
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub(crate) fn extension(path: &str) -> &str {
    file_name(path).rsplit_once('.').map_or("", |(_, end)| end)
}

/// Whether a word of the path marks it as part of a test suite. Words end at anything but letters
/// and digits, and where a capital follows a small letter.
pub(crate) fn belongs_to_tests(path: &str) -> bool {
    let mut word = String::new();
    let mut lower_before = false;
    for character in path.chars().chain(std::iter::once('/')) {
        let boundary = !character.is_alphanumeric() || (character.is_uppercase() && lower_before);
        if boundary {
            if TEST_WORDS.contains(&word.as_str()) {
                return true;
            }
            word.clear();
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        lower_before = character.is_lowercase();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::belongs_to_tests;

    #[test]
    fn words_of_a_path() {
        for (path, wanted) in [
            ("src/a.test.js", true),
            ("src/__snapshots__/a.js", true),
            ("src/testUtils.ts", true),
            ("spec/a.rb", true),
            ("proptest-regressions/a.txt", true),
            ("src/contest.js", false),
            ("src/latest/inspector.js", false),
            ("src/lib.rs", false),
        ] {
            assert_eq!(belongs_to_tests(path), wanted, "{path}");
        }
    }
}
