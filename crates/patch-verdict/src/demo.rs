//! `patch-verdict demo`.
use std::path::PathBuf;

use patch_verdict_engine::demo::{Scenario, Workshop, scenarios};
use patch_verdict_engine::{CheckOptions, Head, check};
use verdict_report::Look;
use verdict_terminal::{ColorChoice, Exit, OrExit as _, Streams};
use worktree_runner::CancelFlag;

use crate::check::{environment, failure, tool};
use crate::progress::Progress;

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the sample repository and its Python environment are made
    #[arg(long, value_name = "DIR", default_value = "patch-verdict-demo")]
    dir: PathBuf,
    /// When to colour
    #[arg(long, value_enum, default_value = "auto")]
    color: ColorChoice,
    /// Only the patches on this branch; repeatable
    #[arg(long, value_name = "BRANCH")]
    only: Vec<String>,
}

/// Makes the sample and judges each of its patches.
pub(crate) fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let all = scenarios();
    let chosen: Vec<&Scenario> = all
        .iter()
        .filter(|scenario| {
            args.only.is_empty() || args.only.iter().any(|name| name == scenario.branch)
        })
        .collect();
    let cancel = CancelFlag::new();
    cancel
        .set_on_signals()
        .or_exit(Exit::Surroundings, "cannot watch for signals")?;
    let progress = Progress::new(false, streams.err_is_terminal);
    let workshop = Workshop::open(&args.dir, &all, &|text| {
        use std::io::Write as _;
        writeln!(std::io::stderr(), "{text}").ok();
    })
    .or_exit(Exit::Surroundings, "the sample repository cannot be made")?;
    writeln!(
        streams.out,
        "A sample repository with {} patches: {}\n",
        all.len(),
        workshop.repository().display()
    )?;
    let look = Look {
        color: streams.colored(args.color),
        most_listed: 4,
    };
    let mut surprises = 0;
    for (number, scenario) in chosen.iter().enumerate() {
        writeln!(
            streams.out,
            "─── {} of {}: {} ───",
            number + 1,
            chosen.len(),
            scenario.branch
        )?;
        let right = judge(scenario, &workshop, (&progress, &cancel), (look, streams))?;
        surprises += usize::from(!right);
    }
    progress.end();
    if surprises > 0 {
        writeln!(
            streams.out,
            "{surprises} verdicts are not what the patches deserve: please report it"
        )?;
        return Ok(Exit::Bad);
    }
    writeln!(
        streams.out,
        "Every verdict ({}) is what its patch deserves. Try it yourself:",
        chosen.len()
    )?;
    writeln!(
        streams.out,
        "  cd {} && PATH={}:$PATH patch-verdict check --base main --head regression",
        workshop.repository().display(),
        workshop.programs().display()
    )?;
    Ok(Exit::Good)
}

/// Judges one patch and prints its verdict; whether it is the one the patch deserves.
fn judge(
    scenario: &Scenario,
    workshop: &Workshop,
    (progress, cancel): (&Progress, &CancelFlag),
    (look, streams): (Look, &mut Streams<'_>),
) -> anyhow::Result<bool> {
    writeln!(streams.out, "{}.", capitalised(scenario.story))?;
    let (base, branch) = (scenario.base, scenario.branch);
    writeln!(
        streams.out,
        "$ patch-verdict check --base {base} --head {branch}\n"
    )?;
    streams.out.flush()?;
    let mut options = CheckOptions::new(workshop.repository());
    options.base = Some(base.to_owned());
    options.head = Head::Revision(branch.to_owned());
    options.environment = workshop.environment(&environment());
    options.tool = tool();
    let checked = check(&options, &Quiet(progress), cancel)
        .map_err(|error| failure(error, cancel.signal()))?;
    let document = &checked.document;
    streams
        .out
        .write_all(verdict_report::human(document, look).as_bytes())?;
    let right = document.verdict == scenario.verdict && document.reason == scenario.reason;
    if !right {
        let (verdict, reason) = (scenario.verdict, scenario.reason);
        writeln!(
            streams.out,
            "  UNEXPECTED: this patch deserves {verdict} {reason}"
        )?;
    }
    writeln!(streams.out)?;
    streams.out.flush()?;
    Ok(right)
}

/// The demo tells each plan itself: only what runs is shown.
struct Quiet<'a>(&'a Progress);

impl patch_verdict_engine::Watcher for Quiet<'_> {
    fn event(&self, event: &worktree_runner::Event<'_>) {
        patch_verdict_engine::Watcher::event(self.0, event);
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
