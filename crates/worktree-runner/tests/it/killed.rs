//! A driver that is killed or interrupted in any phase leaves nothing behind.

use std::fs;
use std::os::unix::process::ExitStatusExt;

use rustix::process::{Pid, PidfdFlags, Signal};
use serde_json::{Value, json};

use crate::drive::{Driving, Place, marker, processes_with, sh};

/// The event after which the driver is struck; the command in hand sleeps for ever.
const PHASES: [&str; 3] = ["worktree", "set_up", "run"];

fn order(containment: &str, phase: &str, marker: &str) -> Value {
    let sleep = format!("(setsid sleep {marker} &) ; sleep {marker}");
    let set_up = if phase == "set_up" {
        sleep.clone()
    } else {
        "true".to_owned()
    };
    json!({ "containment": containment, "grace_ms": 200, "set_up": [set_up], "runs": [sh("patch", &sleep)] })
}

/// The control groups of a workspace, by the name of its short folder.
fn groups_of(base: &std::path::Path) -> String {
    let found = std::process::Command::new("find")
        .args(["/sys/fs/cgroup", "-name"])
        .arg(base.file_name().unwrap())
        .output();
    String::from_utf8(found.unwrap().stdout).unwrap()
}

/// Waits for a process that is no child of ours to end.
pub(crate) fn wait_for_end(process: u32) {
    let pid = Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
    if let Ok(handle) = rustix::process::pidfd_open(pid, PidfdFlags::empty()) {
        let mut waits = [rustix::event::PollFd::new(
            &handle,
            rustix::event::PollFlags::IN,
        )];
        rustix::event::poll(&mut waits, None).unwrap();
    }
}

/// The janitor of this driver: its child with the private argument.
pub(crate) fn janitor_of(driver: u32) -> Option<u32> {
    processes_with("__worktree-runner-janitor")
        .into_iter()
        .find(|process| {
            fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| {
                stat.contains(&format!(") S {driver} ")) || stat.contains(&format!(") R {driver} "))
            })
        })
}

#[test]
fn killed_without_warning_the_janitor_cleans_up() {
    for containment in ["pid_namespace", "cgroup", "subreaper", "process_group"] {
        for phase in PHASES {
            let place = Place::new();
            let marker = marker(&place);
            let mut driving = Driving::start(&place, &order(containment, phase, &marker));
            driving.until(phase).unwrap();
            let base = place.base();
            assert!(base.is_dir());
            let janitor = janitor_of(driving.child.id()).unwrap();
            driving.child.kill().unwrap();
            driving.child.wait().unwrap();
            wait_for_end(janitor);
            assert!(!base.exists(), "{containment} {phase}");
            assert_eq!(groups_of(&base), "", "{containment} {phase}");
            place.assert_clean();
            assert_eq!(processes_with(&marker), [0_u32; 0], "{containment} {phase}");
        }
    }
}

#[test]
fn when_the_janitor_is_killed_too_the_next_run_cleans_up() {
    let place = Place::new();
    let marker = marker(&place);
    let mut driving = Driving::start(&place, &order("pid_namespace", "run", &marker));
    driving.until("run").unwrap();
    let base = place.base();
    let janitor = janitor_of(driving.child.id()).unwrap();
    rustix::process::kill_process(
        Pid::from_raw(i32::try_from(janitor).unwrap()).unwrap(),
        Signal::KILL,
    )
    .unwrap();
    driving.child.kill().unwrap();
    driving.child.wait().unwrap();
    assert!(base.is_dir());
    let lines = place.drive(&json!({ "runs": [sh("patch", "true")] }));
    assert!(
        lines.iter().any(|line| line["event"] == "leftovers"),
        "{lines:?}"
    );
    assert!(!base.exists());
    place.assert_clean();
    assert_eq!(processes_with(&marker), [0_u32; 0]);
}

#[test]
fn a_living_run_is_no_leftover() {
    let place = Place::new();
    let marker = marker(&place);
    let mut driving = Driving::start(&place, &order("pid_namespace", "run", &marker));
    driving.until("run").unwrap();
    let base = place.base();
    let lines = place.drive(&json!({ "runs": [sh("patch", "true")] }));
    assert_eq!(lines.last().unwrap()["finished"], true);
    assert!(!lines.iter().any(|line| line["event"] == "leftovers"));
    assert!(base.is_dir());
    interrupt(&driving);
    driving.child.wait().unwrap();
    assert!(!base.exists());
    place.assert_clean();
}

#[test]
fn interrupted_in_any_phase_it_says_cancelled_and_leaves_nothing() {
    for containment in ["pid_namespace", "process_group"] {
        for phase in PHASES {
            let place = Place::new();
            let marker = marker(&place);
            let mut driving = Driving::start(&place, &order(containment, phase, &marker));
            driving.until(phase).unwrap();
            interrupt(&driving);
            let mut last = Value::Null;
            while let Some(line) = driving.line() {
                last = line;
            }
            let status = driving.child.wait().unwrap();
            assert_eq!((status.code(), status.signal()), (Some(4), None));
            assert_eq!(last["kind"], "Cancelled", "{containment} {phase}: {last}");
            place.assert_clean();
            assert_eq!(processes_with(&marker), [0_u32; 0], "{containment} {phase}");
        }
    }
}

fn interrupt(driving: &Driving) {
    let pid = Pid::from_raw(i32::try_from(driving.child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::INT).unwrap();
}
