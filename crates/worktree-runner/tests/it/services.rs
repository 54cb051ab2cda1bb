//! Services inside the network of a run: started before its command, ended with it.

use serde_json::{Value, json};

use crate::drive::{Place, marker, processes_with};

/// A small web server; the port is free in a network of its own, and picked by the system elsewhere.
const SERVER: &str = "import http.server, os, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
        self.wfile.write(open('value', 'rb').read())
    def log_message(self, *a): pass
server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
print('listening', flush=True)
with open(os.environ['TMPDIR'] + '/port.new', 'w') as file: file.write(str(server.server_port))
os.rename(os.environ['TMPDIR'] + '/port.new', os.environ['TMPDIR'] + '/port')
server.serve_forever()";

const ASK: &str = "import os, sys, urllib.request
port = open(os.environ['TMPDIR'] + '/port').read()
sys.stdout.write(urllib.request.urlopen(f'http://127.0.0.1:{port}/').read().decode())";

fn python(script: &str) -> String {
    format!("exec python3 -c \"{}\"", script.replace('"', "\\\""))
}

fn ask_twice() -> Value {
    json!([
        { "side": "parent", "argv": ["python3", "-c", ASK] },
        { "side": "patch", "argv": ["python3", "-c", ASK] },
    ])
}

#[test]
fn tests_reach_it_it_serves_their_tree_and_ends_with_the_run() {
    for level in ["pid_namespace", "cgroup", "subreaper", "process_group"] {
        for background in [false, true] {
            let place = Place::new();
            let marker = marker(&place);
            let mut start = python(&format!("{SERVER}  # {marker}"));
            if background {
                start = format!("({start}) & sleep {marker} & true");
            }
            let services = json!([{ "start": start, "ready": "test -s $TMPDIR/port" }]);
            let runs = place
                .runs(&json!({ "containment": level, "services": services, "runs": ask_twice() }));
            for (run, expected) in runs.iter().zip(["parent\n", "patch\n"]) {
                let log = run["log"].as_str().unwrap();
                assert_eq!(log, format!("listening\n{expected}"), "{level}");
                assert_eq!(run["exit"], json!({ "code": 0 }));
                // A service is not something that tests left behind, and holds no output of theirs.
                assert_eq!(run["survivors"], 0, "{level} {background}");
                assert_eq!(run["held"], false);
            }
            assert_eq!(processes_with(&marker), [0_u32; 0], "{level}");
        }
    }
}

#[test]
fn what_tests_leave_beside_a_service_is_still_counted() {
    let place = Place::new();
    let marker = marker(&place);
    let services = json!([{ "start": format!("sleep {marker}"), "ready": "true" }]);
    let line = format!("setsid sleep {marker} & exit 5");
    let run = json!({ "side": "patch", "argv": ["/bin/sh", "-c", line] });
    for level in ["pid_namespace", "cgroup", "subreaper", "process_group"] {
        let runs =
            place.runs(&json!({ "containment": level, "services": services, "runs": [run] }));
        assert_eq!(runs[0]["exit"], json!({ "code": 5 }));
        assert_eq!(runs[0]["survivors"], 1, "{level}");
        assert_eq!(runs[0]["held"], true, "{level}");
        assert_eq!(processes_with(&marker), [0_u32; 0], "{level}");
    }
}

#[test]
fn one_that_does_not_start_is_a_run_that_could_not_start() {
    let place = Place::new();
    for level in ["pid_namespace", "subreaper", "process_group"] {
        for (start, ready, reason) in [
            ("exit 3", "false", "exit status: 3"),
            ("no-such-server", "false", "exit status: 127"),
            ("true", "false", "was not ready within"),
            ("true", "sleep 86400", "was not ready within"),
        ] {
            let run = json!({ "side": "patch", "argv": ["/bin/sh", "-c", "echo ran"] });
            let runs = place.runs(&json!({
                "containment": level,
                "services": [{ "start": start, "ready": ready }],
                "service_limit_ms": 700, "runs": [run],
            }));
            let why = runs[0]["exit"]["not_started"].as_str().unwrap();
            assert!(
                why.contains(reason) && why.contains(&format!("service `{start}`")),
                "{level}: {why}"
            );
            assert!(!runs[0]["log"].as_str().unwrap().contains("ran"), "{level}");
        }
    }
}

#[test]
fn the_second_waits_for_the_first() {
    let place = Place::new();
    let services = json!([
        { "start": "echo one > $TMPDIR/one", "ready": "test -s $TMPDIR/one" },
        { "start": "cat $TMPDIR/one > $TMPDIR/two", "ready": "test -s $TMPDIR/two" },
    ]);
    let run = json!({ "side": "patch", "argv": ["/bin/sh", "-c", "cat $TMPDIR/two"] });
    let runs = place.runs(&json!({ "services": services, "runs": [run] }));
    assert_eq!(runs[0]["log"], "one\n");
}
