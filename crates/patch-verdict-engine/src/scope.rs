//! Which of the parent's tests are judged.
use std::collections::BTreeSet;

use junit_parse::{Completeness, Limits};
use patch_verdict_core::TestId;

use crate::explore::SideExploration;
use crate::{CheckError, CheckOptions};

/// The asked-for scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    Suite,
    /// Ids that failed in the given reports.
    FailedIn(BTreeSet<TestId>),
    /// Ids as given, JUnit's or the framework's.
    List(Vec<String>),
}

impl Scope {
    pub(crate) fn of(options: &CheckOptions) -> Result<Self, CheckError> {
        match (&options.tests, options.failed_in.as_slice()) {
            (Some(_), [_, ..]) => Err(CheckError::request(
                "`--tests` and `--failed-in` both name a scope: give one of them",
            )),
            (Some(list), []) if list.is_empty() => {
                Err(CheckError::request("the list of tests is empty"))
            }
            (Some(list), []) => Ok(Self::List(list.clone())),
            (None, []) => Ok(Self::Suite),
            (None, reports) => {
                let mut failed = BTreeSet::new();
                for report in reports {
                    failed.extend(failed_in(&report.name, &report.bytes)?);
                }
                if failed.is_empty() {
                    return Err(CheckError::request("no test failed in the given report")
                        .hint("without a failure there is nothing to narrow the check to"));
                }
                Ok(Self::FailedIn(failed))
            }
        }
    }

    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Suite => "suite",
            Self::FailedIn(_) => "failed_in",
            Self::List(_) => "list",
        }
    }

    pub(crate) fn words(&self) -> String {
        match self {
            Self::Suite => "the whole suite".to_owned(),
            Self::FailedIn(ids) => format!("{} tests that failed in the report", ids.len()),
            Self::List(list) => format!("{} tests of the list", list.len()),
        }
    }

    /// The ids in scope among the discovered ones; `None` for all. Notes go to `notes`.
    pub(crate) fn ids(
        &self,
        parent: &SideExploration,
        patch: &SideExploration,
        notes: &mut Vec<String>,
    ) -> Result<Option<BTreeSet<TestId>>, CheckError> {
        match self {
            Self::Suite => Ok(None),
            Self::FailedIn(failed) => {
                let unknown: Vec<&TestId> = failed
                    .iter()
                    .filter(|id| !parent.ids.contains(*id) && !patch.ids.contains(*id))
                    .collect();
                if unknown.len() == failed.len() {
                    let first = unknown.first().map_or("", |id| id.as_str());
                    return Err(CheckError::request(format!(
                        "none of the failed tests of the report is in the suite, e.g. `{first}`"
                    ))
                    .hint("is it a report of this command?"));
                }
                if let Some(first) = unknown.first() {
                    notes.push(format!(
                        "{} failed tests of the report are on neither side, e.g. {first}",
                        unknown.len()
                    ));
                }
                Ok(Some(failed.clone()))
            }
            Self::List(list) => named(list, parent, patch).map(Some),
        }
    }
}

fn named(
    list: &[String],
    parent: &SideExploration,
    patch: &SideExploration,
) -> Result<BTreeSet<TestId>, CheckError> {
    let mut ids = BTreeSet::new();
    for text in list {
        let direct = TestId::from_text(text.clone());
        let sides = [parent, patch];
        let known = sides.iter().any(|side| side.ids.contains(&direct));
        let by_node = sides
            .iter()
            .flat_map(|side| &side.nodes)
            .filter(|(_, nodes)| {
                nodes
                    .iter()
                    .any(|node| node == text || node.starts_with(&format!("{text}[")))
            });
        let before = ids.len();
        ids.extend(by_node.map(|(id, _)| id.clone()));
        if known {
            ids.insert(direct);
        } else if ids.len() == before {
            return Err(
                CheckError::request(format!("no test is called `{text}` on either side"))
                    .hint("ids are `SUITE::NAME` as in the JUnit report, or the framework's own"),
            );
        }
    }
    Ok(ids)
}

fn failed_in(name: &str, bytes: &[u8]) -> Result<Vec<TestId>, CheckError> {
    let report = junit_parse::parse(bytes, &Limits::default())
        .map_err(|error| CheckError::request(format!("`{name}`: {error}")))?;
    if matches!(report.completeness(), Completeness::Truncated { .. }) {
        return Err(
            CheckError::request(format!("`{name}` is cut off: it may lack failed tests"))
                .hint("give the whole report, or check the whole suite"),
        );
    }
    let failed = report.cases.iter().filter(|case| case.ever_failed());
    Ok(failed
        .map(|case| TestId::from_junit(&case.suite, &case.name))
        .collect())
}
