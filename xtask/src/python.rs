//! The Python environment that the tests use: made once, in the target folder.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::process;

/// What our own tests need; what shapes reports is pinned so that two machines see the same.
const PACKAGES: [&str; 8] = [
    "pytest==8.4.2",
    "hypothesis==6.140.3",
    "numpy",
    "pytest-randomly==4.0.1",
    "pytest-xdist==3.8.0",
    "pytest-timeout==2.4.0",
    "pytest-cov==7.0.0",
    "pytest-rerunfailures==16.0.1",
];

/// The interpreter of the environment of our own tests.
pub(crate) fn interpreter(install: bool) -> anyhow::Result<PathBuf> {
    let folder = process::target().join("xtask/python");
    environment(&folder, &PACKAGES, install).map(|programs| programs.join("python"))
}

/// The programs of a Python environment with `packages`, made when it is not there yet.
pub(crate) fn environment(
    folder: &Path,
    packages: &[&str],
    install: bool,
) -> anyhow::Result<PathBuf> {
    let programs = folder.join("bin");
    let python = programs.join("python");
    let stamp = folder.join("packages.txt");
    let wanted = packages.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) && python.exists() {
        return Ok(programs);
    }
    process::say(&format!(
        "setting up a Python environment in {} …",
        folder.display()
    ));
    fs::remove_dir_all(folder).ok();
    let system = ["python3", "python"]
        .into_iter()
        .find(|name| process::is_there(name));
    let system = system.context("no `python3` in PATH: install Python 3.9 or newer")?;
    let mut venv = Command::new(system);
    venv.args(["-m", "venv"]).arg(folder);
    if process::run(&mut venv).is_err() && install && process::is_there("apt-get") {
        process::install(&["python3-venv"])?;
        process::run(&mut venv)?;
    }
    if !python.exists() {
        bail!("cannot make a virtual environment (on Debian: `apt install python3-venv`)");
    }
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ])
    .args(packages);
    process::run(&mut pip).context("cannot install the packages of the tests")?;
    fs::write(&stamp, wanted)?;
    Ok(programs)
}
