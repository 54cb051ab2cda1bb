//! Which tests the changed files of a patch may have changed: what is asked, and the answer.

use std::collections::{BTreeMap, BTreeSet};

use crate::FileView;

/// The files of both sides, and the tests of the parent.
#[derive(Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers build it; a new field must be decided by each"
)]
pub struct Change<'a> {
    /// The parent's tree.
    pub before: &'a dyn FileView,
    /// The patch's tree.
    pub after: &'a dyn FileView,
    /// Paths whose content or mode differs, or that are on one side alone.
    pub files: &'a [String],
    /// The suite's folder; the root is `""` or `"."`.
    pub directory: &'a str,
    /// Tests of the parent.
    pub tests: &'a [TestPlace<'a>],
}

impl std::fmt::Debug for Change<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Change")
            .field("files", &self.files)
            .field("tests", &self.tests)
            .finish_non_exhaustive()
    }
}

/// One test and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct TestPlace<'a> {
    /// Node id in the framework's own spelling.
    pub id: &'a str,
    /// `classname` in the JUnit report; empty where only `id` is known.
    pub suite: &'a str,
    /// `name` in the JUnit report; empty where only `id` is known.
    pub name: &'a str,
    /// The file it was collected from, relative to the tree; empty where that is not known.
    pub file: &'a str,
}

/// What the changed files may have changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Touched {
    /// Why every test counts as changed, such as `helper:tests/util.js`; empty where not all do.
    pub all: BTreeSet<String>,
    /// The tests that count as changed, by id, each with its reasons.
    pub tests: BTreeMap<String, BTreeSet<String>>,
}

impl Touched {
    pub(crate) fn everything(&mut self, kind: &str, path: &str) {
        self.all.insert(format!("{kind}:{path}"));
    }

    /// Marks the tests for which `wanted` holds; says whether there was one.
    pub(crate) fn mark(
        &mut self,
        change: &Change<'_>,
        (kind, path): (&str, &str),
        wanted: impl Fn(&TestPlace<'_>) -> bool,
    ) -> bool {
        let mut any = false;
        for test in change.tests.iter().filter(|test| wanted(test)) {
            any = true;
            self.tests
                .entry(test.id.to_owned())
                .or_default()
                .insert(format!("{kind}:{path}"));
        }
        any
    }
}
