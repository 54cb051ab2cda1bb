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
            return Some(short_name(&local, &name.as_bstr().to_str_lossy()));
        }
        let config = local.config_snapshot();
        let branch = head.shorten().to_str_lossy();
        let remote = config.string(format!("branch.{branch}.remote").as_str())?;
        let merge = config
            .string(format!("branch.{branch}.merge").as_str())?
            .to_string();
        (remote == ".").then(|| short_name(&local, &merge))
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
            return Some(short_name(&local, &name.as_bstr().to_str_lossy()));
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
        .map(|name| short_name(&local, &name))
    }

    /// The branch of a remote, as last fetched, by a name that [`resolve`](Self::resolve) takes for nothing else.
    pub fn branch_of_remote(&self, remote: &str, branch: &str) -> Option<String> {
        self.named(&format!("refs/remotes/{remote}/{branch}"))
    }

    /// The local branch, by a name that [`resolve`](Self::resolve) takes for nothing else.
    pub fn local_branch(&self, branch: &str) -> Option<String> {
        self.named(&format!("refs/heads/{branch}"))
    }

    fn named(&self, name: &str) -> Option<String> {
        let local = self.local();
        exists(&local, name).then(|| short_name(&local, name))
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
    // The search also tries the name as part of longer ones.
    let found = local.try_find_reference(name);
    matches!(found, Ok(Some(reference)) if reference.name().as_bstr() == name)
}

/// The shortest spelling that no tag and no other branch takes: what `git rev-parse --abbrev-ref` prints.
fn short_name(local: &gix::Repository, full: &str) -> String {
    let is_id = |text: &str| {
        matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let means_it = |short: &str| {
        let meanings = [
            short.to_owned(),
            format!("refs/{short}"),
            format!("refs/tags/{short}"),
            format!("refs/heads/{short}"),
            format!("refs/remotes/{short}"),
            format!("refs/remotes/{short}/HEAD"),
        ];
        let others = meanings.iter().filter(|meaning| *meaning != full);
        !is_id(short) && !others.into_iter().any(|meaning| exists(local, meaning))
    };
    let spellings = [
        full.splitn(3, '/').nth(2),
        full.split_once('/').map(|(_, rest)| rest),
    ];
    let short = spellings
        .into_iter()
        .flatten()
        .find(|short| means_it(short));
    short.unwrap_or(full).to_owned()
}
