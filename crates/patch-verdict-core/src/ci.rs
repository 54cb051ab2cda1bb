//! What the environment of a CI job says about base and head: a pure function over its variables.
use std::collections::BTreeMap;

use serde_json::Value;

/// What the environment tells, where it tells anything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CiFacts {
    /// The system's name (`github`, `gitlab`, …).
    pub system: Option<String>,
    /// The branch that a change request wants to merge into.
    pub target_branch: Option<String>,
    /// The base commit that the event names.
    pub base_sha: Option<String>,
    /// Whether the tested commit is a merge of base and head made by the CI system.
    pub tests_merge_commit: bool,
}

/// Reads the environment. `event` is the text of the file that `GITHUB_EVENT_PATH` names.
pub fn ci_facts(environment: &BTreeMap<String, String>, event: Option<&str>) -> CiFacts {
    let variable = |name: &str| {
        environment
            .get(name)
            .filter(|value| !value.is_empty())
            .cloned()
    };
    let is_set = |name: &str| variable(name).is_some_and(|value| value != "false" && value != "0");
    if is_set("GITHUB_ACTIONS") {
        return github(&variable, event);
    }
    let (system, target, base) = if is_set("GITLAB_CI") {
        let base = variable("CI_MERGE_REQUEST_DIFF_BASE_SHA");
        (
            "gitlab",
            variable("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"),
            base,
        )
    } else if is_set("BUILDKITE") {
        (
            "buildkite",
            variable("BUILDKITE_PULL_REQUEST_BASE_BRANCH"),
            None,
        )
    } else if variable("SYSTEM_PULLREQUEST_TARGETBRANCH").is_some() {
        let branch = variable("SYSTEM_PULLREQUEST_TARGETBRANCH");
        let short = branch.map(|name| name.trim_start_matches("refs/heads/").to_owned());
        ("azure", short, None)
    } else if variable("BITBUCKET_BUILD_NUMBER").is_some() {
        (
            "bitbucket",
            variable("BITBUCKET_PR_DESTINATION_BRANCH"),
            None,
        )
    } else if variable("JENKINS_URL").is_some() {
        ("jenkins", variable("CHANGE_TARGET"), None)
    } else if is_set("CIRCLECI") {
        ("circleci", None, None)
    } else {
        return CiFacts::default();
    };
    CiFacts {
        system: Some(system.to_owned()),
        target_branch: target,
        base_sha: base,
        tests_merge_commit: false,
    }
}

fn github(variable: &dyn Fn(&str) -> Option<String>, event: Option<&str>) -> CiFacts {
    let event: Value = event
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    let text = |pointer: &str| {
        event
            .pointer(pointer)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let pull_request = event.get("pull_request").is_some();
    CiFacts {
        system: Some("github".to_owned()),
        target_branch: variable("GITHUB_BASE_REF").or_else(|| text("/pull_request/base/ref")),
        base_sha: if pull_request {
            text("/pull_request/base/sha")
        } else {
            text("/before")
        }
        .filter(|sha| sha.chars().any(|digit| digit != '0')),
        tests_merge_commit: pull_request
            && variable("GITHUB_REF").is_some_and(|name| name.ends_with("/merge")),
    }
}

/// Whether the environment belongs to a CI job at all.
pub fn under_ci(environment: &BTreeMap<String, String>) -> bool {
    environment
        .get("CI")
        .is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}
