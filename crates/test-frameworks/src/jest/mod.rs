//! jest, through a reporter and a test runner of our own over jest-circus.

use std::collections::BTreeMap;

use crate::javascript::{self, Added};
use crate::{
    Change, Detection, ExitMeaning, FileView, Framework, Plan, PlanError, PlanRequest, Touched,
};

/// jest 27 and later, also behind `npx` or `npm test`.
///
/// A report of our own is exact where jest-junit's templates are not, and needs no package. Ids are
/// `FILE::DESCRIBE > TITLE`, the file relative to the tree. A project with a `testRunner` of its own
/// (jasmine) runs under jest-circus, on both sides.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Jest;

/// Options that would stop early, hide a failure, or stand where ours do.
const FLAGS: [&str; 17] = [
    "--bail",
    "-b",
    "--cache",
    "--changedFilesWithAncestor",
    "--collectCoverage",
    "--coverage",
    "--json",
    "--lastCommit",
    "--listTests",
    "--onlyChanged",
    "-o",
    "--onlyFailures",
    "-f",
    "--showConfig",
    "--watch",
    "--watchAll",
    "--verbose",
];
const VALUED: [&str; 8] = [
    "--changedSince",
    "--coverageThreshold",
    "--outputFile",
    "--reporters",
    "--seed",
    "--shard",
    "--testResultsProcessor",
    "--testRunner",
];

impl Framework for Jest {
    fn name(&self) -> &'static str {
        "jest"
    }

    fn detect(&self, view: &dyn FileView) -> Option<Detection> {
        javascript::detect(view, "jest", "jest.config.")
    }

    fn default_command(&self, view: &dyn FileView) -> Vec<String> {
        javascript::default_command(view, "jest")
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, PlanError> {
        let options = [
            "--ci".to_owned(),
            "--coverage=false".to_owned(),
            "--bail=0".to_owned(),
            "--passWithNoTests".to_owned(),
            "--watchAll=false".to_owned(),
            "--reporters=default".to_owned(),
            format!("--reporters={}", request.in_control("pv_reporter.cjs")),
            format!("--testRunner={}", request.in_control("pv_runner.cjs")),
        ];
        let added = Added {
            framework: "jest",
            flags: &FLAGS,
            valued: &VALUED,
            options: options.to_vec(),
            files: vec![
                ("pv_reporter.cjs", include_str!("reporter.cjs")),
                ("pv_runner.cjs", include_str!("runner.cjs")),
            ],
        };
        javascript::plan(request, added)
    }

    fn exit_meaning(&self, code: i32) -> ExitMeaning {
        exit_meaning(code)
    }

    fn seeds(&self) -> &'static [&'static str] {
        &["Math.random", "fast-check", "jest.getSeed"]
    }

    fn has_inventory(&self) -> bool {
        true
    }

    fn runs(&self, command: &[String]) -> bool {
        javascript::starts(command, "jest")
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

/// 1 has other causes too (a configuration that cannot be read); then no report says a test failed.
pub(crate) const fn exit_meaning(code: i32) -> ExitMeaning {
    match code {
        0 => ExitMeaning::Passed,
        1 => ExitMeaning::TestsFailed,
        _ => ExitMeaning::Broken,
    }
}
