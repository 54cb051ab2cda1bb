//! Sockets of the host are out of reach of a run; its own are not.

use std::fs;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;

use serde_json::{Value, json};

use crate::drive::Place;
use crate::hostile::outside;

/// Says of each socket whether it could be connected to.
fn knock(paths: &[&str]) -> String {
    format!(
        "import socket
for name in {paths:?}:
    try:
        socket.socket(socket.AF_UNIX).connect(name.replace('@', chr(0)))
        print('open', name)
    except OSError as error: print('shut', name)"
    )
}

fn run(place: &Place, argv: &Value, more: &Value) -> Value {
    let mut order = json!({ "runs": [{ "side": "patch", "argv": argv }] });
    for (key, value) in more.as_object().unwrap() {
        order[key] = value.clone();
    }
    place.runs(&order)[0].clone()
}

#[test]
fn what_listens_on_the_host_is_shut_wherever_it_stands() {
    let place = Place::new();
    // An agent in a home folder; a socket is as good as one that a daemon made before.
    let outside = outside();
    let agent = outside.path().join("agent sock");
    let _agent = UnixListener::bind(&agent).unwrap();
    let name = format!("pv-{}", outside.path().display());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let _bus = UnixListener::bind_addr(&address).unwrap();
    let hidden = format!("@{name}");
    let script = knock(&[agent.to_str().unwrap(), &hidden]);
    for network in ["off", "host"] {
        let run = run(
            &place,
            &json!(["python3", "-c", script]),
            &json!({ "network": network }),
        );
        let log = run["log"].as_str().unwrap();
        let isolation = &run["isolation"];
        assert_eq!(
            log.contains(&format!("shut {}", agent.display())),
            isolation["file_sockets_hidden"] == true,
            "{log} {isolation}"
        );
        assert_eq!(
            log.contains(&format!("shut {hidden}")),
            isolation["abstract_sockets_hidden"] == true,
            "{log} {isolation}"
        );
        if isolation["refused"].is_null() {
            assert_eq!(isolation["file_sockets_hidden"], true);
            assert_eq!(
                isolation["abstract_sockets_hidden"] == true,
                network == "off"
            );
        }
    }
}

#[test]
fn without_namespaces_landlock_shuts_what_has_no_file_and_the_rest_is_recorded() {
    let place = Place::new();
    let name = format!("pv-{}", place.folder.path().display());
    let _bus = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let script = knock(&[&format!("@{name}")]);
    let run = run(
        &place,
        &json!(["python3", "-c", script]),
        &json!({ "containment": "subreaper" }),
    );
    let isolation = &run["isolation"];
    assert_eq!(isolation["file_sockets_hidden"], false);
    let open = isolation["landlock"]["open"].as_array();
    let shut = isolation["abstract_sockets_hidden"] == true;
    assert_eq!(
        run["log"].as_str().unwrap().starts_with("shut"),
        shut,
        "{run}"
    );
    if shut {
        assert!(open.unwrap().contains(&json!("udp")), "{isolation}");
        assert!(
            open.unwrap().contains(&json!("file_sockets")),
            "{isolation}"
        );
    }
}

#[test]
fn run_is_empty_but_for_tools() {
    let place = Place::new();
    let line = "ls -A /run /var/run/ | sort -u | grep -v : ; touch /run/mark && echo own";
    let run = run(&place, &json!(["/bin/sh", "-c", line]), &json!({}));
    if run["isolation"]["file_sockets_hidden"] == true {
        assert_eq!(run["log"].as_str().unwrap().trim(), "own");
    } else {
        fs::remove_file("/run/mark").unwrap_or_default();
    }
    assert!(!Path::new("/run/mark").exists());
}

#[test]
fn a_tool_in_run_stays_and_the_socket_beside_it_is_shut() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    let Ok(folder) = tempfile::Builder::new().tempdir_in("/run") else {
        return; // Only root puts anything there.
    };
    let (tool, socket) = (folder.path().join("pv-tool"), folder.path().join("sock"));
    let _listener = UnixListener::bind(&socket).unwrap();
    fs::write(&tool, "#!/bin/sh\necho found\n").unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let script = knock(&[socket.to_str().unwrap()]);
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let run = |argv: Value| json!({ "side": "patch", "argv": argv, "env": { "PATH": path } });
    let runs = [
        run(json!(["pv-tool"])),
        run(json!(["python3", "-c", script])),
    ];
    let runs = place.runs(&json!({ "runs": runs }));
    assert_eq!(runs[0]["log"], "found\n");
    let shut = runs[1]["log"].as_str().unwrap().starts_with("shut");
    assert_eq!(shut, runs[1]["isolation"]["file_sockets_hidden"] == true);
}

#[test]
fn a_socket_of_its_own_works_on_every_level() {
    let place = Place::new();
    let script = "import os, socket, threading
for place in (os.environ['TMPDIR'], '.', '/dev/shm'):
    name = os.path.join(place, 'pv-own.sock')
    server = socket.socket(socket.AF_UNIX); server.bind(name); server.listen()
    socket.socket(socket.AF_UNIX).connect(name); os.unlink(name)
server = socket.socket(socket.AF_UNIX); server.bind('\\0pv-own'); server.listen()
socket.socket(socket.AF_UNIX).connect('\\0pv-own')
server = socket.create_server(('127.0.0.1', 0)); socket.create_connection(server.getsockname())
print('fine')";
    for level in ["pid_namespace", "cgroup", "subreaper", "process_group"] {
        let run = run(
            &place,
            &json!(["python3", "-c", script]),
            &json!({ "containment": level }),
        );
        assert_eq!(run["log"], "fine\n", "{level}");
    }
}

#[test]
fn the_network_is_cut_or_what_stays_open_is_recorded() {
    let place = Place::new();
    let server = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = server.local_addr().unwrap().port();
    // Port 9 has no server: on an open network it is refused, on a cut one it is not even tried.
    let script = format!(
        "import socket
for port in (9, {port}):
    try:
        socket.create_connection(('127.0.0.1', port), timeout=5); print('open')
    except PermissionError: print('forbidden')
    except ConnectionRefusedError: print('nobody')"
    );
    for (level, expected) in [
        ("pid_namespace", "nobody\nnobody\n"),
        ("subreaper", "forbidden\nopen\n"),
    ] {
        let run = run(
            &place,
            &json!(["python3", "-c", script]),
            &json!({ "containment": level }),
        );
        let isolation = &run["isolation"];
        let refused = isolation["landlock"]["refused"].as_array();
        let cut = isolation["network"] == "off"
            || refused.is_some_and(|refused| refused.contains(&json!("tcp")));
        assert_eq!(run["log"] == expected, cut, "{level}: {run}");
        assert!(cut || !isolation["refused"].is_null() || level == "subreaper");
    }
    // Who asks for the host's network gets it, on the weaker levels too.
    for level in ["pid_namespace", "subreaper"] {
        let run = run(
            &place,
            &json!(["python3", "-c", script]),
            &json!({ "containment": level, "network": "host" }),
        );
        assert_eq!(run["log"], "nobody\nopen\n", "{level}");
        assert_eq!(run["isolation"]["network"], "open");
    }
    drop(server);
}
