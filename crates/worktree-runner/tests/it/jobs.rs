//! Several runs at once: side by side, apart from each other, in the order of the schedule.

use std::fs;

use rustix::process::{Pid, Signal};
use serde_json::{Value, json};

use crate::drive::{Driving, Place, marker, processes_with, sh};

fn seeded(side: &str, seed: i64, line: &str) -> Value {
    let mut run = sh(side, line);
    run["seed"] = json!(seed);
    run
}

fn at_once(lines: &[Value]) -> (u64, Option<String>) {
    let line = lines.iter().find(|line| line["at_once"].is_u64()).unwrap();
    let why = line["fewer_because"].as_str().map(str::to_owned);
    (line["at_once"].as_u64().unwrap(), why)
}

/// The outcomes in the order of the schedule.
fn outcomes(lines: &[Value]) -> Vec<&Value> {
    let mut outcomes: Vec<_> = lines
        .iter()
        .filter(|line| line["run"].is_string())
        .collect();
    outcomes.sort_by_key(|line| line["index"].as_u64());
    outcomes
}

#[test]
fn both_sides_of_a_seed_run_side_by_side_and_apart_from_each_other() {
    let place = Place::new();
    // Each waits for the other, which only two that run at once can do; all else is their own.
    let meet = format!(
        "import os, socket, sys
names = ['\\0' + '{}' + name for name in (os.environ['PATCH_VERDICT_SEED'] + 'a', os.environ['PATCH_VERDICT_SEED'] + 'b')]
if open('value').read() == 'patch\\n': names.reverse()
own = socket.socket(socket.AF_UNIX); own.bind(names[0]); own.listen()
other = socket.socket(socket.AF_UNIX)
while other.connect_ex(names[1]): pass
peer = own.accept()[0]
for folder in ('.', os.environ['TMPDIR'], os.environ['HOME'], '/tmp', '/dev/shm'):
    print(sorted(os.listdir(folder)))
    open(os.path.join(folder, 'mine'), 'x').write('x')
print(os.getcwd(), [p for p in os.listdir('/proc') if p.isdigit()])
other.send(b'x'); peer.recv(1)
",
        marker(&place)
    );
    let run = |side: &str, seed: i64| json!({ "side": side, "seed": seed, "argv": ["python3", "-c", meet] });
    for pristine in ["overlay", "copies"] {
        let runs = [
            run("parent", 1),
            run("patch", 1),
            run("patch", 2),
            run("parent", 2),
        ];
        let order = json!({ "jobs": 2, "pristine": pristine, "network": "host", "runs": runs });
        let lines = place.drive(&order);
        if at_once(&lines).0 < 2 {
            return;
        }
        let outcomes = outcomes(&lines);
        assert_eq!(outcomes.len(), 4, "{lines:?}");
        for outcome in &outcomes {
            assert_eq!(outcome["exit"], json!({ "code": 0 }), "{outcome}");
            assert_eq!(outcome["log"], outcomes[0]["log"], "{pristine}");
        }
        assert!(!outcomes[0]["log"].as_str().unwrap().contains("mine"));
        place.assert_clean();
    }
}

#[test]
fn they_start_in_the_order_given_and_by_pairs() {
    let place = Place::new();
    let runs = [
        seeded("parent", 1, "true"),
        seeded("patch", 1, "true"),
        seeded("patch", 2, "true"),
        seeded("parent", 2, "true"),
        seeded("patch", 3, "true"),
    ];
    let lines = place.drive(&json!({ "jobs": 3, "runs": runs }));
    assert_eq!(lines.last().unwrap()["finished"], true);
    let started: Vec<_> = lines
        .iter()
        .filter(|line| line["event"] == "run")
        .map(|line| {
            (
                line["side"].as_str().unwrap(),
                line["seed"].as_i64().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("parent", 1),
        ("patch", 1),
        ("patch", 2),
        ("parent", 2),
        ("patch", 3),
    ];
    assert_eq!(started, expected);
    // With three places the second pair waits for the first to leave two of them.
    let place_of = |index: usize| {
        let mut starts = (0..lines.len()).filter(|at| lines[*at]["event"] == "run");
        starts.nth(index).unwrap()
    };
    assert_eq!(place_of(1), place_of(0) + 1);
    assert_eq!(place_of(3), place_of(2) + 1);
    if at_once(&lines).0 > 1 {
        let ended_before = lines[..place_of(2)]
            .iter()
            .filter(|line| line["run"].is_string());
        assert!(ended_before.count() >= 1);
    }
}

#[test]
fn a_run_that_fails_does_not_sink_the_others() {
    let place = Place::new();
    let mut slow = seeded("patch", 2, "sleep 86400");
    slow["timeout_ms"] = json!(300);
    let runs = [
        seeded("parent", 1, "echo fine; echo x > value"),
        seeded("patch", 1, "exit 3"),
        slow,
        seeded("parent", 2, "kill -9 $$"),
        json!({ "side": "patch", "argv": ["/nowhere/to/be/found"] }),
        seeded("parent", 3, "cat value"),
    ];
    let lines = place.drive(&json!({ "jobs": 4, "grace_ms": 50, "runs": runs }));
    assert_eq!(lines.last().unwrap()["finished"], true, "{lines:?}");
    let outcomes = outcomes(&lines);
    let exits: Vec<_> = outcomes
        .iter()
        .map(|outcome| outcome["exit"].clone())
        .collect();
    assert_eq!(exits[0], json!({ "code": 0 }));
    assert_eq!(exits[1], json!({ "code": 3 }));
    assert_eq!(exits[2], json!("timed_out"));
    assert_eq!(exits[3], json!({ "signal": 9 }));
    assert!(exits[4]["not_started"].is_string(), "{exits:?}");
    assert_eq!(outcomes[0]["log"], "fine\n");
    assert_eq!(outcomes[5]["log"], "parent\n");
    place.assert_clean();
}

#[test]
fn trouble_of_the_surroundings_starts_nothing_new_and_keeps_what_ran() {
    let place = Place::new();
    let mut outside = seeded("patch", 1, "true");
    outside["directory"] = json!("../elsewhere");
    let runs = [
        seeded("parent", 1, "echo kept"),
        outside,
        seeded("patch", 2, "true"),
        seeded("parent", 2, "true"),
    ];
    let lines = place.drive(&json!({ "jobs": 2, "runs": runs }));
    assert_eq!(lines.last().unwrap()["kind"], "InvalidRequest", "{lines:?}");
    let outcomes = outcomes(&lines);
    assert_eq!(outcomes.len(), 1, "{lines:?}");
    assert_eq!(outcomes[0]["log"], "kept\n");
    place.assert_clean();
}

#[test]
fn an_interrupt_or_a_kill_ends_all_of_them() {
    for signal in [Signal::INT, Signal::KILL] {
        let place = Place::new();
        let marker = marker(&place);
        let line = format!("echo x > value; (setsid sleep {marker} &); sleep {marker}");
        let runs = [
            seeded("parent", 1, &line),
            seeded("patch", 1, &line),
            seeded("patch", 2, &line),
        ];
        let order = json!({ "jobs": 3, "grace_ms": 100, "runs": runs });
        let mut driving = Driving::start(&place, &order);
        for _ in 0..3 {
            driving.until("run").unwrap();
        }
        let base = place.base();
        let janitor = crate::killed::janitor_of(driving.child.id()).unwrap();
        let pid = Pid::from_raw(i32::try_from(driving.child.id()).unwrap()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
        let mut last = Value::Null;
        while let Some(line) = driving.line() {
            last = line;
        }
        driving.child.wait().unwrap();
        crate::killed::wait_for_end(janitor);
        if signal == Signal::INT {
            assert_eq!(last["kind"], "Cancelled", "{last}");
        }
        assert!(!base.exists());
        place.assert_clean();
        assert_eq!(processes_with(&marker), [0_u32; 0]);
        let left = fs::read_dir(place.state()).unwrap().flatten();
        let left: Vec<_> = left.filter(|entry| entry.path().is_dir()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn without_namespaces_they_take_turns_and_it_is_said() {
    for containment in ["subreaper", "process_group"] {
        let place = Place::new();
        let runs = [
            seeded("parent", 1, "cat value"),
            seeded("patch", 1, "cat value"),
        ];
        let lines = place.drive(&json!({ "jobs": 4, "containment": containment, "runs": runs }));
        let (jobs, why) = at_once(&lines);
        assert_eq!(jobs, 1);
        assert!(why.unwrap().contains("namespaces"));
        let kinds: Vec<_> = lines
            .iter()
            .filter(|line| line["event"] == "run" || line["run"].is_string())
            .map(|line| line["log"].as_str())
            .collect();
        assert_eq!(kinds, [None, Some("parent\n"), None, Some("patch\n")]);
    }
}

#[test]
fn without_overlays_a_side_takes_one_at_a_time() {
    let place = Place::new();
    let runs = [
        seeded("patch", 1, "echo x >> value"),
        seeded("patch", 2, "cat value"),
    ];
    let lines = place.drive(&json!({ "jobs": 4, "pristine": "copies", "runs": runs }));
    let (jobs, why) = at_once(&lines);
    assert!(jobs <= 2);
    assert!(why.is_some());
    assert_eq!(outcomes(&lines)[1]["log"], "patch\n");
}
