//! UNIX sockets of the host that a run must not reach: daemons of containers, agents with keys, buses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use crate::plan::MountPlan;

/// Covers `/run` and every socket that the host listens at elsewhere. Nothing is covered in `own`, the
/// folders that this program works in; tools in `/run` that `PATH` names stay.
pub(crate) fn hide(
    plan: &mut MountPlan,
    own: &[&Path],
    caller: &BTreeMap<String, String>,
    environment: &BTreeMap<String, String>,
) {
    let run = fs::canonicalize("/run").ok().filter(|run| {
        run.is_dir() && run.parent().is_some() && !own.iter().any(|path| path.starts_with(run))
    });
    if let Some(run) = &run {
        let tools: BTreeSet<PathBuf> = environment
            .get("PATH")
            .into_iter()
            .flat_map(std::env::split_paths)
            .filter(|folder| folder.starts_with(run) && folder.is_dir())
            .collect();
        for tool in &tools {
            plan.bound.push((tool.clone(), tool.clone()));
            plan.sealed.push(tool.clone());
        }
        plan.emptied
            .push((run.clone(), tools.into_iter().collect()));
    }
    let listening = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    plan.covered = named(&listening)
        .chain(caller.values().flat_map(|value| addresses(value)))
        .filter(|path| !own.iter().any(|folder| path.starts_with(folder)))
        .filter(|path| !run.as_ref().is_some_and(|run| path.starts_with(run)))
        .filter(|path| is_socket(path))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
}

fn is_socket(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_socket())
}

/// The paths in the kernel's table of sockets.
fn named(table: &str) -> impl Iterator<Item = PathBuf> {
    table.lines().filter_map(|line| {
        let path = line.splitn(8, ' ').nth(7)?.trim_start();
        path.starts_with('/').then(|| PathBuf::from(path))
    })
}

/// The paths in a value such as `/tmp/agent.1`, `unix:///var/docker.sock` or `unix:path=/a/bus,guid=1`.
fn addresses(value: &str) -> impl Iterator<Item = PathBuf> {
    value.split([',', ';']).filter_map(|part| {
        let path = part.strip_prefix("unix:").unwrap_or(part);
        let path = path.strip_prefix("path=").unwrap_or(path);
        // `unix://` has two slashes of its own.
        let path = path.strip_prefix("//").unwrap_or(path);
        path.starts_with('/').then(|| PathBuf::from(path))
    })
}

#[cfg(test)]
mod tests;
