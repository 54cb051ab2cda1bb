//! `cargo xtask test`: every check, one after the other, each named.
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, bail};

use crate::{node, process, python, schemas, tidy};

/// How to run.
#[derive(Debug, Default)]
struct Options {
    all: bool,
    install: bool,
    only: Option<String>,
}

/// One step.
struct Step {
    name: &'static str,
    slow: bool,
    run: fn(&Options) -> anyhow::Result<Done>,
}

/// What became of a step.
enum Done {
    Passed,
    /// Not possible here, and why. An error under `CI`.
    Skipped(String),
}

const STEPS: [Step; 11] = [
    Step {
        name: "fmt",
        slow: false,
        run: fmt,
    },
    Step {
        name: "tidy",
        slow: false,
        run: |_| tidy::run().map(|()| Done::Passed),
    },
    Step {
        name: "clippy",
        slow: false,
        run: clippy,
    },
    Step {
        name: "build",
        slow: false,
        run: build,
    },
    Step {
        name: "tests",
        slow: false,
        run: tests,
    },
    Step {
        name: "schemas",
        slow: false,
        run: |_| schemas::run(&["--check".to_owned()]).map(|()| Done::Passed),
    },
    Step {
        name: "handed cases",
        slow: false,
        run: handed_cases,
    },
    Step {
        name: "doc",
        slow: false,
        run: doc,
    },
    Step {
        name: "containment as another user",
        slow: true,
        run: as_another_user,
    },
    Step {
        name: "demo",
        slow: true,
        run: demo,
    },
    Step {
        name: "deny",
        slow: true,
        run: deny,
    },
];

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let options = parse(arguments)?;
    let (mut passed, mut failed, mut skipped) = (0, Vec::new(), Vec::new());
    for step in &STEPS {
        let chosen = match &options.only {
            Some(only) => step.name == only,
            None => options.all || !step.slow,
        };
        if !chosen {
            continue;
        }
        process::say(&format!("\n== {}", step.name));
        let start = Instant::now();
        match (step.run)(&options) {
            Ok(Done::Passed) => passed += 1,
            Ok(Done::Skipped(why)) if process::under_ci() => {
                failed.push(format!(
                    "{}: skipped ({why}), which CI does not allow",
                    step.name
                ));
            }
            Ok(Done::Skipped(why)) => skipped.push(format!("{}: {why}", step.name)),
            Err(error) => failed.push(format!("{}: {error:#}", step.name)),
        }
        process::say(&format!(
            "== {} took {:.0} s",
            step.name,
            start.elapsed().as_secs_f64()
        ));
    }
    for line in &skipped {
        process::say(&format!("not checked: {line}"));
    }
    for line in &failed {
        process::say(&format!("failed: {line}"));
    }
    process::say(&format!(
        "steps: {passed} passed, {} failed, {} skipped",
        failed.len(),
        skipped.len()
    ));
    if failed.is_empty() {
        Ok(())
    } else {
        bail!("{} steps failed", failed.len())
    }
}

fn parse(arguments: &[String]) -> anyhow::Result<Options> {
    let mut options = Options {
        install: process::under_ci(),
        ..Options::default()
    };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--all" => options.all = true,
            "--install" => options.install = true,
            "--only" => options.only = Some(words.next().context("--only needs a step")?.clone()),
            other => bail!("unknown argument `{other}`"),
        }
    }
    let known = |name: &String| STEPS.iter().any(|step| step.name == name);
    if let Some(name) = options.only.as_ref().filter(|name| !known(name)) {
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        bail!("no step is named `{name}`; there are: {}", names.join(", "));
    }
    Ok(options)
}

fn fmt(_: &Options) -> anyhow::Result<Done> {
    process::run(&mut process::cargo(&["fmt", "--all", "--check"]))?;
    Ok(Done::Passed)
}

fn clippy(_: &Options) -> anyhow::Result<Done> {
    let arguments = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ];
    process::run(&mut process::cargo(&arguments))?;
    Ok(Done::Passed)
}

fn build(_: &Options) -> anyhow::Result<Done> {
    process::run(&mut process::cargo(&[
        "build",
        "--workspace",
        "--bins",
        "--quiet",
    ]))?;
    Ok(Done::Passed)
}

fn tests(options: &Options) -> anyhow::Result<Done> {
    let python = python::interpreter(options.install)?;
    go(options)?;
    let mut command = process::cargo(&["test", "--workspace"]);
    command.env("PATCH_VERDICT_TEST_PYTHON", &python);
    match node::packages()? {
        Some(folder) => {
            command.env("PATCH_VERDICT_TEST_NODE", folder);
        }
        None => process::say("no `node` and `npm` in PATH: the JavaScript adapters are not tested"),
    }
    if let Some(shared) = shared() {
        command.env("PATCH_VERDICT_SHARED", shared);
    }
    process::run(&mut command)?;
    Ok(Done::Passed)
}

/// What the tests of the Go adapter run. Elsewhere they are passed over, under `CI` they are not.
fn go(options: &Options) -> anyhow::Result<()> {
    if process::is_there("go") && process::is_there("gotestsum") {
        return Ok(());
    }
    if options.install && process::is_there("apt-get") {
        return process::install(&["golang-go", "gotestsum"]);
    }
    process::say("no `go` and `gotestsum` in PATH: the Go adapter is not tested");
    Ok(())
}

fn doc(_: &Options) -> anyhow::Result<Done> {
    let mut command = process::cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    process::run(&mut command)?;
    Ok(Done::Passed)
}

/// The folder of handed cases, where somebody laid it beside the checkout.
fn shared() -> Option<PathBuf> {
    let given = std::env::var_os("PATCH_VERDICT_SHARED").map(PathBuf::from);
    let beside = process::root().parent().map(|parent| parent.join("shared"));
    given
        .into_iter()
        .chain(beside)
        .find(|folder| folder.join("tools/check_cases.py").exists())
}

/// The handed cases are no part of the repository: their absence skips nothing of ours.
fn handed_cases(_: &Options) -> anyhow::Result<Done> {
    let Some(shared) = shared() else {
        process::say(
            "no handed cases beside this checkout; the tests' own cases stand in testdata",
        );
        return Ok(Done::Passed);
    };
    let checker = shared.join("tools/check_cases.py");
    for suite in ["gate", "witness", "junit", "shapes"] {
        let mut command = Command::new("python3");
        command
            .arg("-B")
            .arg(&checker)
            .arg(suite)
            .arg("--bin")
            .arg(process::target().join("debug"));
        process::run(&mut command)?;
    }
    Ok(Done::Passed)
}

/// Tests that contain processes, once more as a user without rights.
fn as_another_user(_: &Options) -> anyhow::Result<Done> {
    let root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout == b"0\n");
    if !root {
        return Ok(Done::Skipped(
            "this is no root shell: the tests ran unprivileged already".to_owned(),
        ));
    }
    if !process::is_there("setpriv") {
        return Ok(Done::Skipped("no `setpriv` (util-linux)".to_owned()));
    }
    process::run(&mut process::cargo(&[
        "build",
        "--package",
        "worktree-runner",
        "--examples",
        "--quiet",
    ]))?;
    let copy = tempfile::Builder::new().prefix("pv-").tempdir()?;
    for package in ["worktree-runner", "git-trees"] {
        let binary = test_binary(package)?;
        run_unprivileged(&binary, copy.path()).with_context(|| package.to_owned())?;
    }
    Ok(Done::Passed)
}

/// Copies a test binary, and the example programs it starts, to where that user may read them.
fn run_unprivileged(binary: &Path, folder: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let (programs, examples, home) = (
        folder.join("deps"),
        folder.join("examples"),
        folder.join("home"),
    );
    for (path, mode) in [
        (folder, 0o755),
        (&programs, 0o755),
        (&examples, 0o755),
        (&home, 0o777),
    ] {
        std::fs::create_dir_all(path)?;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
    }
    let program = programs.join("it");
    std::fs::copy(binary, &program)?;
    let drive = process::target().join("debug/examples/drive");
    std::fs::copy(&drive, examples.join("drive"))
        .with_context(|| format!("cannot copy `{}`", drive.display()))?;
    let mut command = Command::new("setpriv");
    command
        .args([
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--inh-caps=-all",
            "--",
        ])
        .arg(&program)
        .current_dir(&home)
        .env("HOME", &home)
        .env("TMPDIR", &home);
    process::run(&mut command)
}

/// The integration test binary of a package, built.
fn test_binary(package: &str) -> anyhow::Result<PathBuf> {
    let arguments = [
        "test",
        "--package",
        package,
        "--test",
        "it",
        "--no-run",
        "--message-format=json",
    ];
    let output = process::cargo(&arguments)
        .stderr(std::process::Stdio::inherit())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let messages = text
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    messages
        .filter(|message| {
            message
                .pointer("/target/name")
                .is_some_and(|name| name == "it")
        })
        .filter_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .next_back()
        .with_context(|| format!("no test binary of {package}"))
}

fn demo(_: &Options) -> anyhow::Result<Done> {
    crate::demo::run(&[])?;
    Ok(Done::Passed)
}

/// Licences, bans and sources. Advisories need a database that has to be fetched: not checked here.
fn deny(_: &Options) -> anyhow::Result<Done> {
    let version = "0.20.2";
    let tools = process::target().join("xtask/tools");
    let program = tools.join("bin/cargo-deny");
    if !program.exists() {
        let mut install = process::cargo(&[
            "install",
            "cargo-deny",
            "--version",
            version,
            "--locked",
            "--quiet",
        ]);
        install
            .arg("--root")
            .arg(&tools)
            .arg("--target-dir")
            .arg(tools.join("build"));
        process::run(&mut install)?;
    }
    // The lock also names crates of other platforms, which no build here has fetched.
    process::run(&mut process::cargo(&["fetch", "--locked", "--quiet"]))?;
    let mut command = Command::new(program);
    command
        .args(["--offline", "check", "bans", "licenses", "sources"])
        .current_dir(process::root());
    process::run(&mut command)?;
    Ok(Done::Passed)
}
