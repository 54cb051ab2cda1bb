//! `patch-verdict check`.
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use patch_verdict_core::wire::{Tool, VerdictDocument};
use patch_verdict_engine::{
    CheckError, CheckErrorKind, CheckOptions, Checked, FailedIn, Head, Seeds, check, plan,
};
use verdict_report::Look;
use verdict_terminal::{
    ColorChoice, Exit, Failure, Format, OrExit as _, ReportTarget, Streams, check_writable,
    write_atomically,
};
use worktree_runner::CancelFlag;

use crate::progress::Progress;

/// What an interruption that no signal explains counts as.
const SIGINT: u8 = 2;

/// Arguments of `check`.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A folder in the repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// The commit before the patch [default: the merge base with the target or default branch]
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// The commit with the patch, or WORKTREE for uncommitted work [default: HEAD]
    #[arg(long, value_name = "REV|WORKTREE", conflicts_with = "patch")]
    head: Option<String>,
    /// A patch file to judge on top of the base; `-` for standard input
    #[arg(long, value_name = "FILE|-")]
    patch: Option<PathBuf>,
    /// How many seeds a side, or a list such as `11,12,13` [default: 3]
    #[arg(long, value_name = "N|LIST", value_parser = seeds)]
    seeds: Option<SeedsArgument>,
    /// Judge only the tests that failed in this JUnit report (and what the patch touched)
    #[arg(long, value_name = "REPORT")]
    failed_in: Vec<PathBuf>,
    /// Judge only the tests listed in this file, one id a line (and what the patch touched)
    #[arg(long, value_name = "FILE", conflicts_with = "failed_in")]
    tests: Option<PathBuf>,
    /// Longest time of one run, such as `10m`
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    timeout: Option<Duration>,
    /// How many runs to make at once; tests that depend on time fail more often under load
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    jobs: usize,
    /// The suite of patch-verdict.toml to run
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    /// Where the evidence goes [default: .patch-verdict/reviews/CONTRACT/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Say what would be run, and stop
    #[arg(long)]
    dry_run: bool,
    /// Exit 0 where the verdict would exit 1 or 3 (for adoption; the json says so)
    #[arg(long)]
    exit_zero: bool,
    /// How the verdict is printed: human, json, markdown or github
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        default_value = "human",
        env = "PATCH_VERDICT_FORMAT"
    )]
    format: Format,
    /// Write a further copy of the verdict, e.g. `markdown=verdict.md`; repeatable
    #[arg(long, value_name = "FORMAT=PATH")]
    report: Vec<ReportTarget>,
    /// No progress
    #[arg(short, long)]
    quiet: bool,
    /// List every test
    #[arg(short, long)]
    verbose: bool,
    /// When to colour
    #[arg(long, value_enum, default_value = "auto")]
    color: ColorChoice,
    /// The test command; `{seed}` and `{junit}` are replaced [default: patch-verdict.toml's or the
    /// framework's own]
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=1000) => Ok(count),
        _ => Err(format!("`{text}` is no count from 1 to 1000")),
    }
}

#[derive(Debug, Clone)]
enum SeedsArgument {
    Count(usize),
    List(Vec<i64>),
}

fn seeds(text: &str) -> Result<SeedsArgument, String> {
    if text.contains(',') {
        let seeds: Result<Vec<i64>, _> = text.split(',').map(|seed| seed.trim().parse()).collect();
        let seeds = seeds.map_err(|_| format!("`{text}` is no list of integers"))?;
        let distinct: std::collections::BTreeSet<&i64> = seeds.iter().collect();
        if distinct.len() != seeds.len() {
            return Err("the seeds of a schedule are distinct".to_owned());
        }
        return Ok(SeedsArgument::List(seeds));
    }
    match text.parse() {
        Ok(count @ 1..=10_000) => Ok(SeedsArgument::Count(count)),
        _ => Err(format!(
            "`{text}` is neither a count from 1 to 10000 nor a list such as 11,12"
        )),
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    patch_verdict_core::parse_duration(text)
        .ok_or_else(|| format!("`{text}` is no duration such as `90s`, `10m`, `1h 30m`"))
}

/// Runs the check and prints its verdict.
pub(crate) fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let rendered = render_check(args.format)?;
    let options = options(args)?;
    let progress = Progress::new(args.quiet, streams.err_is_terminal);
    if args.dry_run {
        let summary = plan(&options).map_err(|error| failure(error, None))?;
        write!(streams.out, "{}", crate::progress::plan_text(&summary))?;
        writeln!(streams.out, "nothing was run (--dry-run)")?;
        return Ok(Exit::Good);
    }
    let cancel = CancelFlag::new();
    cancel
        .set_on_signals()
        .or_exit(Exit::Surroundings, "cannot watch for signals")?;
    let outcome = check(&options, &progress, &cancel);
    progress.end();
    let checked = outcome.map_err(|error| failure(error, cancel.signal()))?;
    print(args, &checked, rendered, streams)
}

/// The way a format is rendered, or a clear refusal before anything runs.
fn render_check(
    format: Format,
) -> anyhow::Result<fn(&VerdictDocument, Look) -> anyhow::Result<String>> {
    Ok(match format {
        Format::Human => |document, look| Ok(verdict_report::human(document, look)),
        Format::Json => |document, _| Ok(verdict_report::json(document)?),
        Format::Markdown => |document, _| Ok(verdict_report::markdown(document)),
        Format::Github => |document, _| Ok(verdict_report::github(document)),
        other => {
            let name = format!("{other:?}").to_lowercase();
            return Err(
                Failure::new(Exit::Usage, format!("a verdict has no format `{name}` yet"))
                    .hint("human, json, markdown, github")
                    .into(),
            );
        }
    })
}

fn print(
    args: &Args,
    checked: &Checked,
    render: fn(&VerdictDocument, Look) -> anyhow::Result<String>,
    streams: &mut Streams<'_>,
) -> anyhow::Result<Exit> {
    let plain = Look {
        color: streams.colored(args.color),
        ..Look::plain()
    };
    let look = if args.verbose { plain.verbose() } else { plain };
    // Whatever cannot be written: the others are, and the error says where the verdict stands.
    let mut written = Ok(());
    for target in &args.report {
        let text = render_check(target.format)?(&checked.document, Look::plain().verbose())?;
        let done = write_atomically(&target.path, text.as_bytes());
        let what = format!("the report `{}`", target.path.display());
        written = written.and(done.map_err(|error| unwritten(checked, &what, &error)));
    }
    let text = render(&checked.document, look)?;
    let printed = streams.out.write_all(text.as_bytes());
    printed
        .and_then(|()| streams.out.flush())
        .map_err(|error| unwritten(checked, "to standard output", &error))?;
    written?;
    let exit = match checked.exit_code {
        0 => Exit::Good,
        1 => Exit::Bad,
        _ => Exit::Person,
    };
    Ok(if args.exit_zero { exit.adopted() } else { exit })
}

fn unwritten(checked: &Checked, what: &str, error: &std::io::Error) -> anyhow::Error {
    let failure = Failure::new(Exit::Surroundings, format!("cannot write {what}: {error}"));
    match &checked.document.review_dir {
        Some(folder) => failure
            .hint(format!("the verdict stands in `{folder}/verdict.json`"))
            .into(),
        None => failure.into(),
    }
}

fn options(args: &Args) -> anyhow::Result<CheckOptions> {
    for target in &args.report {
        render_check(target.format)?;
        check_writable(&target.path).map_err(|error| {
            let path = target.path.display();
            Failure::new(
                Exit::Usage,
                format!("cannot write the report `{path}`: {error}"),
            )
            .hint("`--report FORMAT=PATH` needs a file in a folder that is there")
        })?;
    }
    let mut options = CheckOptions::new(&args.repo);
    options.base.clone_from(&args.base);
    options.head = head(args)?;
    options.seeds = args.seeds.clone().map(|seeds| match seeds {
        SeedsArgument::Count(count) => Seeds::Count(count),
        SeedsArgument::List(list) => Seeds::List(list),
    });
    for path in &args.failed_in {
        let name = path.display().to_string();
        options.failed_in.push(FailedIn {
            bytes: read(path)?,
            name,
        });
    }
    if let Some(path) = &args.tests {
        options.tests = Some(list(&read(path)?, path)?);
    }
    options.timeout = args.timeout;
    options.jobs = args.jobs;
    options.suite.clone_from(&args.suite);
    options.out.clone_from(&args.out);
    options.command.clone_from(&args.command);
    options.environment = environment();
    options.ci_event = options
        .environment
        .get("GITHUB_EVENT_PATH")
        .and_then(|path| std::fs::read_to_string(path).ok());
    options.tool = tool();
    options.exit_zero = args.exit_zero;
    Ok(options)
}

/// This program, for decisions and verdicts.
pub(crate) fn tool() -> Tool {
    Tool {
        name: "patch-verdict".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: verdict_terminal::commit().to_owned(),
    }
}

/// The environment; variables that are no Unicode are left out.
pub(crate) fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

fn head(args: &Args) -> anyhow::Result<Head> {
    if let Some(path) = &args.patch {
        let bytes = if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            std::io::stdin()
                .read_to_end(&mut bytes)
                .context("cannot read standard input")?;
            bytes
        } else {
            read(path)?
        };
        return Ok(Head::PatchFile(bytes));
    }
    Ok(match args.head.as_deref() {
        Some("WORKTREE") => Head::WorkTree,
        Some(revision) => Head::Revision(revision.to_owned()),
        None => Head::Revision("HEAD".to_owned()),
    })
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).or_exit(Exit::Usage, format!("cannot read `{}`", path.display()))
}

fn list(bytes: &[u8], path: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::str::from_utf8(bytes)
        .or_exit(Exit::Usage, format!("`{}` is not UTF-8", path.display()))?;
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

/// An engine's error as one with an exit code; `signal` is the one that asked for the end, if one did.
#[expect(clippy::needless_pass_by_value, reason = "called by `map_err`")]
pub(crate) fn failure(error: CheckError, signal: Option<u8>) -> anyhow::Error {
    let exit = match error.kind() {
        CheckErrorKind::Request => Exit::Usage,
        CheckErrorKind::Interrupted => Exit::Signal(signal.unwrap_or(SIGINT)),
        CheckErrorKind::Bug => Exit::Bug,
        _ => Exit::Surroundings,
    };
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        let text = inner.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        cause = inner.source();
    }
    let failure = Failure::new(exit, message);
    match error.next_step() {
        Some(hint) => failure.hint(hint).into(),
        None => failure.into(),
    }
}
