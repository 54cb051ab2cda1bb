//! Finds and ends processes by what `/proc` says about them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

/// How long a loop of kills may go on before it gives up.
const KILL_PATIENCE: Duration = Duration::from_secs(10);

/// Every process id that `/proc` shows.
pub(crate) fn all() -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect()
}

/// Parent id and whether the process is only a zombie.
fn parent(process: i32) -> Option<(i32, bool)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may itself hold blanks and parentheses.
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut words = rest.split(' ');
    let state = words.next()?;
    let parent = words.next()?.parse().ok()?;
    Some((parent, matches!(state, "Z" | "X")))
}

/// When a process started, in clock ticks since boot; tells two users of one process id apart.
pub(crate) fn start_time(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.split(' ').nth(19)?.parse().ok()
}

fn parents() -> BTreeMap<i32, (i32, bool)> {
    all()
        .into_iter()
        .filter_map(|process| Some((process, parent(process)?)))
        .collect()
}

/// These processes and whatever descends from one of them.
pub(crate) fn with_descendants(roots: &BTreeSet<i32>) -> BTreeSet<i32> {
    let parents = parents();
    let below = parents
        .keys()
        .copied()
        .filter(|process| roots.iter().any(|root| descends(*process, *root, &parents)));
    below.chain(roots.iter().copied()).collect()
}

/// Living descendants of a process.
pub(crate) fn descendants(root: i32) -> Vec<i32> {
    let parents = parents();
    parents
        .iter()
        .filter(|(_, (_, zombie))| !zombie)
        .map(|(process, _)| *process)
        .filter(|process| descends(*process, root, &parents))
        .collect()
}

fn descends(process: i32, root: i32, parents: &BTreeMap<i32, (i32, bool)>) -> bool {
    let mut current = process;
    // A chain cannot be longer than the table; ids that are reused meanwhile must not loop.
    for _ in 0..=parents.len() {
        match parents.get(&current) {
            Some((parent, _)) if *parent == root => return true,
            Some((parent, _)) if *parent > 0 && *parent != current => current = *parent,
            _ => return false,
        }
    }
    false
}

/// Living processes whose environment at their start held this text.
pub(crate) fn with_environment(text: &str) -> Vec<i32> {
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    all()
        .into_iter()
        .filter(|process| *process != own)
        .filter(|process| {
            fs::read(format!("/proc/{process}/environ")).is_ok_and(|environment| {
                environment
                    .split(|byte| *byte == 0)
                    .any(|entry| holds(entry, text.as_bytes()))
            })
        })
        .filter(|process| parent(*process).is_some_and(|(_, zombie)| !zombie))
        .collect()
}

/// Living processes of this program whose command line holds this text.
pub(crate) fn of_program(program: &str, text: &str) -> Vec<i32> {
    all()
        .into_iter()
        .filter(|process| {
            fs::read_to_string(format!("/proc/{process}/comm"))
                .is_ok_and(|name| name.trim_end() == program)
                && fs::read(format!("/proc/{process}/cmdline"))
                    .is_ok_and(|line| holds(&line, text.as_bytes()))
        })
        .collect()
}

fn holds(entry: &[u8], text: &[u8]) -> bool {
    !text.is_empty() && entry.windows(text.len()).any(|window| window == text)
}

/// Kills until `find` finds nothing more; returns how many different processes it was.
pub(crate) fn kill_until_none(find: impl Fn() -> Vec<i32>, after_each: impl Fn()) -> u32 {
    let started = Instant::now();
    let mut seen = BTreeSet::new();
    loop {
        let found = find();
        if found.is_empty() || started.elapsed() > KILL_PATIENCE {
            return u32::try_from(seen.len()).unwrap_or(u32::MAX);
        }
        for process in found {
            seen.insert(process);
            kill(process, Signal::KILL);
        }
        after_each();
        std::thread::yield_now();
    }
}

/// Sends a signal; that the process is gone already is no error.
pub(crate) fn kill(process: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(process) {
        rustix::process::kill_process(pid, signal).unwrap_or_default();
    }
}

/// Sends a signal to a process group; that it is gone already is no error.
pub(crate) fn kill_group(leader: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(leader) {
        rustix::process::kill_process_group(pid, signal).unwrap_or_default();
    }
}

/// Members of a process group.
pub(crate) fn group(leader: i32) -> Vec<i32> {
    all()
        .into_iter()
        .filter(|process| {
            fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| {
                stat.rsplit_once(") ").is_some_and(|(_, rest)| {
                    let mut words = rest.split(' ');
                    let zombie = matches!(words.next(), Some("Z" | "X"));
                    !zombie && words.nth(1).and_then(|word| word.parse().ok()) == Some(leader)
                })
            })
        })
        .collect()
}
