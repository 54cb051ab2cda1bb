//! Which files the paths name.
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use verdict_terminal::{Exit, Failure, OrExit as _};

/// One thing to read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Input {
    Stdin,
    File(PathBuf),
}

impl Input {
    /// The path as it is shown.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }
}

/// Expands the paths of the command line, in their order, each file once.
pub(crate) fn expand(paths: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    let mut seen = BTreeSet::new();
    let mut inputs = Vec::new();
    for path in paths {
        for input in expand_one(path)? {
            if seen.insert(input.clone()) {
                inputs.push(input);
            }
        }
    }
    Ok(inputs)
}

fn expand_one(path: &Path) -> anyhow::Result<Vec<Input>> {
    if path == Path::new("-") {
        return Ok(vec![Input::Stdin]);
    }
    if path.is_dir() {
        let mut files = Vec::new();
        walk(path, &mut |file| {
            if has_extension(file, &["xml"]) {
                files.push(Input::File(file.to_owned()));
            }
        })?;
        if files.is_empty() {
            let message = format!("no `*.xml` file in the folder `{}`", path.display());
            return Err(Failure::new(Exit::Usage, message).into());
        }
        return Ok(files);
    }
    if path.exists() {
        return Ok(vec![Input::File(path.to_owned())]);
    }
    let text = path.to_string_lossy();
    if text.contains(['*', '?', '[', '{']) {
        return glob(&text);
    }
    let failure = Failure::new(Exit::Usage, format!("no file `{}`", path.display()));
    Err(failure
        .hint("check the path; a test command that crashed may have written no report")
        .into())
}

fn glob(pattern: &str) -> anyhow::Result<Vec<Input>> {
    let matcher = GlobBuilder::new(pattern.strip_prefix("./").unwrap_or(pattern))
        .literal_separator(true)
        .build()
        .or_exit(Exit::Usage, format!("cannot read the glob `{pattern}`"))?
        .compile_matcher();
    // The folder in front of the first wildcard is where the search begins.
    let fixed: PathBuf = Path::new(pattern)
        .components()
        .take_while(|part| {
            !part
                .as_os_str()
                .to_string_lossy()
                .contains(['*', '?', '[', '{'])
        })
        .collect();
    let start = if fixed.as_os_str().is_empty() {
        Path::new(".")
    } else {
        fixed.as_path()
    };
    let mut files = Vec::new();
    if start.is_dir() {
        walk(start, &mut |file| {
            let file = file.strip_prefix("./").unwrap_or(file);
            if matcher.is_match(file) {
                files.push(Input::File(file.to_owned()));
            }
        })?;
    }
    if files.is_empty() {
        let failure = Failure::new(Exit::Usage, format!("no file matches `{pattern}`"));
        return Err(failure
            .hint("a test command that crashed may have written no report")
            .into());
    }
    Ok(files)
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    wanted
        .iter()
        .any(|word| extension.eq_ignore_ascii_case(word))
}

/// Visits the files below a folder, sorted by name; links to folders are not followed.
fn walk(folder: &Path, visit: &mut dyn FnMut(&Path)) -> anyhow::Result<()> {
    let context = || format!("cannot list the folder `{}`", folder.display());
    let entries = fs::read_dir(folder).or_exit(Exit::Surroundings, context())?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()
        .or_exit(Exit::Surroundings, context())?;
    paths.sort();
    for path in paths {
        let kind = fs::symlink_metadata(&path)
            .or_exit(
                Exit::Surroundings,
                format!("cannot look at `{}`", path.display()),
            )?
            .file_type();
        if kind.is_dir() {
            walk(&path, visit)?;
        } else if path.is_file() {
            visit(&path);
        }
    }
    Ok(())
}
