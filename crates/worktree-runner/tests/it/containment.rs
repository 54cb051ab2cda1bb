//! No descendant survives the end of a run or its timeout, on any level.

use serde_json::{Value, json};

use crate::drive::{Place, marker, processes_with};

const LEVELS: [&str; 4] = ["pid_namespace", "cgroup", "subreaper", "process_group"];

/// Every kind of descendant that is known to outlive a kill of its parent or group.
fn nasty(marker: &str, end: &str) -> String {
    format!(
        "import os, signal, subprocess, sys, time
S = ['sleep', '{marker}']
subprocess.Popen(S)                                                  # plain, holds our pipe
subprocess.Popen(S, start_new_session=True)                          # setsid
subprocess.Popen(S, preexec_fn=lambda: os.setpgid(0, 0))             # own group
subprocess.Popen(S, preexec_fn=lambda: [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)])
if os.fork() == 0:                                                   # double fork, all closed
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 256); os.execvp('sleep', S)
    os._exit(0)
os.wait()
print('started', flush=True)
{end}"
    )
}

fn run_nasty(level: &str, end: &str, more: &Value) -> Value {
    let place = Place::new();
    let marker = marker(&place);
    let mut run = json!({ "side": "parent", "argv": ["python3", "-c", nasty(&marker, end)] });
    for (key, value) in more.as_object().unwrap() {
        run[key] = value.clone();
    }
    let runs = place.runs(&json!({ "containment": level, "grace_ms": 100, "runs": [run] }));
    assert_eq!(processes_with(&marker), [0_u32; 0], "{level}");
    runs[0].clone()
}

#[test]
fn descendants_do_not_survive_the_end() {
    for level in LEVELS {
        let run = run_nasty(level, "sys.exit(7)", &json!({}));
        assert_eq!(run["exit"], json!({ "code": 7 }), "{level}");
        assert_eq!(run["survivors"], 5, "{level}: {run}");
        assert_eq!(run["log"], "started\n");
    }
}

#[test]
fn descendants_do_not_survive_a_timeout() {
    for level in LEVELS {
        let end = "[signal.signal(s, signal.SIG_IGN) for s in (2, 15)]\nwhile True: time.sleep(9)";
        let run = run_nasty(level, end, &json!({ "timeout_ms": 1500 }));
        assert_eq!(run["exit"], "timed_out", "{level}");
        // Signals to the group end the two that stayed in it, the last perhaps not yet.
        let survivors = run["survivors"].as_u64().unwrap();
        assert!((3..=4).contains(&survivors), "{level}: {run}");
    }
}

#[test]
fn the_strongest_level_is_used_or_the_refusal_recorded() {
    let run = run_nasty("pid_namespace", "", &json!({}));
    let isolation = &run["isolation"];
    assert!(
        isolation["containment"] == "pid_namespace" || isolation["refused"].is_string(),
        "{isolation}"
    );
}

#[test]
fn a_timeout_interrupts_first_so_that_a_runner_can_report() {
    let place = Place::new();
    let script = "import os, time
try:
    time.sleep(600)
except KeyboardInterrupt:
    open(os.environ['PATCH_VERDICT_JUNIT'], 'w').write('half a report')";
    let run = json!({ "side": "patch", "argv": ["python3", "-c", script], "timeout_ms": 1500, "read": ["junit.xml"] });
    let runs = place.runs(&json!({ "runs": [run] }));
    assert_eq!(runs[0]["exit"], "timed_out");
    assert_eq!(runs[0]["read"]["junit.xml"], "half a report");
}

#[test]
fn a_killed_supervisor_is_no_success() {
    // A process namespace and landlock keep its supervisor out of reach; below neither it dies.
    let place = Place::new();
    let line =
        json!({ "side": "parent", "argv": ["/bin/sh", "-c", "kill -9 $PPID; sleep 0.2; exit 0"] });
    for (level, landlock) in [
        ("pid_namespace", true),
        ("cgroup", true),
        ("subreaper", true),
        ("cgroup", false),
        ("subreaper", false),
    ] {
        let order = json!({ "containment": level, "landlock": landlock, "runs": [line] });
        let run = &place.runs(&order)[0];
        let isolation = &run["isolation"];
        let signals = json!("signals");
        let refused = isolation["landlock"]["refused"].as_array();
        let out_of_reach = isolation["containment"] == "pid_namespace"
            || refused.is_some_and(|refused| refused.contains(&signals));
        let expected = if out_of_reach {
            json!({ "code": 0 })
        } else {
            json!({ "signal": 9 })
        };
        assert_eq!(run["exit"], expected, "{level} {landlock}: {isolation}");
    }
}

#[test]
fn a_gigantic_output_keeps_head_and_tail() {
    let place = Place::new();
    let line = "echo head; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo tail >&2";
    let run = json!({ "side": "parent", "argv": ["/bin/sh", "-c", line] });
    let runs = place.runs(&json!({ "log_limit": 10_000, "runs": [run] }));
    let log = runs[0]["log"].as_str().unwrap();
    assert!(
        log.starts_with("head\nx") && log.ends_with("x\ntail\n"),
        "{}",
        log.len()
    );
    assert!(log.len() < 10_200, "{}", log.len());
    assert_eq!(runs[0]["dropped"], 3_000_011 - 10_000);
    assert!(log.contains("bytes of output left out here"));
}

#[test]
fn the_answer_of_the_supervisor_is_out_of_reach_of_a_test() {
    let place = Place::new();
    let script = "import os
parent = os.getppid()
for name in os.listdir('/proc'):
    if name.isdigit() and int(name) == parent:
        for fd in range(0, 8):
            try:
                with open(f'/proc/{parent}/fd/{fd}', 'w') as pipe:
                    pipe.write('{\"ended\":{\"exit\":{\"code\":0},\"duration_ms\":1,\"survivors_killed\":0,\"log_dropped_bytes\":0,\"log_error\":null}}\\n')
            except OSError:
                pass
raise SystemExit(3)";
    let run = json!({ "side": "patch", "argv": ["python3", "-c", script] });
    for level in ["pid_namespace", "subreaper"] {
        let runs = place.runs(&json!({ "containment": level, "runs": [run] }));
        assert_eq!(runs[0]["exit"], json!({ "code": 3 }), "{level}");
    }
}

#[test]
fn a_run_that_removes_its_control_folder_reported_nothing() {
    let place = Place::new();
    for level in LEVELS {
        let mut run = json!({ "side": "patch", "argv": ["/bin/sh", "-c", "rm -rf $(dirname $PATCH_VERDICT_JUNIT)"] });
        run["read"] = json!(["junit.xml"]);
        let runs = place.runs(&json!({ "containment": level, "runs": [run, run] }));
        assert!(runs.iter().all(|run| run["read"]["junit.xml"].is_null()));
    }
}
