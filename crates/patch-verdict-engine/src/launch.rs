//! Starts runs of the suite in one workspace.
use std::collections::BTreeMap;

use worktree_runner::{TestCommand, TestRun, TestRunLeft, Workspace};

use crate::CheckError;
use crate::suite::Suite;

/// A workspace and what is run in it.
pub(crate) struct Launcher<'a> {
    pub(crate) workspace: Workspace<'a>,
    pub(crate) suite: &'a Suite,
    /// Variables that the base's configuration sets, `{seed}` not yet replaced.
    pub(crate) set: &'a BTreeMap<String, String>,
}

impl Launcher<'_> {
    pub(crate) fn launch(&mut self, run: &TestRun<'_>) -> Result<TestRunLeft, CheckError> {
        let suite = self.suite;
        let directory = &suite.config.directory;
        let command = TestCommand::new(suite.framework, &suite.command, directory, self.set);
        self.workspace
            .run_tests(&command, run)
            .map_err(CheckError::from)
    }
}
