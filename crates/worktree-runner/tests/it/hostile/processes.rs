//! Attacks on processes: the framework, the supervisor, the clock, the machine's limits.

use serde_json::json;

use super::{HELD, script};
use crate::drive::{Place, marker, processes_with, sh};

#[test]
fn a_killed_framework_is_no_success() {
    let place = Place::new();
    let line = "python3 -c 'import os; os.kill(os.getppid(), 9)'; exit 0";
    for level in ["pid_namespace", "cgroup", "subreaper", "process_group"] {
        let runs = place.runs(&json!({ "containment": level, "runs": [sh("patch", line)] }));
        assert_eq!(runs[0]["exit"], json!({ "signal": 9 }), "{level}");
    }
}

#[test]
fn killing_everything_in_sight_ends_the_run_alone() {
    let place = Place::new();
    let level = "pid_namespace";
    let seen = script(&place, level, "pass");
    if seen["isolation"]["containment"] != level {
        return; // It would reach this very test.
    }
    let run = script(
        &place,
        level,
        "import os, subprocess; subprocess.Popen(['sleep', '9']); os.kill(-1, 9); os.kill(os.getpid(), 9)",
    );
    assert_eq!(run["exit"], json!({ "signal": 9 }));
}

#[test]
fn a_supervisor_cannot_be_stopped() {
    let place = Place::new();
    let line = "kill -STOP $PPID; exit 3";
    for level in HELD {
        let run = &place.runs(&json!({ "containment": level, "runs": [sh("patch", line)] }))[0];
        if run["isolation"]["processes_hidden"] == true {
            assert_eq!(run["exit"], json!({ "code": 3 }), "{level}");
        }
    }
}

#[test]
fn many_processes_end_with_the_run() {
    let place = Place::new();
    let marker = marker(&place);
    let text = format!(
        "import subprocess
for n in range(120): subprocess.Popen(['sleep', '{marker}'], start_new_session=n % 2)"
    );
    for level in ["pid_namespace", "cgroup", "subreaper", "process_group"] {
        let run = script(&place, level, &text);
        assert_eq!(run["exit"], json!({ "code": 0 }), "{level}");
        assert_eq!(run["survivors"], 120, "{level}");
        assert_eq!(run["isolation"]["processes_left"], 120);
        assert_eq!(run["held"], true);
        assert_eq!(processes_with(&marker), [0_u32; 0], "{level}");
    }
}

#[test]
fn what_forks_faster_than_it_is_killed_ends_too() {
    let place = Place::new();
    let marker = marker(&place);
    // Each generation is gone before anybody could look at it; the name of the script finds the chain.
    let text = format!(
        "import os
if os.fork() == 0:
    os.setsid()
    while os.fork() == 0: pass
# {marker}"
    );
    for level in HELD {
        let run = script(&place, level, &text);
        assert_eq!(run["exit"], json!({ "code": 0 }), "{level}");
        assert_eq!(processes_with(&marker), [0_u32; 0], "{level}");
    }
}

#[test]
fn leaving_the_control_group_is_refused_or_in_vain() {
    let place = Place::new();
    let marker = marker(&place);
    let line = format!(
        "group=/sys/fs/cgroup; test -d $group/unified && group=$group/unified; \
         sh -c 'echo $$ > '$group'/cgroup.procs && echo escaped; exec setsid sleep {marker}' & \
         sleep 0.3; true"
    );
    for landlock in [true, false] {
        let order =
            json!({ "containment": "cgroup", "landlock": landlock, "runs": [sh("patch", &line)] });
        let run = &place.runs(&order)[0];
        if run["isolation"]["landlock"].is_object() {
            assert!(!run["log"].as_str().unwrap().contains("escaped"), "{run}");
        }
        assert_eq!(run["survivors"], 1, "{run}");
        assert_eq!(processes_with(&marker), [0_u32; 0]);
    }
}

#[test]
fn closed_outputs_change_nothing() {
    let place = Place::new();
    let text = "import os, sys
print('before', flush=True)
os.close(1); os.close(2)
open('changed', 'w').close()
os._exit(9)";
    for level in ["pid_namespace", "cgroup", "subreaper", "process_group"] {
        let run = script(&place, level, text);
        assert_eq!(run["exit"], json!({ "code": 9 }), "{level}");
        assert_eq!(run["log"], "before\n");
        assert_eq!(run["restored"], json!(["changed"]));
    }
}

#[test]
fn a_gigabyte_of_output_is_cut_in_the_middle() {
    let place = Place::new();
    let line = "echo head; head -c 1000000000 /dev/zero; echo; echo tail; exit 4";
    let order = json!({ "log_limit": 100_000, "runs": [sh("patch", line)] });
    let run = &place.runs(&order)[0];
    assert_eq!(run["exit"], json!({ "code": 4 }));
    assert_eq!(run["dropped"], 1_000_000_011_u64 - 100_000);
    assert_eq!(run["isolation"]["output_dropped_bytes"], run["dropped"]);
    let log = run["log"].as_str().unwrap();
    assert!(log.len() < 100_200 && log.starts_with("head\n") && log.ends_with("\ntail\n"));
    assert!(log.contains("bytes of output left out here"));
}

#[test]
fn the_clock_and_the_name_of_the_host_cannot_be_set() {
    let place = Place::new();
    let text = "import socket, time
for what in (lambda: time.clock_settime(time.CLOCK_REALTIME, 0), lambda: socket.sethostname('pv')):
    try:
        what(); print('set')
    except PermissionError: print('refused')";
    for level in HELD {
        let run = script(&place, level, text);
        assert_eq!(run["log"], "refused\nrefused\n", "{level}");
        assert_eq!(run["isolation"]["clock"], "host");
    }
}

#[test]
fn what_hides_the_host_cannot_be_taken_away() {
    let place = Place::new();
    let line = "for target in /run /tmp /dev/shm /proc; do umount -l $target 2>/dev/null && echo gone; done; \
        mount -o remount,rw /usr 2>/dev/null && echo writable; mknod disk b 254 0 2>/dev/null && echo disk; true";
    for level in HELD {
        let run = &place.runs(&json!({ "containment": level, "runs": [sh("patch", line)] }))[0];
        assert_eq!(run["log"], "", "{level}");
    }
}

#[test]
fn memory_that_is_not_there_is_a_failure() {
    let place = Place::new();
    let text = "import resource
resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))
held = []
while True: held.append(bytearray(10 << 20))";
    let run = script(&place, "pid_namespace", text);
    assert_eq!(run["exit"], json!({ "code": 1 }));
    assert!(run["log"].as_str().unwrap().contains("MemoryError"));
}
