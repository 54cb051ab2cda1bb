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

type Variables<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Reads the environment. `event` is the text of the file that `GITHUB_EVENT_PATH` names.
///
/// An empty variable counts as unset, a commit of zeros alone as no commit. Systems that run inside
/// others (a Jenkins agent's variables leak into what it starts) are asked last.
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
    if is_set("GITLAB_CI") {
        return gitlab(&variable);
    }
    if is_set("TF_BUILD") || variable("SYSTEM_PULLREQUEST_TARGETBRANCH").is_some() {
        return azure(&variable);
    }
    if is_set("TRAVIS") {
        return travis(&variable);
    }
    for (detect, system, targets, base) in PLAIN {
        if variable(detect).is_some_and(|value| value != "false" && value != "0") {
            return CiFacts {
                system: Some((*system).to_owned()),
                target_branch: targets.iter().find_map(|name| variable(name)).map(branch),
                base_sha: base.and_then(&variable).and_then(commit),
                tests_merge_commit: false,
            };
        }
    }
    if variable("CI").as_deref() == Some("woodpecker") {
        return CiFacts {
            system: Some("woodpecker".to_owned()),
            target_branch: variable("CI_COMMIT_TARGET_BRANCH").map(branch),
            ..CiFacts::default()
        };
    }
    CiFacts::default()
}

/// Detecting variable, system, variables of the target branch, variable of the base commit.
type Plain = (
    &'static str,
    &'static str,
    &'static [&'static str],
    Option<&'static str>,
);

/// Systems whose variables say all there is: they test the head, never a merge that can be told.
const PLAIN: &[Plain] = &[
    (
        "BUILDKITE",
        "buildkite",
        &["BUILDKITE_PULL_REQUEST_BASE_BRANCH"],
        None,
    ),
    ("CIRCLECI", "circleci", &[], None),
    (
        "BITBUCKET_BUILD_NUMBER",
        "bitbucket",
        &["BITBUCKET_PR_DESTINATION_BRANCH"],
        Some("BITBUCKET_PR_DESTINATION_COMMIT"),
    ),
    (
        "APPVEYOR_PULL_REQUEST_NUMBER",
        "appveyor",
        &["APPVEYOR_REPO_BRANCH"],
        None,
    ),
    ("APPVEYOR", "appveyor", &[], None),
    (
        "CIRRUS_CI",
        "cirrus",
        &["CIRRUS_BASE_BRANCH"],
        Some("CIRRUS_BASE_SHA"),
    ),
    (
        "CODEBUILD_BUILD_ID",
        "codebuild",
        &["CODEBUILD_WEBHOOK_BASE_REF"],
        None,
    ),
    // Drone sets its target branch for a push too: then it is the branch that was pushed.
    (
        "DRONE_PULL_REQUEST",
        "drone",
        &["DRONE_TARGET_BRANCH"],
        None,
    ),
    ("DRONE", "drone", &[], Some("DRONE_COMMIT_BEFORE")),
    (
        "TEAMCITY_VERSION",
        "teamcity",
        &["TEAMCITY_PULLREQUEST_TARGET_BRANCH"],
        None,
    ),
    (
        "JENKINS_URL",
        "jenkins",
        &["CHANGE_TARGET", "ghprbTargetBranch", "gitlabTargetBranch"],
        None,
    ),
];

fn github(variable: &Variables<'_>, event: Option<&str>) -> CiFacts {
    let event: Value = event
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    let text = |pointer: &str| {
        let value = event.pointer(pointer).and_then(Value::as_str);
        value.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let pull_request = event.get("pull_request").is_some();
    // What a forced push replaced is no ancestor of what it pushed, and often not there any more.
    let forced = event.get("forced").and_then(Value::as_bool) == Some(true);
    let base_sha = if pull_request {
        text("/pull_request/base/sha")
    } else if event.get("merge_group").is_some() {
        text("/merge_group/base_sha")
    } else {
        text("/before").filter(|_| !forced)
    };
    CiFacts {
        system: Some("github".to_owned()),
        target_branch: variable("GITHUB_BASE_REF")
            .or_else(|| text("/pull_request/base/ref"))
            .or_else(|| text("/merge_group/base_ref"))
            .map(branch),
        base_sha: base_sha.and_then(commit),
        tests_merge_commit: pull_request
            && variable("GITHUB_REF").is_some_and(|name| is_merge_ref(&name)),
    }
}

fn gitlab(variable: &Variables<'_>) -> CiFacts {
    // Pipelines for merged results and merge trains test a commit that GitLab made.
    let kind = variable("CI_MERGE_REQUEST_EVENT_TYPE");
    CiFacts {
        system: Some("gitlab".to_owned()),
        target_branch: variable("CI_MERGE_REQUEST_TARGET_BRANCH_NAME").map(branch),
        base_sha: variable("CI_MERGE_REQUEST_DIFF_BASE_SHA")
            .and_then(commit)
            .or_else(|| variable("CI_COMMIT_BEFORE_SHA").and_then(commit)),
        tests_merge_commit: matches!(kind.as_deref(), Some("merged_result" | "merge_train")),
    }
}

fn azure(variable: &Variables<'_>) -> CiFacts {
    let target = variable("SYSTEM_PULLREQUEST_TARGETBRANCH").map(branch);
    CiFacts {
        system: Some("azure".to_owned()),
        tests_merge_commit: target.is_some()
            && variable("BUILD_SOURCEBRANCH").is_some_and(|name| is_merge_ref(&name)),
        target_branch: target,
        base_sha: None,
    }
}

fn travis(variable: &Variables<'_>) -> CiFacts {
    // `TRAVIS_BRANCH` is the target for a pull request only; `TRAVIS_PULL_REQUEST` else says `false`.
    let pull_request = variable("TRAVIS_PULL_REQUEST").is_some_and(|number| number != "false");
    CiFacts {
        system: Some("travis".to_owned()),
        target_branch: variable("TRAVIS_BRANCH").filter(|_| pull_request),
        base_sha: None,
        tests_merge_commit: pull_request,
    }
}

fn is_merge_ref(name: &str) -> bool {
    name.starts_with("refs/pull/") && name.ends_with("/merge")
}

fn branch(name: String) -> String {
    name.strip_prefix("refs/heads/")
        .map(str::to_owned)
        .unwrap_or(name)
}

/// A commit that is not the zeros of "there was none".
fn commit(sha: String) -> Option<String> {
    sha.chars().any(|digit| digit != '0').then_some(sha)
}

/// Whether the environment belongs to a CI job at all.
pub fn under_ci(environment: &BTreeMap<String, String>) -> bool {
    environment
        .get("CI")
        .is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}
