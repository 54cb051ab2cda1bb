//! `cargo xtask real`: judges commits of public repositories whose truth is known.
mod case;
mod commits;
mod judged;
mod naive;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::{node, process, python};
use case::Case;
use judged::Judged;

/// Packages that the tests of the cases import.
const PACKAGES: [&str; 10] = [
    "pytest==8.4.2",
    "pytest-randomly==4.0.1",
    "hypothesis==6.140.3",
    "freezegun==1.5.5",
    "PyYAML==6.0.3",
    "typeguard==4.4.4",
    "tornado==6.5.2",
    "cloudpickle==3.1.1",
    "setuptools==80.9.0",
    "six==1.17.0",
];

/// Where the programs of the cases stand.
#[derive(Debug)]
struct Tools {
    /// The programs of the Python environment.
    python: PathBuf,
    /// The folder with the JavaScript packages.
    node: Option<PathBuf>,
}

/// What was asked for.
#[derive(Debug, Default)]
struct Options {
    clones: PathBuf,
    cases: PathBuf,
    only: Vec<String>,
    out: Option<PathBuf>,
    seeds: Option<String>,
}

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let options = parse(arguments)?;
    let text = fs::read_to_string(&options.cases)
        .with_context(|| format!("cannot read `{}`", options.cases.display()))?;
    let cases: Vec<Case> =
        serde_json::from_str(&text).context("the cases are no JSON list of cases")?;
    process::run(&mut process::cargo(&[
        "build",
        "--release",
        "--package",
        "patch-verdict",
        "--quiet",
    ]))?;
    let folder = process::target().join("real");
    let python = python::environment(&folder.join("python"), &PACKAGES, false)?;
    let node = node::packages()?;
    let tools = Tools { python, node };
    let mut rows = Vec::new();
    for case in cases.iter().filter(|case| chosen(case, &options)) {
        process::say(&format!("\n== {}", case.name));
        rows.push(match judge(case, &options, &folder, &tools) {
            Ok(judged) => judged,
            Err(error) => Judged::not_checked(case, &format!("{error:#}")),
        });
        process::say(&table::row(rows.last().context("a row was pushed")?));
    }
    let text = table::table(&rows);
    process::say(&text);
    if let Some(out) = &options.out {
        fs::write(out, &text).with_context(|| format!("cannot write `{}`", out.display()))?;
    }
    let wrong = rows.iter().filter(|row| row.right == Some(false)).count();
    if wrong > 0 {
        bail!("{wrong} verdicts are not what the truth allows");
    }
    Ok(())
}

fn parse(arguments: &[String]) -> anyhow::Result<Options> {
    let mut options = Options::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || {
            words
                .next()
                .cloned()
                .with_context(|| format!("{word} needs a value"))
        };
        match word.as_str() {
            "--clones" => options.clones = value()?.into(),
            "--cases" => options.cases = value()?.into(),
            "--only" => options.only.push(value()?),
            "--out" => options.out = Some(value()?.into()),
            "--seeds" => options.seeds = Some(value()?),
            other => bail!("unknown argument `{other}`"),
        }
    }
    if options.clones.as_os_str().is_empty() || options.cases.as_os_str().is_empty() {
        bail!(
            "usage: cargo xtask real --clones FOLDER --cases cases.json [--only TEXT]... [--out FILE]"
        );
    }
    Ok(options)
}

fn chosen(case: &Case, options: &Options) -> bool {
    options.only.is_empty() || options.only.iter().any(|text| case.name.contains(text))
}

fn judge(case: &Case, options: &Options, folder: &Path, tools: &Tools) -> anyhow::Result<Judged> {
    if case.language == "javascript" && tools.node.is_none() {
        bail!("needs node and npm");
    }
    let work = folder.join("cases").join(&case.name);
    fs::remove_dir_all(&work).ok();
    fs::create_dir_all(&work)?;
    let pair = commits::build(case, &options.clones, &work)?;
    let seeds = options.seeds.as_deref().unwrap_or("3");
    let judged = judged::check(case, &pair, &work, (tools, seeds))?;
    let naive = naive::seconds(case, &pair, &work, tools, &judged.seeds)?;
    Ok(Judged {
        naive_seconds: Some(naive),
        ..judged
    })
}
