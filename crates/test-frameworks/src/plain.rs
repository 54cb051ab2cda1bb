//! A plain command that writes JUnit XML: nothing is injected, listed or seeded.
use std::collections::BTreeMap;

use crate::{
    Detection, ExitMeaning, FileView, Framework, Mode, Plan, PlanError, PlanRequest, PlannedFile,
};

/// The adapter. The command finds the path of its report in `{junit}` or `PATCH_VERDICT_JUNIT`,
/// the seed in `{seed}` or `PATCH_VERDICT_SEED`, and a file of ids, one a line, in `{tests}`.
#[derive(Debug)]
pub(crate) struct Plain;

const TESTS: &str = "tests.txt";

impl Framework for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn detect(&self, _view: &dyn FileView) -> Option<Detection> {
        None
    }

    fn default_command(&self, _view: &dyn FileView) -> Vec<String> {
        Vec::new()
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, PlanError> {
        if request.command.is_empty() {
            return Err(PlanError::NoCommand);
        }
        let path = format!("{}/{TESTS}", request.control);
        let argv = request
            .words()
            .iter()
            .map(|word| word.replace("{tests}", &path))
            .collect();
        let mut files = Vec::new();
        let ids = match request.mode {
            Mode::Scored { ids } => ids.iter().map(|id| format!("{id}\n")).collect(),
            Mode::Collect => return Err(PlanError::CannotList),
            Mode::Discover | Mode::Whole => String::new(),
        };
        let selects = self.can_select(request.command);
        if selects {
            files.push(PlannedFile::new(TESTS, ids));
        }
        let environment = BTreeMap::from([
            ("PATCH_VERDICT_JUNIT".to_owned(), request.report.to_owned()),
            ("PATCH_VERDICT_SEED".to_owned(), request.seed.to_string()),
        ]);
        Ok(Plan {
            argv,
            environment,
            files,
            report: request.report.to_owned(),
            inventory: None,
            ignores_ids: matches!(request.mode, Mode::Scored { .. }) && !selects,
        })
    }

    fn exit_meaning(&self, code: i32) -> ExitMeaning {
        match code {
            0 => ExitMeaning::Passed,
            // 126 and 127 are the shell's: the command could not be started.
            1..=125 => ExitMeaning::TestsFailed,
            _ => ExitMeaning::Broken,
        }
    }

    fn seeds(&self) -> &'static [&'static str] {
        &[]
    }

    fn has_inventory(&self) -> bool {
        false
    }

    fn can_select(&self, command: &[String]) -> bool {
        command.iter().any(|word| word.contains("{tests}"))
    }
}
