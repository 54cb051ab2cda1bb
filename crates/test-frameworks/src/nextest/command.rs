//! The user's `cargo nextest run`, taken apart: what lists, what builds, what runs.

use serde_json::json;

use super::PROFILE;
use crate::{Mode, PlanRequest};

/// Options of `run` that `list` does not know; those in the second list take a value.
const RUN_ONLY: [&str; 10] = [
    "--no-run",
    "--no-capture",
    "--nocapture",
    "--fail-fast",
    "--ff",
    "--no-fail-fast",
    "--nff",
    "--hide-progress-bar",
    "--no-input-handler",
    "--no-output-indent",
];
const RUN_ONLY_VALUES: [&str; 14] = [
    "--retries",
    "--flaky-result",
    "--test-threads",
    "-j",
    "--jobs",
    "--max-fail",
    "--no-tests",
    "--success-output",
    "--failure-output",
    "--status-level",
    "--final-status-level",
    "--message-format",
    "--message-format-version",
    "--show-progress",
];

/// `PREFIX nextest run OPTIONS -- REST`.
#[derive(Debug)]
pub(super) struct Command {
    /// Up to and with `nextest`.
    start: Vec<String>,
    /// Options that say what is built and which tests are meant.
    selection: Vec<String>,
    /// What stands behind `--`.
    rest: Vec<String>,
    /// `--test-threads`, the one option of a run that changes what tests see.
    threads: Vec<String>,
    pub(super) profile: Option<String>,
}

impl Command {
    pub(super) fn of(words: &[String]) -> Option<Self> {
        let at = words.iter().position(|word| {
            matches!(crate::paths::file_name(word), "nextest" | "cargo-nextest")
        })?;
        let (start, mut after) = words.split_at(at + 1);
        // `cargo-nextest nextest run` is what cargo itself calls.
        let mut start = start.to_vec();
        while let Some((first, others)) = after.split_first() {
            match first.as_str() {
                "nextest" => start.push(first.clone()),
                "run" | "r" => {
                    after = others;
                    return Some(Self::options(start, after));
                }
                _ => return None,
            }
            after = others;
        }
        None
    }

    fn options(start: Vec<String>, words: &[String]) -> Self {
        let mut command = Self {
            start,
            selection: Vec::new(),
            rest: Vec::new(),
            threads: Vec::new(),
            profile: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                command.rest = words.cloned().collect();
                break;
            }
            let (name, inline) = word
                .split_once('=')
                .map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
            if RUN_ONLY.contains(&name) {
                continue;
            }
            if matches!(name, "--profile" | "-P") {
                let value = inline.map(str::to_owned);
                command.profile = value.or_else(|| words.next().cloned());
                continue;
            }
            if RUN_ONLY_VALUES.contains(&name) {
                let value = inline.map(str::to_owned).or_else(|| words.next().cloned());
                if let ("--test-threads" | "-j" | "--jobs", Some(value)) = (name, value) {
                    command.threads = vec!["--test-threads".to_owned(), value];
                }
                continue;
            }
            command.selection.push(word.clone());
        }
        command
    }

    fn line(&self, verb: &[&str], behind: &[&str]) -> String {
        let verb = verb.iter().map(|word| (*word).to_owned());
        let behind: Vec<String> = behind.iter().map(|word| (*word).to_owned()).collect();
        let rest = if self.rest.is_empty() {
            Vec::new()
        } else {
            let dashes = vec!["--".to_owned()];
            dashes
                .into_iter()
                .chain(self.rest.iter().cloned())
                .collect()
        };
        let words = self.start.iter().cloned().chain(verb);
        let words = words.chain(self.selection.iter().cloned());
        let words: Vec<String> = words
            .chain(behind)
            .chain(rest)
            .map(|word| quote(&word))
            .collect();
        words.join(" ")
    }

    pub(super) fn build_only(&self) -> String {
        self.line(&["run", "--no-run"], &[])
    }

    /// Lists, then runs unless only a list was asked for. The list stands beside the exit code in
    /// the inventory, which is renamed into place once it is whole.
    pub(super) fn script(
        &self,
        request: &PlanRequest<'_>,
        config: &str,
        inventory: &str,
    ) -> String {
        let tool = format!("{PROFILE}:{config}");
        let ours = ["--tool-config-file", &tool, "--profile", PROFILE];
        let list = self.line(&["list", "--message-format", "json"], &ours);
        let mut run_words: Vec<&str> = ours.to_vec();
        run_words.extend(["--retries", "0", "--no-fail-fast"]);
        run_words.extend(self.threads.iter().map(String::as_str));
        let run = match request.mode {
            Mode::Collect => "true".to_owned(),
            _ => self.line(&["run"], &run_words),
        };
        let mode = match request.mode {
            Mode::Discover => "discover",
            Mode::Collect => "collect",
            Mode::Scored { .. } => "scored",
            Mode::Whole => "whole",
        };
        let head = json!({ "mode": mode, "tree": request.tree }).to_string();
        let head = quote(head.trim_end_matches('}'));
        let tree = request.tree.trim_end_matches('/');
        let [listed, part, whole, lock, own] = [
            request.in_control("list.json"),
            request.in_control("inventory.part"),
            inventory.to_owned(),
            format!("{tree}/Cargo.lock"),
            format!(
                "{tree}/{}",
                crate::paths::join(request.directory, "Cargo.lock")
            ),
        ]
        .map(|path| quote(&path));
        format!(
            "{list} > {listed}\n\
             code=$?\n\
             [ $code -eq 0 ] || exit $code\n\
             seeded='[]'\n\
             grep -qsx 'name = \"proptest\"' {lock} {own} && seeded='[\"proptest\"]'\n\
             {run}\n\
             code=$?\n\
             {{ printf '%s' {head}; printf ',\"seeded\":%s,\"exit\":%s,\"list\":' \"$seeded\" $code; cat {listed}; printf '}}'; }} > {part}\n\
             mv {part} {whole}\n\
             exit $code\n"
        )
    }
}

/// A word that `sh` reads as it is.
pub(super) fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}
