//! The packages that the tests of the JavaScript adapters run: installed once, in the target folder.
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context as _;

use crate::process;

/// The folder with `node_modules`; `None` where there is no Node, which CI does not allow.
pub(crate) fn packages() -> anyhow::Result<Option<PathBuf>> {
    if !process::is_there("npm") || !process::is_there("node") {
        return Ok(None);
    }
    let folder = process::target().join("xtask/node");
    let stamp = folder.join("installed.json");
    let sources = process::root().join("xtask/node");
    let lock = fs::read(sources.join("package-lock.json"))?;
    if fs::read(&stamp).is_ok_and(|made| made == lock) {
        return Ok(Some(folder));
    }
    process::say(&format!(
        "installing the packages of the tests in {} …",
        folder.display()
    ));
    fs::create_dir_all(&folder)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(sources.join(file), folder.join(file))?;
    }
    // The lock holds versions and digests, no addresses: the registry is the user's own.
    let mut install = Command::new("npm");
    install
        .args([
            "ci",
            "--silent",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
        ])
        .current_dir(&folder);
    process::run(&mut install).context("cannot install the packages of the tests")?;
    fs::write(&stamp, lock)?;
    Ok(Some(folder))
}
