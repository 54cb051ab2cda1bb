//! Do both sides run the same harness? (RULES §2, `harness_changed`.)
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a difference in an installed distribution means for the verdict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct HarnessChange {
    /// The distribution's name.
    pub name: String,
    /// Its version (and origin) on the parent; empty when absent.
    pub parent: String,
    /// Its version (and origin) on the patch; empty when absent.
    pub patch: String,
}

impl fmt::Display for HarnessChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            parent,
            patch,
        } = self;
        match (parent.is_empty(), patch.is_empty()) {
            (true, _) => write!(f, "{name} (only with the patch: {patch})"),
            (_, true) => write!(f, "{name} (only on the parent: {parent})"),
            _ => write!(f, "{name} ({parent} on the parent, {patch} with the patch)"),
        }
    }
}

/// Differences in the test runner, its plugins, assertion or property libraries, and in any
/// dependency from a path, an address or version control but the project itself.
///
/// Values are versions, followed by ` @ ORIGIN` for what was not installed from an index.
pub fn harness_changes(
    parent: &BTreeMap<String, String>,
    patch: &BTreeMap<String, String>,
    project: Option<&str>,
) -> Vec<HarnessChange> {
    let names: BTreeSet<&String> = parent.keys().chain(patch.keys()).collect();
    let mut changes = Vec::new();
    for name in names {
        let (before, after) = (parent.get(name), patch.get(name));
        if before == after || project.is_some_and(|project| same_name(project, name)) {
            continue;
        }
        let from_elsewhere = [before, after]
            .into_iter()
            .flatten()
            .any(|text| text.contains(" @ "));
        if from_elsewhere || is_harness(name) {
            changes.push(HarnessChange {
                name: name.clone(),
                parent: before.cloned().unwrap_or_default(),
                patch: after.cloned().unwrap_or_default(),
            });
        }
    }
    changes
}

/// Distribution names compare without case, and `-`, `_`, `.` are one character (PEP 503).
fn same_name(left: &str, right: &str) -> bool {
    let plain = |name: &str| name.to_lowercase().replace(['_', '.'], "-");
    plain(left) == plain(right)
}

/// Scopes of the npm registry whose packages run tests or assert.
const SCOPES: [&str; 5] = [
    "@jest/",
    "@vitest/",
    "@testing-library/",
    "@fast-check/",
    "@sinonjs/",
];

/// The same of npm and crates.io, where families share a name's start less often.
const ELSEWHERE: [&str; 38] = [
    "assert-cmd",
    "ava",
    "babel-jest",
    "chai",
    "expect",
    "expect-test",
    "fake-indexeddb",
    "fast-check",
    "fastcheck",
    "goldenfile",
    "happy-dom",
    "insta",
    "jsdom",
    "jsverify",
    "k9",
    "libtest-mimic",
    "mocha",
    "mockall",
    "mockito",
    "msw",
    "nock",
    "predicates",
    "pretty-assertions",
    "proptest",
    "proptest-derive",
    "quickcheck",
    "quickcheck-macros",
    "rstest",
    "serial-test",
    "similar-asserts",
    "sinon",
    "supertest",
    "test-case",
    "testing-library",
    "trybuild",
    "trycmd",
    "ts-jest",
    "wiremock",
];

/// The runner, its plugins, assertion and property libraries by the names they are published under.
fn is_harness(name: &str) -> bool {
    let name = name.to_lowercase().replace(['_', '.'], "-");
    let families = [
        "pytest",
        "jest",
        "vitest",
        "hypothesis",
        "unittest",
        "nose",
        "tox",
        "coverage",
    ];
    // `python` is the interpreter; `python-dateutil` and its like are ordinary dependencies.
    let members = [
        "python",
        "nose2",
        "unittest2",
        "anyio",
        "pluggy",
        "iniconfig",
        "mock",
        "assertpy",
        "expects",
        "pyhamcrest",
        "sure",
        "ward",
        "schemathesis",
        "freezegun",
        "time-machine",
        "responses",
        "respx",
        "vcrpy",
        "syrupy",
        "snapshottest",
        "doctest",
        "xdoctest",
        "sybil",
        "factory-boy",
        "faker",
        "testfixtures",
        "parameterized",
        "ddt",
        "subtests",
        "execnet",
        "dirty-equals",
        "inline-snapshot",
        "icontract",
        "crosshair-tool",
        "polyfactory",
    ];
    families
        .iter()
        .any(|family| name == *family || name.starts_with(&format!("{family}-")))
        || members.contains(&name.as_str())
        || ELSEWHERE.contains(&name.as_str())
        || SCOPES.iter().any(|scope| name.starts_with(scope))
}
