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

impl<'a> Launcher<'a> {
    pub(crate) fn launch(&mut self, run: &TestRun<'_>) -> Result<TestRunLeft, CheckError> {
        let command = self.command();
        self.workspace
            .run_tests(&command, run)
            .map_err(CheckError::from)
    }

    /// Makes these runs, up to `jobs` at once; `ended` gets each as it ends.
    pub(crate) fn launch_all(
        &mut self,
        runs: &[TestRun<'_>],
        jobs: usize,
        ended: impl FnMut(usize, TestRunLeft) -> Result<(), CheckError>,
    ) -> Result<(), CheckError> {
        let command = self.command();
        self.workspace.run_all_tests(&command, runs, jobs, ended)
    }

    const fn command(&self) -> TestCommand<'a> {
        let suite = self.suite;
        TestCommand::new(
            suite.framework,
            suite.command.as_slice(),
            suite.config.directory.as_str(),
            self.set,
        )
    }
}
