//! Progress on standard error: a line that moves on a terminal, a plain line elsewhere.
use std::cell::RefCell;
use std::io::Write as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use patch_verdict_engine::{PlanSummary, Watcher};
use worktree_runner::Event;

/// Prints what a check does.
pub(crate) struct Progress {
    quiet: bool,
    bar: Option<RefCell<ProgressBar>>,
}

impl Progress {
    pub(crate) fn new(quiet: bool, terminal: bool) -> Self {
        let bar = (terminal && !quiet).then(|| {
            let bar = ProgressBar::new_spinner();
            let style = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.enable_steady_tick(Duration::from_millis(250));
            RefCell::new(bar)
        });
        Self { quiet, bar }
    }

    /// Takes the moving line away.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.borrow().finish_and_clear();
        }
    }

    fn line(&self, text: &str) {
        if self.quiet {
            return;
        }
        match &self.bar {
            Some(bar) => bar.borrow().println(text),
            None => {
                writeln!(std::io::stderr(), "{text}").ok();
            }
        }
    }

    fn now(&self, text: String) {
        match &self.bar {
            Some(bar) => bar.borrow().set_message(text),
            None => self.line(&text),
        }
    }
}

impl Watcher for Progress {
    fn plan(&self, plan: &PlanSummary) {
        self.line(plan_text(plan).trim_end());
        self.now("checking both sides out".to_owned());
    }

    fn contract(&self, tests: &str, runs: usize, estimate: Duration) {
        self.line(&format!("{tests}; {runs} runs, about {}", span(estimate)));
    }

    fn event(&self, event: &Event<'_>) {
        match event {
            Event::LeftoversRemoved { path, .. } => {
                self.line(&format!(
                    "removed what a killed check left in {}",
                    path.display()
                ));
            }
            Event::SetUpStarted { side, command, .. } => {
                self.now(format!("set-up of the {}: {command}", side.name()));
            }
            Event::RunStarted {
                side,
                label,
                place,
                expected,
                ..
            } => {
                let place = place.map_or_else(String::new, |(k, n)| format!("run {k} of {n}: "));
                let about =
                    expected.map_or_else(String::new, |time| format!(", about {}", span(time)));
                let name = if label.starts_with("discovery") {
                    "discovery (what does the suite hold, how long does it take?) on the"
                } else if label.starts_with("collection") {
                    "collecting on the"
                } else if label.starts_with("whole") {
                    "whole suite on the"
                } else {
                    ""
                };
                self.now(format!("{place}{name} {}{about}", side.name()).replace(":  ", ": "));
            }
            _ => {}
        }
    }
}

/// The plan for a person: framework, command, tests, scope, seeds, isolation.
pub(crate) fn plan_text(plan: &PlanSummary) -> String {
    let mut lines = vec![
        format!("parent     {}  ({})", plan.parent, plan.base_from),
        format!("patch      {}", plan.patch),
        format!("framework  {}", plan.framework),
        format!(
            "command    {}  (in {})",
            plan.command.join(" "),
            plan.directory
        ),
        format!("scope      {}", plan.scope),
    ];
    for command in &plan.setup {
        lines.push(format!("set-up     {command}"));
    }
    let seeds: Vec<String> = plan.seeds.iter().take(8).map(i64::to_string).collect();
    let more = if plan.seeds.len() > 8 { ", …" } else { "" };
    lines.push(format!(
        "seeds      {} a side: {}{more}",
        plan.seeds.len(),
        seeds.join(", ")
    ));
    let network = if plan.network_off {
        "network off, loopback up"
    } else {
        "the host's network"
    };
    let seeded = if plan.seeds_what.is_empty() {
        "nothing is seeded".to_owned()
    } else {
        format!("seeds {}, where there", plan.seeds_what.join(", "))
    };
    lines.push(format!("isolation  {network}; {seeded}"));
    for note in &plan.notes {
        lines.push(format!("note       {note}"));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn span(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 90.0 {
        format!("{:.0} s", seconds.max(1.0))
    } else {
        format!("{:.0} min", seconds / 60.0)
    }
}
