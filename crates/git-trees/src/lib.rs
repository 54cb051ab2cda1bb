//! Git revisions, trees, diffs and worktrees for tools that compare two versions of a repository.
