//! Who writes a worktree's files: gitoxide only where it is known to write what git writes.

use std::path::PathBuf;

use crate::repository::runs_in_a_hook;
use crate::{CommitId, GitError, Repository};

/// What wrote a worktree's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Gitoxide, in this process.
    Gix,
    /// The `git` program: where gitoxide would write other bytes, or could not.
    Git,
}

impl Backend {
    /// `gix` or `git`, for records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gix => "gix",
            Self::Git => "git",
        }
    }
}

impl Repository {
    /// Whether nothing is in play that gitoxide is known to do differently.
    pub(crate) fn gix_writes_the_same(
        &self,
        local: &gix::Repository,
        commit: &CommitId,
    ) -> Result<bool, GitError> {
        // In a hook, gitoxide may not look at variables, and so misses configuration they point to.
        let configured_elsewhere = runs_in_a_hook()
            && [
                "GIT_CONFIG_GLOBAL",
                "GIT_CONFIG_SYSTEM",
                "GIT_CONFIG_NOSYSTEM",
            ]
            .iter()
            .any(|name| std::env::var_os(name).is_some());
        if !self.is_owned() || self.is_partial() || configured_elsewhere {
            return Ok(false);
        }
        let config = local.config_snapshot();
        let converts = [
            "core.autocrlf",
            "core.eol",
            "core.symlinks",
            "core.sparseCheckout",
        ]
        .into_iter()
        .chain([
            "core.fileMode",
            "core.attributesFile",
            "extensions.worktreeConfig",
        ])
        .chain([
            "worktree.useRelativePaths",
            "core.worktree",
            "core.precomposeUnicode",
        ])
        .any(|key| match key {
            "core.fileMode" | "core.symlinks" => config.boolean(key) == Some(false),
            "core.attributesFile" | "core.worktree" | "core.eol" => config.string(key).is_some(),
            // `input` is no boolean: anything but a plain `false` is git's business.
            _ => config.string(key).is_some() && config.boolean(key) != Some(false),
        });
        if converts || self.outer_attributes_convert() {
            return Ok(false);
        }
        for (path, id, mode) in self.entries(local, commit)? {
            let is_attributes = path == ".gitattributes" || path.ends_with(b"/.gitattributes");
            if is_attributes && mode != 0o160_000 {
                let Ok(blob) = local.find_blob(id) else {
                    return Ok(false);
                };
                if mode == 0o120_000 || attributes_convert(&blob.data) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Attribute files outside the tree: of the repository, the user and the system.
    fn outer_attributes_convert(&self) -> bool {
        let home = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let user = home("XDG_CONFIG_HOME").or_else(|| Some(home("HOME")?.join(".config")));
        [
            Some(self.common_dir().join("info/attributes")),
            Some(self.git_dir().join("info/attributes")),
            user.map(|folder| folder.join("git/attributes")),
            Some(PathBuf::from("/etc/gitattributes")),
            Some(PathBuf::from("/usr/local/etc/gitattributes")),
        ]
        .into_iter()
        .flatten()
        .any(|file| match std::fs::read(file) {
            Ok(bytes) => attributes_convert(&bytes),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        })
    }
}

/// Whether a file of attributes names one that gitoxide handles differently. A word in a comment or in a
/// pattern counts too: then git writes the tree, which is never wrong.
fn attributes_convert(bytes: &[u8]) -> bool {
    ["ident", "working-tree-encoding", "filter"]
        .iter()
        .any(|word| {
            bytes
                .windows(word.len())
                .any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
        })
}
