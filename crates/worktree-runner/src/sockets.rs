//! UNIX sockets of the host that a run must not reach: daemons of containers, agents with keys, buses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use crate::plan::MountPlan;

/// Covers `/run` and every socket that the host listens at elsewhere. Nothing is covered in `own`, the
/// folders that this program works in; tools in `/run` that `PATH` names stay, and the resolver's file.
pub(crate) fn hide(
    plan: &mut MountPlan,
    own: &[&Path],
    caller: &BTreeMap<String, String>,
    environment: &BTreeMap<String, String>,
) {
    let run = fs::canonicalize("/run").ok().filter(|run| {
        run.is_dir() && run.parent().is_some() && !own.iter().any(|path| path.starts_with(run))
    });
    let mut kept = BTreeSet::new();
    if let Some(run) = &run {
        let path = environment.get("PATH").map_or("", String::as_str);
        let resolver = fs::canonicalize("/etc/resolv.conf").ok();
        kept = kept_in(run, path, resolver.as_deref());
        kept.retain(|folder| folder.is_dir());
        for folder in &kept {
            plan.bound.push((folder.clone(), folder.clone()));
            plan.sealed.push(folder.clone());
        }
        plan.emptied
            .push((run.clone(), kept.iter().cloned().collect()));
    }
    let is_kept = |path: &Path| kept.iter().any(|folder| path.starts_with(folder));
    let listening = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    plan.covered = named(&listening)
        .chain(caller.values().flat_map(|value| addresses(value)))
        .filter(|path| !own.iter().any(|folder| path.starts_with(folder)))
        .filter(|path| is_kept(path) || !run.as_ref().is_some_and(|run| path.starts_with(run)))
        .filter(|path| is_socket(path))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
}

/// The folders of `/run` that stay: tools of `PATH`, and that of `/etc/resolv.conf`, which many systems
/// keep there and which a run with the host's network needs.
fn kept_in(run: &Path, path: &str, resolver: Option<&Path>) -> BTreeSet<PathBuf> {
    let resolver = resolver.and_then(Path::parent).map(Path::to_owned);
    std::env::split_paths(path)
        .chain(resolver)
        .filter(|folder| folder.starts_with(run) && folder != run)
        .collect()
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
