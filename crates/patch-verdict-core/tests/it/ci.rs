//! CI systems: what their variables and events say of base and head.
use std::collections::BTreeMap;

use patch_verdict_core::ci_facts;

/// `NAME=value` words as an environment.
fn environment(words: &str) -> BTreeMap<String, String> {
    words
        .split_whitespace()
        .map(|word| {
            let (name, value) = word.split_once('=').unwrap();
            (name.to_owned(), value.to_owned())
        })
        .collect()
}

/// The facts as `system target base merge`, `-` for what is not told.
fn facts(words: &str, event: Option<&str>) -> String {
    let facts = ci_facts(&environment(words), event);
    let told = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let merge = if facts.tests_merge_commit {
        "merge"
    } else {
        "head"
    };
    let (system, target) = (told(&facts.system), told(&facts.target_branch));
    format!("{system} {target} {} {merge}", told(&facts.base_sha))
}

const ZEROS: &str = "0000000000000000000000000000000000000000";

#[test]
fn github_events() {
    let pull = r#"{"pull_request":{"base":{"sha":"abc","ref":"main"}}}"#;
    let group = r#"{"merge_group":{"base_sha":"abc","base_ref":"refs/heads/main"}}"#;
    let first = format!(r#"{{"before":"{ZEROS}","created":true}}"#);
    for (words, event, wanted) in [
        (
            "GITHUB_REF=refs/pull/7/merge GITHUB_BASE_REF=dev",
            pull,
            "github dev abc merge",
        ),
        (
            "GITHUB_REF=refs/pull/7/merge",
            pull,
            "github main abc merge",
        ),
        // `pull_request_target`, and a job that checks out the head.
        ("GITHUB_REF=refs/heads/main", pull, "github main abc head"),
        ("GITHUB_REF=refs/pull/7/head", pull, "github main abc head"),
        // A branch may be called so.
        (
            "GITHUB_REF=refs/heads/feature/merge",
            pull,
            "github main abc head",
        ),
        (
            "GITHUB_REF=refs/heads/gh-readonly-queue/main/pr-7",
            group,
            "github main abc head",
        ),
        (
            "GITHUB_REF=refs/heads/x",
            r#"{"before":"abc"}"#,
            "github - abc head",
        ),
        (
            "GITHUB_REF=refs/heads/x",
            r#"{"before":"abc","forced":false}"#,
            "github - abc head",
        ),
        (
            "GITHUB_REF=refs/heads/x",
            r#"{"before":"abc","forced":true}"#,
            "github - - head",
        ),
        ("GITHUB_REF=refs/heads/x", &first, "github - - head"),
        (
            "GITHUB_REF=refs/heads/x",
            r#"{"before":""}"#,
            "github - - head",
        ),
        (
            "GITHUB_REF=refs/heads/x",
            r#"{"before":null}"#,
            "github - - head",
        ),
        // workflow_dispatch and schedule.
        (
            "GITHUB_REF=refs/heads/x",
            r#"{"inputs":{"before":"abc"}}"#,
            "github - - head",
        ),
        ("GITHUB_REF=refs/pull/7/merge", "no json", "github - - head"),
        ("GITHUB_REF=refs/pull/7/merge", "[]", "github - - head"),
    ] {
        let words = format!("GITHUB_ACTIONS=true {words}");
        assert_eq!(facts(&words, Some(event)), wanted, "{words} {event}");
    }
    assert_eq!(
        facts("GITHUB_ACTIONS=true GITHUB_BASE_REF=main", None),
        "github main - head"
    );
}

#[test]
fn other_systems() {
    for (words, wanted) in OTHERS {
        assert_eq!(facts(words, None), *wanted, "{words}");
    }
}

const OTHERS: &[(&str, &str)] = &[
    (
        "GITLAB_CI=true CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main CI_MERGE_REQUEST_DIFF_BASE_SHA=abc \
             CI_MERGE_REQUEST_EVENT_TYPE=detached",
        "gitlab main abc head",
    ),
    (
        "GITLAB_CI=true CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main CI_MERGE_REQUEST_EVENT_TYPE=merged_result",
        "gitlab main - merge",
    ),
    (
        "GITLAB_CI=true CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main CI_MERGE_REQUEST_EVENT_TYPE=merge_train",
        "gitlab main - merge",
    ),
    (
        "GITLAB_CI=true CI_COMMIT_BEFORE_SHA=abc",
        "gitlab - abc head",
    ),
    (
        "GITLAB_CI=true CI_COMMIT_BEFORE_SHA=0000000000000000000000000000000000000000",
        "gitlab - - head",
    ),
    (
        "BUILDKITE=true BUILDKITE_PULL_REQUEST=7 BUILDKITE_PULL_REQUEST_BASE_BRANCH=main",
        "buildkite main - head",
    ),
    (
        "BUILDKITE=true BUILDKITE_PULL_REQUEST=false BUILDKITE_PULL_REQUEST_BASE_BRANCH=",
        "buildkite - - head",
    ),
    ("CIRCLECI=true CIRCLE_BRANCH=x", "circleci - - head"),
    (
        "JENKINS_URL=http://ci CHANGE_TARGET=main",
        "jenkins main - head",
    ),
    (
        "JENKINS_URL=http://ci ghprbTargetBranch=main",
        "jenkins main - head",
    ),
    (
        "JENKINS_URL=http://ci gitlabTargetBranch=main",
        "jenkins main - head",
    ),
    ("JENKINS_URL=http://ci BRANCH_NAME=x", "jenkins - - head"),
    (
        "TF_BUILD=True BUILD_SOURCEBRANCH=refs/heads/x",
        "azure - - head",
    ),
    (
        "TF_BUILD=True SYSTEM_PULLREQUEST_TARGETBRANCH=refs/heads/main BUILD_SOURCEBRANCH=refs/pull/7/merge",
        "azure main - merge",
    ),
    (
        "BITBUCKET_BUILD_NUMBER=1 BITBUCKET_PR_DESTINATION_BRANCH=main BITBUCKET_PR_DESTINATION_COMMIT=abc",
        "bitbucket main abc head",
    ),
    ("BITBUCKET_BUILD_NUMBER=1", "bitbucket - - head"),
    (
        "TEAMCITY_VERSION=2025.1 TEAMCITY_PULLREQUEST_TARGET_BRANCH=main",
        "teamcity main - head",
    ),
    ("TEAMCITY_VERSION=2025.1", "teamcity - - head"),
    (
        "DRONE=true DRONE_PULL_REQUEST=7 DRONE_TARGET_BRANCH=main",
        "drone main - head",
    ),
    // For a push the target branch is the pushed branch itself.
    (
        "DRONE=true DRONE_TARGET_BRANCH=x DRONE_COMMIT_BEFORE=abc",
        "drone - abc head",
    ),
    (
        "CI=woodpecker CI_COMMIT_TARGET_BRANCH=main",
        "woodpecker main - head",
    ),
    (
        "TRAVIS=true TRAVIS_PULL_REQUEST=7 TRAVIS_BRANCH=main",
        "travis main - merge",
    ),
    (
        "TRAVIS=true TRAVIS_PULL_REQUEST=false TRAVIS_BRANCH=x",
        "travis - - head",
    ),
    (
        "APPVEYOR=True APPVEYOR_PULL_REQUEST_NUMBER=7 APPVEYOR_REPO_BRANCH=main",
        "appveyor main - head",
    ),
    ("APPVEYOR=True APPVEYOR_REPO_BRANCH=x", "appveyor - - head"),
    (
        "CIRRUS_CI=true CIRRUS_BASE_BRANCH=main CIRRUS_BASE_SHA=abc",
        "cirrus main abc head",
    ),
    (
        "CODEBUILD_BUILD_ID=p:1 CODEBUILD_WEBHOOK_BASE_REF=refs/heads/main",
        "codebuild main - head",
    ),
    ("CI=true", "- - - head"),
    ("", "- - - head"),
    // Variables of a system that is not the one that runs the job.
    ("GITHUB_ACTIONS=false GITHUB_BASE_REF=main", "- - - head"),
    (
        "GITLAB_CI=true CI_MERGE_REQUEST_TARGET_BRANCH_NAME=a JENKINS_URL=x CHANGE_TARGET=b",
        "gitlab a - head",
    ),
];
