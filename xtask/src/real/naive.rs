//! The floor: a plain script that runs the same command in two worktrees, seed after seed.
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::Tools;
use super::case::Case;
use super::commits::Pair;

/// Seconds of the plain loops, worktrees included.
pub(crate) fn seconds(
    case: &Case,
    pair: &Pair,
    work: &Path,
    tools: &Tools,
    seeds: &[i64],
) -> anyhow::Result<f64> {
    let start = Instant::now();
    let path = std::env::var("PATH").unwrap_or_default();
    for (side, commit) in [("parent", &pair.parent), ("patch", &pair.patch)] {
        let tree = work.join("naive").join(side);
        let mut add = Command::new("git");
        add.args(["worktree", "add", "--quiet", "--detach"])
            .arg(&tree)
            .arg(commit);
        crate::process::run(add.current_dir(&pair.repository))?;
        for line in &pair.setup {
            let mut set_up = Command::new("sh");
            set_up
                .args(["-c", line])
                .current_dir(&tree)
                .env("PATH", format!("{}:{path}", tools.python.display()));
            set_up
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()?;
        }
        for seed in seeds {
            let words: Vec<String> = case
                .words(tools.node.as_deref())
                .iter()
                .map(|word| {
                    word.replace("{seed}", &seed.to_string())
                        .replace("{junit}", &format!("report-{seed}.xml"))
                })
                .collect();
            let Some((program, arguments)) = words.split_first() else {
                continue;
            };
            let mut command = Command::new(if tools.python.join(program).exists() {
                tools.python.join(program)
            } else {
                program.into()
            });
            command
                .args(arguments)
                .current_dir(&tree)
                .env("PATH", format!("{}:{path}", tools.python.display()))
                .env("CARGO_TARGET_DIR", tree.join("target"))
                .env("PYTHONHASHSEED", seed.to_string())
                .envs(case.own_environment())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command.status()?;
        }
    }
    Ok(start.elapsed().as_secs_f64())
}
