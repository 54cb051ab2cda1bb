//! `cargo xtask demo`: builds the program and lets it show itself.
use std::process::Command;

use crate::process;

/// Builds `patch-verdict` and runs `patch-verdict demo` in the target folder.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    process::say("building patch-verdict …");
    process::run(&mut process::cargo(&[
        "build",
        "--package",
        "patch-verdict",
        "--quiet",
    ]))?;
    let folder = process::target().join("demo");
    let mut command = Command::new(process::target().join("debug/patch-verdict"));
    command.arg("demo").arg("--dir").arg(folder).args(arguments);
    process::run(&mut command)
}
