//! Plans, without running them.

use std::collections::BTreeMap;

use test_frameworks::{ExitMeaning, Mode, Plan, PlanError, PlanRequest, framework};

#[track_caller]
fn plan(
    name: &str,
    command: &str,
    mode: Mode<'_>,
    environment: &[(&str, &str)],
) -> Result<Plan, PlanError> {
    let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let environment: BTreeMap<String, String> = environment
        .iter()
        .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
        .collect();
    framework(name)
        .unwrap()
        .plan(&request(&command, mode, &environment))
}

fn request<'a>(
    command: &'a [String],
    mode: Mode<'a>,
    environment: &'a BTreeMap<String, String>,
) -> PlanRequest<'a> {
    PlanRequest {
        command,
        mode,
        seed: -7,
        nonce: "ab1",
        report: "/r/{seed}.xml",
        control: "/c",
        tree: "/t",
        directory: "",
        environment,
    }
}

#[test]
fn placeholders_are_filled_once() {
    let plan = plan(
        "plain",
        "run --seed={seed} -o {junit} {x}",
        Mode::Whole,
        &[],
    )
    .unwrap();
    assert_eq!(
        plan.argv,
        ["run", "--seed=-7", "-o", "/r/{seed}.xml", "{x}"]
    );
    assert_eq!(plan.environment["PATCH_VERDICT_JUNIT"], "/r/{seed}.xml");
    assert_eq!(plan.environment["PATCH_VERDICT_SEED"], "-7");
    assert_eq!(plan.inventory, None);
}

#[test]
fn plain_says_when_it_ignores_ids() {
    let ids = ["a b".to_owned(), "c".to_owned()];
    let scored = Mode::Scored { ids: &ids };
    assert!(
        plan("plain", "run {junit}", scored, &[])
            .unwrap()
            .ignores_ids
    );
    let plan = plan("plain", "run {tests} {junit}", scored, &[]).unwrap();
    assert!(!plan.ignores_ids);
    assert_eq!(plan.argv[1], "/c/tests.txt");
    assert_eq!(plan.files[0].contents, "a b\nc\n");
}

#[test]
fn plain_refuses_what_it_cannot_do() {
    let ids = ["a\nb".to_owned()];
    assert_eq!(
        plan("plain", "run", Mode::Collect, &[]),
        Err(PlanError::CannotCollect("plain"))
    );
    assert_eq!(
        plan("plain", "run {tests}", Mode::Scored { ids: &ids }, &[]),
        Err(PlanError::BadId("a\nb".to_owned()))
    );
}

#[test]
fn pytest_keeps_what_the_user_set() {
    let user = [("PYTHONPATH", "src:lib"), ("PYTEST_PLUGINS", "mine")];
    let plan = plan("pytest", "make test", Mode::Whole, &user).unwrap();
    assert_eq!(plan.argv, ["make", "test"]);
    assert_eq!(plan.environment["PYTHONPATH"], "/c:src:lib");
    assert_eq!(plan.environment["PYTEST_PLUGINS"], "mine,pv_ab1");
    assert!(!plan.environment.contains_key("TOX_OVERRIDE"));
    let names: Vec<&str> = plan.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["pv_ab1.py", "settings.json"]);
}

#[test]
fn an_empty_python_path_does_not_add_the_current_folder() {
    let plan = plan("pytest", "tox -e py", Mode::Whole, &[("PYTHONPATH", "")]).unwrap();
    assert_eq!(plan.environment["PYTHONPATH"], "/c");
    assert!(plan.environment["TOX_OVERRIDE"].contains("PYTEST_PLUGINS"));
}

#[test]
fn bad_requests_are_refused() {
    let none = BTreeMap::new();
    let command = ["pytest".to_owned()];
    let good = request(&command, Mode::Whole, &none);
    let check = |request: PlanRequest<'_>, expected: &str| {
        let error = framework("pytest")
            .unwrap()
            .plan(&request)
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(
        PlanRequest {
            command: &[],
            ..good
        },
        "empty",
    );
    check(
        PlanRequest {
            nonce: "a-b",
            ..good
        },
        "nonce `a-b`",
    );
    check(PlanRequest { nonce: "", ..good }, "nonce");
    check(
        PlanRequest {
            report: "r.xml",
            ..good
        },
        "report `r.xml`",
    );
    check(PlanRequest { tree: "", ..good }, "tree");
    check(
        PlanRequest {
            control: "/a:b",
            ..good
        },
        "`:`",
    );
    let isolated = ["python", "-I", "-m", "pytest"].map(str::to_owned);
    check(
        PlanRequest {
            command: &isolated,
            ..good
        },
        "`-I`",
    );
    let tests = ["pytest", "{tests}"].map(str::to_owned);
    check(
        PlanRequest {
            command: &tests,
            ..good
        },
        "{tests}",
    );
}

#[test]
fn exit_codes() {
    use ExitMeaning::{Broken, Interrupted, NothingCollected, Passed, TestsFailed};
    let rows = [
        (0, Passed, Passed),
        (1, TestsFailed, TestsFailed),
        (2, Interrupted, TestsFailed),
        (3, Broken, TestsFailed),
        (4, Broken, TestsFailed),
        (5, NothingCollected, TestsFailed),
        (126, Broken, Broken),
        (127, Broken, Broken),
        (128, Broken, Broken),
        (139, Broken, Broken),
        (-1, Broken, Broken),
    ];
    for (code, pytest, plain) in rows {
        assert_eq!(
            framework("pytest").unwrap().exit_meaning(code),
            pytest,
            "pytest {code}"
        );
        assert_eq!(
            framework("plain").unwrap().exit_meaning(code),
            plain,
            "plain {code}"
        );
    }
}

/// The lines of the script that list and run.
fn nextest_lines(command: &str, mode: Mode<'_>) -> Vec<String> {
    let plan = plan("nextest", command, mode, &[]).unwrap();
    assert_eq!(plan.argv, ["sh", "/c/run.sh"]);
    assert_eq!(plan.environment["CARGO_TARGET_DIR"], "/t/target");
    let script = plan.files.iter().find(|file| file.name == "run.sh");
    let lines = script.unwrap().contents.lines();
    let words = lines.filter(|line| line.starts_with("'cargo'"));
    words.map(|line| line.replace('\'', "")).collect()
}

#[test]
fn a_nextest_command_is_taken_apart() {
    let ours = "--tool-config-file patch-verdict:/c/nextest.toml --profile patch-verdict";
    let command = "cargo nextest run -p a --retries 3 --no-capture -j 2 --profile ci -- --skip x";
    assert_eq!(
        nextest_lines(command, Mode::Whole),
        [
            format!(
                "cargo nextest list --message-format json -p a {ours} -- --skip x > /c/list.json"
            ),
            format!(
                "cargo nextest run -p a {ours} --retries 0 --no-fail-fast --test-threads 2 -- --skip x"
            ),
        ]
    );
    assert_eq!(nextest_lines(command, Mode::Collect).len(), 1);
}

#[test]
fn a_nextest_filter_is_exact() {
    let ids = [
        "shop::it a::b".to_owned(),
        "shop::it odd (x) | \"y\"".to_owned(),
    ];
    let plan = plan(
        "nextest",
        "cargo nextest run",
        Mode::Scored { ids: &ids },
        &[],
    )
    .unwrap();
    let profile = &plan.files[0].contents;
    assert!(
        profile.contains("(binary_id(=shop::it) & (test(=a::b) | test(=odd"),
        "{profile}"
    );
    assert!(!profile.contains("(x)"), "{profile}");
    assert!(profile.contains("path = \"/r/{seed}.xml\""), "{profile}");
}

#[test]
fn commands_that_nextest_cannot_extend_are_refused() {
    for command in ["cargo test", "cargo nextest", "cargo nextest list"] {
        let error = plan("nextest", command, Mode::Whole, &[]).unwrap_err();
        assert!(error.to_string().contains("cargo nextest run"), "{error}");
    }
}

#[test]
fn options_reach_jest_behind_npm() {
    let words = plan("jest", "npm test", Mode::Whole, &[]).unwrap().argv;
    assert_eq!(words[..4], ["npm", "test", "--", "--ci"]);
    let words = plan(
        "jest",
        "npx jest lib --bail --reporters x -t y --coverageThreshold={}",
        Mode::Whole,
        &[],
    )
    .unwrap()
    .argv;
    assert_eq!(words[..6], ["npx", "jest", "lib", "-t", "y", "--ci"]);
    let words = plan("vitest", "vitest run --retry 2 a", Mode::Whole, &[])
        .unwrap()
        .argv;
    assert_eq!(words[..4], ["vitest", "run", "a", "--run"]);
}
