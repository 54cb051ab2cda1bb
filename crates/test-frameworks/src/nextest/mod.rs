//! cargo-nextest: a profile of our own beside the repository's, one process a test.

mod command;
mod filter;
mod list;
mod source;
mod touched;

use std::collections::BTreeMap;

use crate::view::text;
use crate::{
    Change, Detection, ExitMeaning, FileView, Framework, Inventory, InventoryError, Mode, Plan,
    PlanError, PlanRequest, PlannedFile, Touched,
};

/// cargo-nextest 0.9.115 and later (a command that names a profile needs its `inherits`).
///
/// The report goes to the control folder through a profile that a tool configuration file brings, so
/// the tree needs none. Ids are the binary id, a space, and the test's path, as nextest prints them.
/// Doc tests are not run by nextest. Each tree builds into its own `target`.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Nextest;

impl Framework for Nextest {
    fn name(&self) -> &'static str {
        "nextest"
    }

    fn detect(&self, view: &dyn FileView) -> Option<Detection> {
        if !view.exists("Cargo.toml") {
            return None;
        }
        let mut signs = vec!["file Cargo.toml".to_owned()];
        let mut strength = 2;
        if view.exists(".config/nextest.toml") {
            signs.push("file .config/nextest.toml".to_owned());
            strength = 3;
        }
        Some(Detection {
            framework: "nextest",
            signs,
            strength,
        })
    }

    fn default_command(&self, view: &dyn FileView) -> Vec<String> {
        let workspace = text(view, "Cargo.toml").contains("[workspace]");
        let words = ["cargo", "nextest", "run"];
        let more = workspace.then_some("--workspace");
        words.into_iter().chain(more).map(str::to_owned).collect()
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, PlanError> {
        request.check()?;
        if request.command.iter().any(|part| part.contains("{tests}")) {
            return Err(PlanError::Placeholder("{tests}", "nextest"));
        }
        let filled = request.filled_command();
        let command = command::Command::of(&filled).ok_or(PlanError::Command(
            "nextest",
            "`cargo nextest run` with its options",
        ))?;
        let filter = match request.mode {
            Mode::Scored { ids } => Some(filter::exactly(ids)?),
            Mode::Discover | Mode::Collect | Mode::Whole => None,
        };
        let inventory = request.in_control("inventory.json");
        let config = request.in_control("nextest.toml");
        let mut environment = request.exported();
        environment.extend(pinned(request));
        Ok(Plan {
            argv: vec!["sh".to_owned(), request.in_control("run.sh")],
            environment,
            files: vec![
                PlannedFile {
                    name: "nextest.toml".to_owned(),
                    contents: profile(request.report, &command, filter.as_deref()),
                },
                PlannedFile {
                    name: "run.sh".to_owned(),
                    contents: command.script(request, &config, &inventory),
                },
            ],
            report: request.report.to_owned(),
            inventory: Some(inventory),
            channel: None,
            ignores_ids: false,
        })
    }

    fn exit_meaning(&self, code: i32) -> ExitMeaning {
        match code {
            0 => ExitMeaning::Passed,
            100 => ExitMeaning::TestsFailed,
            4 => ExitMeaning::NothingCollected,
            _ => ExitMeaning::Broken,
        }
    }

    fn seeds(&self) -> &'static [&'static str] {
        &["proptest"]
    }

    fn has_inventory(&self) -> bool {
        true
    }

    fn runs(&self, command: &[String]) -> bool {
        let name = |word: &String| crate::paths::file_name(word).to_owned();
        command
            .iter()
            .any(|word| matches!(name(word).as_str(), "nextest" | "cargo-nextest"))
    }

    fn set_up(&self, _view: &dyn FileView, directory: &str, command: &[String]) -> Vec<String> {
        let Some(command) = command::Command::of(command) else {
            return Vec::new();
        };
        let target = "export CARGO_TARGET_DIR=\"$PWD/target\"";
        let folder = command::quote(&crate::paths::join("", directory));
        let enter = if matches!(directory, "" | ".") {
            target.to_owned()
        } else {
            format!("{target} && cd {folder}")
        };
        vec![
            format!("{enter} && cargo fetch"),
            format!("{enter} && {}", command.build_only()),
        ]
    }

    fn read_inventory(&self, bytes: &[u8]) -> Result<Inventory, InventoryError> {
        list::read(bytes)
    }

    fn touched(&self, change: &Change<'_>) -> Option<Touched> {
        Some(touched::touched(change))
    }

    fn locked(&self, view: &dyn FileView, directory: &str) -> BTreeMap<String, String> {
        list::locked(view, directory)
    }
}

/// A target folder of the tree's own: one that two trees share gave a false accept, since cargo saw
/// nothing to build again. Rows of one way of failing must not hold a back trace.
fn pinned(request: &PlanRequest<'_>) -> BTreeMap<String, String> {
    let tree = request.tree.trim_end_matches('/');
    let mut environment = BTreeMap::from([
        ("CARGO_TARGET_DIR".to_owned(), format!("{tree}/target")),
        ("CARGO_NET_OFFLINE".to_owned(), "true".to_owned()),
        (
            "PROPTEST_RNG_SEED".to_owned(),
            request.seed.unsigned_abs().to_string(),
        ),
    ]);
    if !request.environment.contains_key("RUST_BACKTRACE") {
        environment.insert("RUST_BACKTRACE".to_owned(), "0".to_owned());
    }
    environment
}

const PROFILE: &str = "patch-verdict";

fn profile(report: &str, command: &command::Command, filter: Option<&str>) -> String {
    let mut profile = toml_edit::Table::new();
    if let Some(theirs) = &command.profile {
        profile.insert("inherits", toml_edit::value(theirs));
    }
    profile.insert("retries", toml_edit::value(0));
    profile.insert("fail-fast", toml_edit::value(false));
    if let Some(filter) = filter {
        profile.insert("default-filter", toml_edit::value(filter));
    }
    let mut junit = toml_edit::Table::new();
    junit.insert("path", toml_edit::value(report));
    profile.insert("junit", toml_edit::Item::Table(junit));
    let mut profiles = toml_edit::Table::new();
    profiles.insert(PROFILE, toml_edit::Item::Table(profile));
    let mut document = toml_edit::DocumentMut::new();
    document.insert("profile", toml_edit::Item::Table(profiles));
    document.to_string()
}
