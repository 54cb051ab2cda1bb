//! Which tests did a patch change? Digests of what each collected test asserts and is fed.
//!
//! Two digests a test, computed for both commits by one isolated Python process over git blobs, never inside the process
//! that runs the tests: the **spec hash** (its function and class; of literal parameters its own row) and the **fixture
//! closure hash** (the rest of its module, conftests and packages above it, plugins of the tree, helpers and data under
//! the test folders, the runner's own configuration). A test counts as changed when either differs; [`differing_parts`] says why.
//!
//! They are a coarse stand-in: where a test cannot be mapped to its source, the whole file counts. They never say
//! "unchanged" for want of knowledge. Decorators of other tests count unless they are known to run nothing of the tree
//! at import (`pytest.mark`, `pytest.fixture`, Hypothesis, `unittest.skip`, `mock.patch` with plain arguments).
//!
//! ```no_run
//! use std::path::Path;
//! use worktree_runner::digests::{Limits, SideView, differing_parts, digest};
//!
//! let (parent, patch) = (SideView::default(), SideView::default());
//! let digests = digest(Path::new("/usr/bin/python3"), &parent, &patch, Limits::default())?;
//! for (id, before) in &digests.parent {
//!     if let Some(after) = digests.patch.get(id) {
//!         let why = differing_parts(before, after);
//!         assert_eq!(why.is_empty(), before == after);
//!     }
//! }
//! # Ok::<(), worktree_runner::digests::DigestError>(())
//! ```

mod answer;
mod child;
mod wanted;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

pub use wanted::wanted_files;

/// One collected test, as the collector of the pytest plugin tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "input that callers build")]
pub struct TestRef {
    /// pytest's node id.
    pub id: String,
    /// Path of the file the item was collected from, relative to the tree, with `/`.
    pub file: String,
    /// `Class.test` or `test`, nested classes dotted, without the bracketed parameters. Empty for a file that is
    /// skipped as a whole, which is then compared as a whole.
    pub qualname: String,
    /// The text between the brackets of the id, if it has any.
    pub params: Option<String>,
    /// For each parameter name, the number of its row (0-based), where the collector knows it.
    pub param_indices: Option<BTreeMap<String, usize>>,
    /// Classes of the test's method resolution order that other files of the tree define: (file, qualified name).
    pub bases: Vec<(String, String)>,
}

/// What kind of entry a path of a commit is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "git has no further kinds")]
pub enum EntryKind {
    /// A file, executable or not.
    #[default]
    File,
    /// A symbolic link; its content is the text of its target.
    Link,
    /// A submodule; its id is the commit.
    Submodule,
}

/// One entry of a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "input that callers build")]
pub struct BlobContent<'a> {
    /// The git object id, which stands for the content.
    pub id: String,
    /// File, link or submodule.
    pub kind: EntryKind,
    /// The bytes, for the paths that [`wanted_files`] names.
    pub content: Option<&'a [u8]>,
}

/// One commit and what was collected from it.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "input that callers build")]
pub struct SideView<'a> {
    /// All entries of the commit by path, relative to the root, with `/`.
    pub files: BTreeMap<String, BlobContent<'a>>,
    /// All collected tests.
    pub tests: Vec<TestRef>,
    /// conftest files that were loaded. Those above a test are found by their path; the list is not needed for them.
    pub conftests: Vec<String>,
    /// Files of the tree that are registered as pytest plugins. conftest files among them are passed over.
    pub plugins: Vec<String>,
    /// The runner's `testpaths`.
    pub testpaths: Vec<String>,
    /// The configuration file that the runner chose, relative to the tree.
    pub inifile: Option<String>,
}

/// Bounds of one computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "input that callers build")]
pub struct Limits {
    /// How long the Python process may take before it is ended.
    pub timeout: Duration,
    /// Files above this size, in bytes, are compared as bytes.
    pub max_file_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(120),
            max_file_bytes: 4 << 20,
        }
    }
}

/// The digests of one test on one side.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TestDigest {
    /// What it asserts: `digest-1:` and 64 hex digits.
    pub spec_hash: String,
    /// What it is fed: `digest-1:` and 64 hex digits.
    pub fixture_closure_hash: String,
    /// Digests by part: `function`, `class`, `row`, `doctest`, `module`, `called`, `conftest:PATH`, `base:PATH`,
    /// `plugin:PATH`, `helper:PATH`, `configuration:PATH`, and of the files under the test folders those that differ
    /// between the sides: `helper:PATH`, `data:PATH`.
    pub parts: BTreeMap<String, String>,
    /// Whether its file was parsed and does not hold its definition: it is made in another way, or
    /// it is gone.
    pub is_undefined: bool,
}

/// The digests of all tests of both sides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Digests {
    /// By node id, on the parent.
    pub parent: BTreeMap<String, TestDigest>,
    /// By node id, on the patch.
    pub patch: BTreeMap<String, TestDigest>,
    /// What was compared as bytes, and why; sorted.
    pub notes: Vec<String>,
}

/// Why no digests could be given.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DigestError {
    /// The interpreter did not start, or its pipes broke.
    #[error("cannot run `{python}` for the digests of the tests")]
    Spawn {
        /// The interpreter.
        python: String,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// It took longer than the limit and did not say over which file.
    #[error("the digests of the tests took longer than {seconds} s")]
    Timeout {
        /// The limit, in seconds.
        seconds: u64,
    },
    /// It ended without an answer.
    #[error("the digests of the tests failed ({status}): {last_line}")]
    Failed {
        /// How it ended.
        status: String,
        /// The last line of its error output.
        last_line: String,
    },
    /// Its answer cannot be read.
    #[error("the digests of the tests cannot be read")]
    Answer {
        /// What is wrong with it.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A test that was asked for is not in its answer.
    #[error("the digests of the tests lack `{id}`")]
    Missing {
        /// The node id.
        id: String,
    },
}

/// How many files may bring the interpreter down before the computation is given up.
const MAX_CRASHES: usize = 8;

/// Computes the digests of every test of both sides in one process of `python` (3.8 or later).
///
/// The interpreter runs isolated (`-I -S`), with an empty environment but for `PATH` and `LD_LIBRARY_PATH`, and reads
/// nothing but what it is handed. A file that it cannot parse, or that crashes it or keeps it busy, is compared as bytes.
///
/// # Errors
/// [`DigestError`]: no interpreter, no answer in time, or an answer that lacks a test.
pub fn digest(
    python: &Path,
    parent: &SideView<'_>,
    patch: &SideView<'_>,
    limits: Limits,
) -> Result<Digests, DigestError> {
    let mut opaque = BTreeSet::new();
    loop {
        let input = answer::request(parent, patch, &opaque, limits);
        match child::run(python, input, limits.timeout)? {
            child::Outcome::Answer(bytes) => return answer::read(&bytes, parent, patch),
            child::Outcome::Broke {
                reading: Some(blob),
                error,
            } => {
                if opaque.len() >= MAX_CRASHES || !opaque.insert(blob) {
                    return Err(error);
                }
            }
            child::Outcome::Broke {
                reading: None,
                error,
            } => return Err(error),
        }
    }
}

/// The parts in which two digests of a test differ, sorted by name; empty exactly when both hashes are equal.
pub fn differing_parts(before: &TestDigest, after: &TestDigest) -> Vec<String> {
    let names: BTreeSet<&String> = before.parts.keys().chain(after.parts.keys()).collect();
    let mut differing: Vec<String> = names
        .into_iter()
        .filter(|name| before.parts.get(*name) != after.parts.get(*name))
        .cloned()
        .collect();
    let equal = before.spec_hash == after.spec_hash
        && before.fixture_closure_hash == after.fixture_closure_hash;
    if differing.is_empty() && !equal {
        differing.push("unknown".to_owned());
    }
    differing
}
