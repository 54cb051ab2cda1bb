//! Git revisions, trees, diffs and worktrees for tools that compare two versions of a repository.
//!
//! The crate resolves revisions, finds merge bases, lists and diffs trees, turns uncommitted work
//! or a patch file into a commit that no branch knows of, and materialises a commit as a linked,
//! detached worktree whose bytes equal those of `git worktree add`. It does not fetch, merge,
//! rebase, push or move a reference, and it never writes to the user's index or work tree.
//!
//! Reading needs no `git` program. The work tree's status, uncommitted work, patch files and the
//! worktrees that gitoxide would write differently (`ident`, `working-tree-encoding`, filters,
//! partial clones, folders of another owner) do.
//!
//! ```
//! use git_trees::Repository;
//!
//! # let made = test_support::TestRepository::new();
//! # made.write("a.txt", "one\n");
//! # made.commit("first");
//! # made.write("b.txt", "two\n");
//! # made.commit("second");
//! # let folder = made.path();
//! let repository = Repository::discover(folder)?;
//! let parent = repository.resolve("HEAD~1")?;
//! let patch = repository.resolve("HEAD")?;
//! let changes = repository.diff(&parent, &patch)?;
//! assert_eq!(changes[0].path, "b.txt");
//!
//! let place = tempfile::tempdir()?;
//! let worktree = repository.add_worktree(&parent, &place.path().join("parent"))?;
//! assert!(!worktree.path().join("b.txt").exists());
//! worktree.remove()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Names of files
//!
//! Paths are `String`s with `/`. A name that is not UTF-8, or that begins with a quotation mark,
//! is spelled the way git quotes it (`"caf\351.txt"`), so that no two names become one.
//!
//! # Limits
//!
//! The MSRV is 1.90. There are no features.

mod backend;
mod branches;
mod commit_id;
mod diff;
mod error;
mod git_program;
mod history;
mod large_files;
mod objects;
mod patch_text;
mod path_text;
mod registry;
mod removal;
mod repository;
mod resolve;
mod status;
mod submodules;
mod synthetic;
mod worktree;

pub use backend::Backend;
pub use commit_id::CommitId;
pub use diff::{Change, ChangeKind};
pub use error::{GitError, GitErrorKind};
pub use objects::FileEntry;
pub use removal::remove_leftover;
pub use repository::Repository;
pub use status::WorkTreeStatus;
pub use submodules::{Submodule, SubmoduleState};
pub use worktree::Worktree;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
