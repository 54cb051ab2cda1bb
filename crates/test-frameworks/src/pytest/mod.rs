//! pytest, through a plugin of our own that any command which ends in pytest loads.

mod detect;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::json;

use crate::{
    Detection, ExitMeaning, FileView, Framework, Mode, Plan, PlanError, PlanRequest, PlannedFile,
};

/// Text of the plugin; it reads its orders from `settings.json` beside it.
const PLUGIN: &str = include_str!("plugin.py");

/// pytest 6.2 and later, also behind `python -m pytest`, `uv run pytest`, `tox` or `make test`.
///
/// The plugin is loaded through `PYTEST_PLUGINS` and `PYTHONPATH`, so a wrapper that clears the
/// environment, or `python -I`/`-E`, keeps it out: there is then no inventory and no evidence.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Pytest;

impl Framework for Pytest {
    fn name(&self) -> &'static str {
        "pytest"
    }

    fn detect(&self, view: &dyn FileView) -> Option<Detection> {
        detect::detect(view)
    }

    fn default_command(&self, view: &dyn FileView) -> Vec<String> {
        detect::default_command(view)
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, PlanError> {
        request.check()?;
        if request.command.iter().any(|part| part.contains("{tests}")) {
            return Err(PlanError::Placeholder("{tests}", "pytest"));
        }
        if let Some(option) = isolating_option(request.command) {
            return Err(PlanError::IsolatedPython(option.to_owned()));
        }
        let separator = path_separator(request.control);
        if request
            .control
            .trim_start_matches(|c: char| c.is_ascii_alphabetic())
            .contains(separator)
            && separator == ':'
        {
            let path = request.control.to_owned();
            let extra = ", and without `:`, which separates the entries of PYTHONPATH";
            return Err(PlanError::BadPath {
                what: "control folder",
                path,
                extra,
            });
        }
        let module = format!("pv_{}", request.nonce);
        let inventory = request.in_control("inventory.json");
        let channel = format!("channel-{}", request.nonce);
        let environment = environment(request, &module, separator);
        let channel_path = request.in_control(&channel);
        let settings = settings(request, &inventory, &channel_path, &environment);
        let mut exported = request.exported();
        exported.extend(environment);
        Ok(Plan {
            argv: request.filled_command(),
            environment: exported,
            files: vec![
                PlannedFile {
                    name: format!("{module}.py"),
                    contents: PLUGIN.to_owned(),
                },
                PlannedFile {
                    name: "settings.json".to_owned(),
                    contents: settings,
                },
            ],
            report: request.report.to_owned(),
            inventory: Some(inventory),
            channel: Some(channel),
            ignores_ids: false,
        })
    }

    fn exit_meaning(&self, code: i32) -> ExitMeaning {
        match code {
            0 => ExitMeaning::Passed,
            1 => ExitMeaning::TestsFailed,
            2 => ExitMeaning::Interrupted,
            5 => ExitMeaning::NothingCollected,
            _ => ExitMeaning::Broken,
        }
    }

    fn seeds(&self) -> &'static [&'static str] {
        &["python.random", "numpy.random", "hypothesis", "order"]
    }

    fn has_inventory(&self) -> bool {
        true
    }

    fn runs(&self, command: &[String]) -> bool {
        let name = |word: &String| word.rsplit('/').next().unwrap_or(word).to_owned();
        command
            .iter()
            .any(|word| matches!(name(word).as_str(), "pytest" | "py.test"))
    }

    fn runs_behind(&self, _command: &[String]) -> bool {
        true
    }

    fn loose_id(&self, id: &str) -> String {
        id.split_once('[')
            .map_or_else(|| id.to_owned(), |(name, _)| format!("{name}[*]"))
    }
}

fn path_separator(control: &str) -> char {
    if control.starts_with('/') { ':' } else { ';' }
}

fn environment(
    request: &PlanRequest<'_>,
    module: &str,
    separator: char,
) -> BTreeMap<String, String> {
    // An empty entry of PYTHONPATH would mean the current folder.
    let python_path = match user(request, "PYTHONPATH") {
        Some(path) => format!("{}{separator}{path}", request.control),
        None => request.control.to_owned(),
    };
    // Last, so that its hooks come before those of the plugins named by the user.
    let plugins = match user(request, "PYTEST_PLUGINS") {
        Some(names) => format!("{names},{module}"),
        None => module.to_owned(),
    };
    let mut environment = BTreeMap::from([
        ("PYTHONPATH".to_owned(), python_path),
        ("PYTEST_PLUGINS".to_owned(), plugins),
    ]);
    if request
        .command
        .iter()
        .any(|part| part.rsplit(['/', '\\']).next() == Some("tox"))
    {
        // tox keeps back every variable that its configuration does not name.
        let pass = "testenv.pass_env+=PYTHONPATH,PYTEST_PLUGINS,PATCH_VERDICT_*,TOX_OVERRIDE";
        let overrides = match user(request, "TOX_OVERRIDE") {
            Some(before) => format!("{before};{pass}"),
            None => pass.to_owned(),
        };
        environment.insert("TOX_OVERRIDE".to_owned(), overrides);
    }
    environment
}

fn user<'a>(request: &PlanRequest<'a>, name: &str) -> Option<&'a str> {
    request
        .environment
        .get(name)
        .map(String::as_str)
        .filter(|value| !value.is_empty())
}

fn settings(
    request: &PlanRequest<'_>,
    inventory: &str,
    channel: &str,
    environment: &BTreeMap<String, String>,
) -> String {
    let (mode, ids): (&str, &[String]) = match request.mode {
        Mode::Discover => ("discover", &[]),
        Mode::Collect => ("collect", &[]),
        Mode::Scored { ids } => ("scored", ids),
        Mode::Whole => ("whole", &[]),
    };
    let restore: BTreeMap<&String, Option<&String>> = environment
        .keys()
        .map(|name| (name, request.environment.get(name)))
        .collect();
    json!({
        "mode": mode,
        "ids": ids,
        "seed": request.seed,
        "report": request.report,
        "inventory": inventory,
        "channel": channel,
        "tree": request.tree,
        "directory": request.directory,
        "restore": restore,
    })
    .to_string()
}

/// `-I` or `-E` between a Python program and its script or `-m`.
fn isolating_option(command: &[String]) -> Option<&str> {
    let is_python = |part: &String| {
        let name = part.rsplit(['/', '\\']).next().unwrap_or(part);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        name.starts_with("python") || name.starts_with("pypy")
    };
    let mut parts = command.iter().skip_while(|part| !is_python(part)).skip(1);
    while let Some(part) = parts.next() {
        let letters = part
            .strip_prefix('-')
            .filter(|rest| !rest.starts_with('-'))?;
        for letter in letters.chars() {
            match letter {
                'I' | 'E' => return Some(part),
                'm' | 'c' => return None,
                // The rest of the word, or the next word, is the option's value.
                'W' | 'X' => break,
                _ => {}
            }
        }
        if letters.ends_with(['W', 'X']) {
            parts.next();
        }
    }
    None
}
