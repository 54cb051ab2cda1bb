//! Go through gotestsum, which writes JUnit from what `go test -json` says.

use std::collections::{BTreeMap, BTreeSet};

use crate::paths::{belongs_to_tests, extension, file_name};
use crate::view::{text, walk};
use crate::{
    Change, Detection, ExitMeaning, FileView, Framework, Mode, Plan, PlanError, PlanRequest,
    Touched,
};

/// `gotestsum -- ARGUMENTS OF GO TEST`.
///
/// Go lists no subtests, so nothing is listed: the patch runs once to see what it has. Single tests
/// are asked for by the names of their top-level tests; their subtests run with them.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Go;

impl Framework for Go {
    fn name(&self) -> &'static str {
        "go"
    }

    fn detect(&self, view: &dyn FileView) -> Option<Detection> {
        view.exists("go.mod").then(|| Detection {
            framework: "go",
            signs: vec!["file go.mod".to_owned()],
            strength: 2,
        })
    }

    fn default_command(&self, _view: &dyn FileView) -> Vec<String> {
        ["gotestsum", "--", "./..."].map(str::to_owned).to_vec()
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, PlanError> {
        request.check()?;
        if request.command.iter().any(|part| part.contains("{tests}")) {
            return Err(PlanError::Placeholder("{tests}", "go"));
        }
        let command = request.filled_command();
        let dashes = command.iter().position(|word| word == "--");
        let (own, arguments) = match dashes {
            Some(at) => command.split_at(at),
            None => (command.as_slice(), [].as_slice()),
        };
        let selection = match request.mode {
            Mode::Collect => return Err(PlanError::CannotCollect("go")),
            Mode::Scored { ids } => Some(selected(ids)?),
            Mode::Discover | Mode::Whole => None,
        };
        let mut argv: Vec<String> = without_reruns(own);
        argv.extend([
            format!("--junitfile={}", request.report),
            "--format=standard-verbose".to_owned(),
            "--".to_owned(),
            "-count=1".to_owned(),
            format!("-shuffle={}", request.seed),
        ]);
        argv.extend(selection.map(|pattern| format!("-run={pattern}")));
        argv.extend(arguments.iter().skip(1).cloned());
        let mut environment = request.exported();
        environment.insert("GOPROXY".to_owned(), "off".to_owned());
        Ok(Plan {
            argv,
            environment,
            files: Vec::new(),
            report: request.report.to_owned(),
            inventory: None,
            channel: None,
            ignores_ids: false,
        })
    }

    fn exit_meaning(&self, code: i32) -> ExitMeaning {
        crate::jest::exit_meaning(code)
    }

    fn seeds(&self) -> &'static [&'static str] {
        &["order"]
    }

    fn has_inventory(&self) -> bool {
        false
    }

    fn runs(&self, command: &[String]) -> bool {
        command.iter().any(|word| file_name(word) == "gotestsum")
    }

    fn touched(&self, change: &Change<'_>) -> Option<Touched> {
        Some(touched(change))
    }
}

fn without_reruns(command: &[String]) -> Vec<String> {
    let ours = ["--rerun-fails", "--junitfile", "--format", "--max-fails"];
    let kept = command.iter().filter(|word| {
        let name = word.split('=').next().unwrap_or(word);
        !ours.contains(&name) && name != "--watch"
    });
    kept.cloned().collect()
}

/// `^(TestA|TestB)$` for ids `PACKAGE::TestA/sub`.
fn selected(ids: &[String]) -> Result<String, PlanError> {
    let mut names = BTreeSet::new();
    for id in ids {
        let (_, test) = id
            .split_once("::")
            .ok_or_else(|| PlanError::BadId(id.clone()))?;
        let name = test.split('/').next().unwrap_or(test);
        // Go's names are letters, digits and `_`; anything else is no test that `-run` can name.
        if name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            names.insert(name);
        }
    }
    let names: Vec<&str> = names.into_iter().collect();
    Ok(format!("^({})$", names.join("|")))
}

/// A changed `_test.go` takes out the tests of its package, other files of tests take all out.
fn touched(change: &Change<'_>) -> Touched {
    let mut touched = Touched::default();
    let modules = modules(change);
    let tests: Vec<String> = [change.before, change.after]
        .into_iter()
        .flat_map(|view| {
            walk(view, "", &|path| path.ends_with("_test.go"))
                .into_iter()
                .map(move |path| text(view, &path))
        })
        .collect();
    for path in change.files {
        let name = file_name(path);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        if matches!(name, "go.mod" | "go.sum" | "go.work" | "go.work.sum") {
            touched.everything("dependencies", path);
        } else if name.ends_with("_test.go") {
            let package = modules
                .iter()
                .filter_map(|(root, module)| {
                    let below =
                        crate::paths::below(folder, root).or((folder == root).then_some(""))?;
                    Some((root.len(), crate::paths::join(module, below)))
                })
                .max();
            let marked = package.is_some_and(|(_, package)| {
                touched.mark(change, ("test file", path), |test| {
                    test.id
                        .split_once("::")
                        .is_some_and(|(of, _)| of == package)
                })
            });
            if !marked && change.before.exists(path) {
                touched.everything("test file", path);
            }
        } else if belongs_to_tests(path) {
            touched.everything("test data", path);
        } else if extension(path) != "go" && tests.iter().any(|text| text.contains(name)) {
            touched.everything("read by tests", path);
        }
    }
    touched
}

/// Folder and path of each module of either side.
fn modules(change: &Change<'_>) -> BTreeMap<String, String> {
    let mut modules = BTreeMap::new();
    for view in [change.before, change.after] {
        for path in walk(view, "", &|path| file_name(path) == "go.mod") {
            let module = text(view, &path);
            let name = module
                .lines()
                .find_map(|line| line.trim().strip_prefix("module "));
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            if let Some(name) = name {
                modules.insert(folder.to_owned(), name.trim().trim_matches('"').to_owned());
            }
        }
    }
    modules
}
