//! Any command that writes a JUnit report: no inventory, no seeds but the exported one.

use crate::plan::fill;
use crate::{
    Detection, ExitMeaning, FileView, Framework, Mode, Plan, PlanError, PlanRequest, PlannedFile,
};

/// A command that writes JUnit to `{junit}` or to the path in `PATCH_VERDICT_JUNIT`.
///
/// Single tests can be selected only where `{tests}` stands in the command: it becomes the path of a
/// file with one id a line.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Plain;

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
        request.check()?;
        let ids = match request.mode {
            Mode::Collect => return Err(PlanError::CannotCollect("plain")),
            Mode::Scored { ids } => Some(ids),
            Mode::Discover | Mode::Whole => None,
        };
        let selects = request.command.iter().any(|part| part.contains("{tests}"));
        let mut files = Vec::new();
        if selects {
            let ids = ids.unwrap_or_default();
            if let Some(id) = ids.iter().find(|id| id.contains(['\n', '\r', '\0'])) {
                return Err(PlanError::BadId(id.clone()));
            }
            let contents = ids.iter().flat_map(|id| [id.as_str(), "\n"]).collect();
            files.push(PlannedFile {
                name: "tests.txt".to_owned(),
                contents,
            });
        }
        let seed = request.seed.to_string();
        let tests = request.in_control("tests.txt");
        let values = [
            ("{seed}", &*seed),
            ("{junit}", request.report),
            ("{tests}", tests.as_str()),
        ];
        Ok(Plan {
            argv: request
                .command
                .iter()
                .map(|part| fill(part, &values))
                .collect(),
            environment: request.exported(),
            files,
            report: request.report.to_owned(),
            inventory: None,
            channel: None,
            ignores_ids: ids.is_some() && !selects,
        })
    }

    fn exit_meaning(&self, code: i32) -> ExitMeaning {
        match code {
            0 => ExitMeaning::Passed,
            // Shells give 126 and 127 where the command could not be started at all.
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
}
