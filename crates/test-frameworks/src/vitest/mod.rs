//! vitest, through a reporter of our own that selects, seeds and reports.

use std::collections::BTreeMap;

use crate::javascript::{self, Added};
use crate::{
    Change, Detection, ExitMeaning, FileView, Framework, Plan, PlanError, PlanRequest, Touched,
};

/// vitest 3 and later, also behind `npx` or `npm test`.
///
/// Ids are `FILE::DESCRIBE > TITLE`, the file relative to the tree. `Math.random` is seeded once for
/// each test file, since nothing outside the tree may register a hook for each test.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Vitest;

/// Options that would stop early, hide a failure, or stand where ours do.
const FLAGS: [&str; 8] = [
    "--coverage",
    "--coverage.enabled",
    "--watch",
    "-w",
    "--run",
    "--ui",
    "--silent",
    "--passWithNoTests",
];
const VALUED: [&str; 9] = [
    "--bail",
    "--changed",
    "--mergeReports",
    "--outputFile",
    "--outputFile.junit",
    "--reporter",
    "--retry",
    "--sequence.seed",
    "--shard",
];

impl Framework for Vitest {
    fn name(&self) -> &'static str {
        "vitest"
    }

    fn detect(&self, view: &dyn FileView) -> Option<Detection> {
        javascript::detect(view, "vitest", "vitest.")
    }

    fn default_command(&self, view: &dyn FileView) -> Vec<String> {
        javascript::default_command(view, "vitest")
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, PlanError> {
        let options = [
            "--run".to_owned(),
            "--passWithNoTests".to_owned(),
            "--coverage.enabled=false".to_owned(),
            "--retry=0".to_owned(),
            "--bail=0".to_owned(),
            format!("--sequence.seed={}", request.seed),
            "--reporter=default".to_owned(),
            format!("--reporter={}", request.in_control("pv_reporter.mjs")),
        ];
        let added = Added {
            framework: "vitest",
            flags: &FLAGS,
            valued: &VALUED,
            options: options.to_vec(),
            files: vec![
                ("pv_reporter.mjs", include_str!("reporter.mjs")),
                ("pv_setup.mjs", include_str!("setup.mjs")),
            ],
        };
        javascript::plan(request, added)
    }

    fn exit_meaning(&self, code: i32) -> ExitMeaning {
        crate::jest::exit_meaning(code)
    }

    fn seeds(&self) -> &'static [&'static str] {
        &["Math.random", "fast-check", "order"]
    }

    fn has_inventory(&self) -> bool {
        true
    }

    fn runs(&self, command: &[String]) -> bool {
        javascript::starts(command, "vitest")
    }

    fn runs_behind(&self, command: &[String]) -> bool {
        javascript::is_package_manager(command)
    }

    fn set_up(&self, view: &dyn FileView, directory: &str, _command: &[String]) -> Vec<String> {
        javascript::set_up(view, directory)
    }

    fn touched(&self, change: &Change<'_>) -> Option<Touched> {
        Some(javascript::touched(change))
    }

    fn locked(&self, view: &dyn FileView, directory: &str) -> BTreeMap<String, String> {
        javascript::locked(view, directory)
    }

    fn loose_id(&self, id: &str) -> String {
        javascript::whole_file(id)
    }
}
