//! Which branch is current, what it follows and which one is the default.

use gix::bstr::ByteSlice as _;

use crate::{GitError, Repository};

impl Repository {
    /// The short name of the current branch; `None` when `HEAD` is detached.
    ///
    /// # Errors
    /// `Corrupt` when `HEAD` cannot be read.
    pub fn current_branch(&self) -> Result<Option<String>, GitError> {
        let name = self
            .local()
            .head_name()
            .map_err(|error| GitError::reading("cannot read `HEAD`", &error))?;
        Ok(name.map(|name| name.shorten().to_str_lossy().into_owned()))
    }

    /// The branch that the current one follows, as a name [`resolve`](Self::resolve) knows: `origin/main`,
    /// or `main` where it follows a local branch.
    pub fn upstream_of_head(&self) -> Option<String> {
        let local = self.local();
        let head = local.head_name().ok()??;
        let tracked =
            local.branch_remote_tracking_ref_name(head.as_ref(), gix::remote::Direction::Fetch);
        if let Some(Ok(name)) = tracked {
            return Some(name.shorten().to_str_lossy().into_owned());
        }
        let config = local.config_snapshot();
        let branch = head.shorten().to_str_lossy();
        let remote = config.string(format!("branch.{branch}.remote").as_str())?;
        let merge = config
            .string(format!("branch.{branch}.merge").as_str())?
            .to_string();
        (remote == ".").then(|| merge.trim_start_matches("refs/heads/").to_owned())
    }

    /// The default branch as a name [`resolve`](Self::resolve) knows: what `origin/HEAD` points to, else
    /// `origin/main` or `origin/master`, else `main` or `master`, else the configured
    /// `init.defaultBranch`, whichever exists first.
    pub fn default_branch(&self) -> Option<String> {
        let local = self.local();
        if let Ok(Some(head)) = local.try_find_reference("refs/remotes/origin/HEAD")
            && let Some(name) = head.target().try_name()
            && exists(&local, name.as_bstr().to_str().ok()?)
        {
            return Some(name.shorten().to_str_lossy().into_owned());
        }
        let configured = local.config_snapshot().string("init.defaultBranch");
        let configured = configured.map(|name| format!("refs/heads/{name}"));
        [
            "refs/remotes/origin/main",
            "refs/remotes/origin/master",
            "refs/heads/main",
            "refs/heads/master",
        ]
        .into_iter()
        .map(str::to_owned)
        .chain(configured)
        .find(|name| exists(&local, name))
        .map(|name| {
            let short = name
                .strip_prefix("refs/remotes/")
                .or(name.strip_prefix("refs/heads/"));
            short.unwrap_or(&name).to_owned()
        })
    }

    /// The names of the configured remotes, sorted.
    pub fn remotes(&self) -> Vec<String> {
        self.local()
            .remote_names()
            .iter()
            .map(|name| name.to_str_lossy().into_owned())
            .collect()
    }
}

fn exists(local: &gix::Repository, name: &str) -> bool {
    matches!(local.try_find_reference(name), Ok(Some(_)))
}
