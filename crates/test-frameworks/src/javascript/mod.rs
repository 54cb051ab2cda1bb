//! What jest and vitest share: package files, the command, the files of a plan, changed tests.

mod package;
mod touched;

use serde_json::json;

pub(crate) use package::{default_command, detect, locked, set_up};
pub(crate) use touched::touched;

use crate::{Mode, Plan, PlanError, PlanRequest, PlannedFile};

const REPORT: &str = include_str!("report.cjs");
const RANDOM: &str = include_str!("random.cjs");

/// What an adapter adds to a command.
pub(crate) struct Added<'a> {
    /// Name of the framework.
    pub(crate) framework: &'static str,
    /// Options of the user that are dropped, with their values where they have one.
    pub(crate) flags: &'a [&'a str],
    pub(crate) valued: &'a [&'a str],
    /// Options for the end of the command.
    pub(crate) options: Vec<String>,
    /// The adapter's own files.
    pub(crate) files: Vec<(&'static str, &'static str)>,
}

/// The plan of either framework.
pub(crate) fn plan(request: &PlanRequest<'_>, added: Added<'_>) -> Result<Plan, PlanError> {
    request.check()?;
    if request.command.iter().any(|part| part.contains("{tests}")) {
        return Err(PlanError::Placeholder("{tests}", added.framework));
    }
    let (mode, ids): (&str, &[String]) = match request.mode {
        Mode::Discover => ("discover", &[]),
        Mode::Collect => ("collect", &[]),
        Mode::Scored { ids } => ("scored", ids),
        Mode::Whole => ("whole", &[]),
    };
    let inventory = request.in_control("inventory.json");
    let settings = json!({
        "mode": mode,
        "ids": ids,
        "seed": request.seed,
        "tree": request.tree,
        "report": request.report,
        "inventory": inventory,
    });
    let mut argv = without(&request.filled_command(), added.flags, added.valued);
    if passes_through_npm(&argv) {
        argv.push("--".to_owned());
    }
    argv.extend(added.options);
    let shared = [("pv_report.cjs", REPORT), ("pv_random.cjs", RANDOM)];
    let mut files: Vec<PlannedFile> = shared
        .into_iter()
        .chain(added.files)
        .map(|(name, contents)| PlannedFile {
            name: name.to_owned(),
            contents: contents.to_owned(),
        })
        .collect();
    files.push(PlannedFile {
        name: "settings.json".to_owned(),
        contents: settings.to_string(),
    });
    Ok(Plan {
        argv,
        environment: request.exported(),
        files,
        report: request.report.to_owned(),
        inventory: Some(inventory),
        channel: None,
        ignores_ids: false,
    })
}

/// The command without options that would stop a run early, hide a failure or stand in our way.
fn without(command: &[String], flags: &[&str], valued: &[&str]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = command.iter().peekable();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or(word);
        if flags.contains(&name) {
            continue;
        }
        if valued.contains(&name) {
            if name == word && words.peek().is_some_and(|next| !next.starts_with('-')) {
                words.next();
            }
            continue;
        }
        kept.push(word.clone());
    }
    kept
}

/// npm keeps options for itself unless they stand behind `--`.
fn passes_through_npm(command: &[String]) -> bool {
    let npm = command
        .iter()
        .position(|word| crate::paths::file_name(word) == "npm");
    npm.is_some_and(|at| {
        command
            .iter()
            .skip(at)
            .any(|word| matches!(word.as_str(), "test" | "t" | "tst" | "run" | "run-script"))
    }) && !command.iter().any(|word| word == "--")
}

/// Whether a word of the command is the program `name`, or a path to it.
pub(crate) fn starts(command: &[String], name: &str) -> bool {
    command.iter().any(|word| {
        let file = crate::paths::file_name(word);
        file == name || file.strip_suffix(".js").or(file.strip_suffix(".mjs")) == Some(name)
    })
}

/// Whether options at the command's end reach the script that it runs.
pub(crate) fn is_package_manager(command: &[String]) -> bool {
    let first = command.first().map(|word| crate::paths::file_name(word));
    matches!(first, Some("npm" | "npx" | "yarn" | "pnpm" | "bun"))
}

/// Every test of the file that `id` is in.
pub(crate) fn whole_file(id: &str) -> String {
    id.split_once("::")
        .map_or_else(|| id.to_owned(), |(file, _)| format!("{file}::*"))
}
