//! One case under `patch-verdict check`, held against what its label allows.
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;
use patch_verdict_core::wire::VerdictDocument;
use patch_verdict_core::{TestId, Verdict};

use super::Tools;
use super::case::Case;
use super::commits::Pair;

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) verdict: String,
    pub(crate) named: String,
    /// `None`: not checked.
    pub(crate) right: Option<bool>,
    pub(crate) seconds: Option<f64>,
    pub(crate) naive_seconds: Option<f64>,
    pub(crate) seeds: Vec<i64>,
}

impl Judged {
    pub(crate) fn not_checked(case: &Case, why: &str) -> Self {
        Self {
            name: case.name.clone(),
            label: case.truth.label.clone(),
            verdict: "not checked".to_owned(),
            named: why.replace('\n', " "),
            right: None,
            seconds: None,
            naive_seconds: None,
            seeds: Vec::new(),
        }
    }
}

pub(crate) fn check(
    case: &Case,
    pair: &Pair,
    work: &Path,
    (tools, seeds): (&Tools, &str),
) -> anyhow::Result<Judged> {
    let program = crate::process::target().join("release/patch-verdict");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(program);
    command
        .args([
            "check",
            "--format",
            "json",
            "--base",
            &pair.parent,
            "--head",
            &pair.patch,
            "--repo",
        ])
        .arg(&pair.repository)
        .args(["--seeds", seeds])
        .arg("--")
        .args(case.words(tools.node.as_deref()))
        .env("PATH", format!("{}:{path}", tools.python.display()))
        .env("XDG_STATE_HOME", work.join("state"))
        .stderr(std::fs::File::create(work.join("stderr.txt"))?);
    let start = Instant::now();
    let output = command.output().context("cannot start patch-verdict")?;
    let seconds = start.elapsed().as_secs_f64();
    let document: VerdictDocument = serde_json::from_slice(&output.stdout).with_context(|| {
        let words = std::fs::read_to_string(work.join("stderr.txt")).unwrap_or_default();
        format!("no verdict, {}: {}", output.status, words.trim())
    })?;
    Ok(Judged {
        name: case.name.clone(),
        label: case.truth.label.clone(),
        verdict: format!("{} {}", document.verdict, document.reason),
        named: named(&document),
        right: allowed(case, &document),
        seconds: Some(seconds),
        naive_seconds: None,
        seeds: document.scope.seeds.clone(),
    })
}

fn named(document: &VerdictDocument) -> String {
    let ids: Vec<&str> = match document.verdict {
        Verdict::Reject if document.new_failures.is_empty() => document
            .failing_on_both
            .iter()
            .map(TestId::as_str)
            .collect(),
        Verdict::Reject => document.new_failures.iter().map(TestId::as_str).collect(),
        _ => document
            .failing_on_both
            .iter()
            .map(TestId::as_str)
            .collect(),
    };
    match ids.as_slice() {
        [] => format!(
            "{} judged, {} excluded",
            document.scope.properties,
            document.excluded.len()
        ),
        [only] => (*only).to_owned(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// The table of the cases' own page: what a check may say.
fn allowed(case: &Case, document: &VerdictDocument) -> Option<bool> {
    let names = |wanted: &[String]| {
        let named = document.new_failures.iter();
        let spelled: Vec<String> = named.flat_map(|id| spellings(id.as_str())).collect();
        wanted.iter().any(|id| spelled.contains(id))
    };
    let quiet = document.new_failures.is_empty();
    let right = match (case.truth.label.as_str(), document.verdict) {
        // What the patch did to tests outside the command is the guard's business.
        ("weakened", Verdict::Accept) => return None,
        ("regression", Verdict::Reject) => names(&case.truth.broke),
        ("introduces_flake", Verdict::Reject) => names(&case.truth.flaky),
        ("introduces_flake" | "clean", Verdict::Accept)
        | ("shared_flake", Verdict::ProposeFreeze | Verdict::SpecReview | Verdict::Accept) => true,
        ("fail_both", Verdict::Reject) => document.reason == "uniform_fail" && quiet,
        // Tests that always fail on both sides stand beside the flaky ones in some cases.
        ("shared_flake", Verdict::Reject) => {
            document.reason == "uniform_fail" && quiet && !case.truth.fail_both.is_empty()
        }
        ("clean" | "weakened", Verdict::SpecReview) => quiet,
        _ => false,
    };
    Some(right)
}

/// An id as it is, and as jest-junit's templates spell it: the full title twice, the file left out.
fn spellings(id: &str) -> [String; 3] {
    let title = id.split_once("::").map_or(id, |(_, title)| title);
    let full = title.replace(" > ", " ");
    [
        id.to_owned(),
        format!("{full}::{full}"),
        format!(" {full}:: {full}"),
    ]
}
