//! Uncommitted work or a patch file as a commit that no branch knows of.

use std::path::{Path, PathBuf};

use crate::git_program::{GitProgram, failure};
use crate::patch_text::strip_level;
use crate::status::no_work_tree;
use crate::{CommitId, GitError, GitErrorKind, Repository};

/// Author, committer and date are fixed, so that the same content on the same parent has the same id.
const IDENTITY: [(&str, &str); 6] = [
    ("GIT_AUTHOR_NAME", "patch-verdict"),
    ("GIT_AUTHOR_EMAIL", "patch-verdict@localhost"),
    ("GIT_AUTHOR_DATE", "946684800 +0000"),
    ("GIT_COMMITTER_NAME", "patch-verdict"),
    ("GIT_COMMITTER_EMAIL", "patch-verdict@localhost"),
    ("GIT_COMMITTER_DATE", "946684800 +0000"),
];

impl Repository {
    /// The work tree as a commit on `base_parent`: tracked changes and untracked files, not ignored ones.
    /// A submodule counts as the commit it stands on. The user's index, work tree and references stay as
    /// they are; the objects go into the repository, where git's garbage collection will find them.
    ///
    /// # Errors
    /// `NoWorkTree`, `Conflict` (unmerged files), `Unsupported` (changed files inside a submodule), `NoGit`, `NotTrusted`, `GitFailed`, `Io`.
    pub fn commit_work_tree(&self, base_parent: &CommitId) -> Result<CommitId, GitError> {
        self.commit_work_tree_without(base_parent, &[])
    }

    /// As [`commit_work_tree`](Self::commit_work_tree), leaving changes and new files below the given
    /// paths out (a tool's own output folder, say). Paths are taken from the top, literally, with `/`.
    ///
    /// # Errors
    /// As [`commit_work_tree`](Self::commit_work_tree).
    pub fn commit_work_tree_without(
        &self,
        base_parent: &CommitId,
        left_out: &[&str],
    ) -> Result<CommitId, GitError> {
        if self.root().is_none() {
            return Err(no_work_tree(self));
        }
        let status = self.work_tree_status()?;
        if let Some(first) = status.unmerged.first() {
            return Err(
                GitError::new(GitErrorKind::Conflict, "the work tree has unmerged files:")
                    .with_path(Path::new(first))
                    .with_hint("finish or abort the merge first"),
            );
        }
        if let Some(first) = status.changed_submodules.first() {
            return Err(GitError::new(
                GitErrorKind::Unsupported,
                "uncommitted work inside a submodule cannot be part of a commit:",
            )
            .with_path(Path::new(first))
            .with_hint("commit inside the submodule first"));
        }
        let index = TemporaryIndex::new()?;
        // The user's index carries what is tracked although ignored, and spares reading what is unchanged.
        index.copy_from(&self.git_dir().join("index"))?;
        let mut add = index.on(self.git()).args(&["add", "--all", "--", ":(top)"]);
        for path in left_out {
            if self.ignores(path)? {
                // `git add` refuses to be told to leave out what is ignored. New files stay out
                // anyway; tracked ones are kept as they are in the index.
                self.hold(&index, path)?;
            } else {
                add = add.arg(format!(":(top,exclude,literal){path}"));
            }
        }
        add.run("cannot take up the work tree").map_err(|error| {
            if error
                .to_string()
                .contains("does not have a commit checked out")
            {
                return error.with_kind(GitErrorKind::Unsupported).with_hint(
                    "name the nested repository in `.gitignore`, or commit something inside it",
                );
            }
            error
        })?;
        self.commit_index(&index, base_parent, "uncommitted work")
    }

    /// Whether the ignore rules name this path itself, tracked or not.
    fn ignores(&self, path: &str) -> Result<bool, GitError> {
        let output = self
            .git()
            .args(&["check-ignore", "--quiet", "--no-index", "--"])
            // It knows no `:(literal)`; the call runs at the top.
            .arg(format!("./{path}"))
            .output()?;
        match output.status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(failure("cannot read the ignore rules", &output)),
        }
    }

    /// Has the index take what it tracks below `path` as unchanged.
    fn hold(&self, index: &TemporaryIndex, path: &str) -> Result<(), GitError> {
        let what = "cannot take up the work tree";
        let tracked = index
            .on(self.git())
            .args(&["ls-files", "-z", "--"])
            .arg(format!(":(top,literal){path}"))
            .run(what)?;
        index
            .on(self.git())
            .args(&["update-index", "-z", "--assume-unchanged", "--stdin"])
            .input(&tracked)
            .run(what)?;
        Ok(())
    }

    /// A patch file (unified or git's own format: binary files, renames, modes) applied to `base` as a
    /// commit. Nothing else changes; a patch that does not apply as a whole is not applied at all.
    ///
    /// # Errors
    /// `EmptyPatch`, `PatchFailed` (with git's words: file and line), `Shallow`, `NoGit`, `NotTrusted`, `Io`.
    pub fn commit_patch(&self, base: &CommitId, patch: &[u8]) -> Result<CommitId, GitError> {
        let empty = || {
            GitError::new(GitErrorKind::EmptyPatch, "the patch changes nothing")
                .with_hint("give a unified diff, such as `git diff` prints")
        };
        if patch.trim_ascii().is_empty() {
            return Err(empty());
        }
        let before = self.tree_of(base)?;
        let index = TemporaryIndex::new()?;
        index
            .on(self.git())
            .args(&["read-tree", base.as_str()])
            .run("cannot read the base's tree")?;
        let output = index
            .on(self.git())
            .args(&[
                "-c",
                "core.quotePath=true",
                "apply",
                "--cached",
                "--whitespace=nowarn",
            ])
            .arg("--no-ignore-whitespace")
            .arg(format!("-p{}", strip_level(patch)))
            .arg("-")
            .input(patch)
            .output()?;
        if !output.status.success() {
            let error = failure("the patch does not apply to", &output).with_rev(base.as_str());
            let words = String::from_utf8_lossy(&output.stderr);
            return Err(match error.kind() {
                kind if kind != GitErrorKind::GitFailed => error,
                _ if words.contains("No valid patches") || words.contains("unrecognized input") => {
                    empty().with_detail(words)
                }
                _ => error
                    .with_kind(GitErrorKind::PatchFailed)
                    .with_hint("make the patch anew against this base, or name its own base"),
            });
        }
        let commit = self.commit_index(&index, base, "patch file")?;
        if self.tree_of(&commit)? == before {
            return Err(empty());
        }
        Ok(commit)
    }

    fn commit_index(
        &self,
        index: &TemporaryIndex,
        parent: &CommitId,
        message: &str,
    ) -> Result<CommitId, GitError> {
        let tree = index
            .on(self.git())
            .arg("write-tree")
            .line("cannot write the tree")?;
        let mut call = self.git();
        for (name, value) in IDENTITY {
            call = call.env(name, value);
        }
        let id = call
            .args(&[
                "-c",
                "i18n.commitEncoding=UTF-8",
                "-c",
                "user.useConfigOnly=false",
            ])
            .args(&[
                "commit-tree",
                "--no-gpg-sign",
                "-m",
                message,
                "-p",
                parent.as_str(),
            ])
            .arg(&tree)
            .line("cannot write the commit")?;
        CommitId::from_git_output(&id).ok_or_else(|| {
            GitError::new(GitErrorKind::GitFailed, "git gave no commit id").with_detail(&id)
        })
    }
}

/// An index file of our own, gone when dropped.
struct TemporaryIndex {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl TemporaryIndex {
    fn new() -> Result<Self, GitError> {
        let folder = tempfile::Builder::new()
            .prefix("git-trees-")
            .tempdir()
            .map_err(|error| {
                GitError::io(
                    "cannot make a temporary folder in",
                    &std::env::temp_dir(),
                    &error,
                )
            })?;
        Ok(Self {
            path: folder.path().join("index"),
            _folder: folder,
        })
    }

    /// Takes over another index; none there leaves this one empty.
    fn copy_from(&self, own: &Path) -> Result<(), GitError> {
        let copy = || {
            let mut from = std::fs::File::open(own)?;
            let written = from.metadata()?.modified()?;
            let mut to = std::fs::File::create(&self.path)?;
            std::io::copy(&mut from, &mut to)?;
            // Git trusts an entry only when its file is older than the index. With a younger index, a file
            // changed in the same tick as it was added would count as unchanged.
            to.set_modified(written)
        };
        match copy() {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(GitError::io("cannot copy the index", own, &error))
            }
            _ => Ok(()),
        }
    }

    fn on(&self, call: GitProgram) -> GitProgram {
        call.env("GIT_INDEX_FILE", &self.path)
    }
}
