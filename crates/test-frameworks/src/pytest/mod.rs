//! pytest (and unittest through it): seeds, exact ids, selection by an injected plugin.
use std::collections::BTreeMap;

use crate::{
    Detection, ExitMeaning, FileView, Framework, Mode, Plan, PlanError, PlanRequest, PlannedFile,
};

const PLUGIN: &str = include_str!("plugin.py");
const IDS: &str = "ids.json";

/// The adapter.
#[derive(Debug)]
pub(crate) struct Pytest;

impl Framework for Pytest {
    fn name(&self) -> &'static str {
        "pytest"
    }

    fn detect(&self, view: &dyn FileView) -> Option<Detection> {
        if let Some(file) = [
            "pytest.ini",
            ".pytest.ini",
            "conftest.py",
            "tests/conftest.py",
        ]
        .into_iter()
        .find(|file| view.exists(file))
        {
            return Some(Detection::new(file));
        }
        let sections = [
            ("pyproject.toml", "[tool.pytest"),
            ("tox.ini", "[pytest]"),
            ("setup.cfg", "[tool:pytest]"),
        ];
        let holds = |file: &str, text: &str| {
            view.read(file)
                .is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains(text))
        };
        if let Some((file, section)) = sections.into_iter().find(|(file, text)| holds(file, text)) {
            return Some(Detection::new(format!("`{section}` in {file}")));
        }
        ["tests", "test", ""].into_iter().find_map(|folder| {
            let name = view
                .list(folder)
                .into_iter()
                .find(|name| is_test_file(name))?;
            let path = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            Some(Detection::new(path))
        })
    }

    fn default_command(&self, _view: &dyn FileView) -> Vec<String> {
        ["python", "-m", "pytest"].map(str::to_owned).to_vec()
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, PlanError> {
        if request.command.is_empty() {
            return Err(PlanError::NoCommand);
        }
        let letters = request
            .nonce
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric());
        if request.nonce.is_empty() || !letters {
            return Err(PlanError::Nonce(request.nonce.to_owned()));
        }
        let module = format!("pv_{}", request.nonce);
        let inventory = format!("{}/inventory.json", request.control);
        let (mode, ids) = match request.mode {
            Mode::Discover => ("discover", None),
            Mode::Collect => ("collect", None),
            Mode::Scored { ids } => ("scored", Some(ids)),
            Mode::Whole => ("whole", None),
        };
        let settings = serde_json::json!({
            "tree": request.tree,
            "mode": mode,
            "seed": request.seed,
            "report": request.report,
            "inventory": inventory,
            "ids_file": ids.map(|_| IDS),
        });
        let mut files = vec![
            PlannedFile::new(format!("{module}.py"), PLUGIN),
            PlannedFile::new("settings.json", settings.to_string()),
        ];
        if let Some(ids) = ids {
            files.push(PlannedFile::new(IDS, serde_json::json!(ids).to_string()));
        }
        Ok(Plan {
            argv: request.words(),
            environment: environment(request, &module),
            files,
            report: request.report.to_owned(),
            inventory: Some(inventory),
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
        &["random", "numpy", "hypothesis"]
    }

    fn has_inventory(&self) -> bool {
        true
    }

    fn can_select(&self, _command: &[String]) -> bool {
        true
    }
}

/// The plugin is found by its name in the control folder, which stands first in `PYTHONPATH`.
fn environment(request: &PlanRequest<'_>, module: &str) -> BTreeMap<String, String> {
    let behind = |name: &str, first: &str, separator: char| match request
        .environment
        .get(name)
        .filter(|value| !value.is_empty())
    {
        Some(value) => format!("{first}{separator}{value}"),
        None => first.to_owned(),
    };
    BTreeMap::from([
        (
            "PYTEST_PLUGINS".to_owned(),
            behind("PYTEST_PLUGINS", module, ','),
        ),
        (
            "PYTHONPATH".to_owned(),
            behind("PYTHONPATH", request.control, ':'),
        ),
    ])
}

fn is_test_file(name: &str) -> bool {
    let stem = name.strip_suffix(".py").unwrap_or_default();
    stem.starts_with("test_") || stem.ends_with("_test")
}
