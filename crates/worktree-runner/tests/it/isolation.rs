//! One path for both sides, the network cut, the other side and the repository out of reach.

use serde_json::{Value, json};

use crate::drive::{Place, sh};

#[test]
fn both_sides_run_at_one_path_with_their_own_files() {
    for containment in ["pid_namespace", "subreaper", "process_group"] {
        let place = Place::new();
        let line = "pwd; cat value; echo $HOME $TMPDIR";
        let runs = place.runs(&json!({
            "containment": containment,
            "set_up": ["pwd > where.o; cat value > which.o"],
            "runs": [sh("parent", line), sh("patch", line), sh("patch", "cat where.o which.o"), sh("parent", "cat where.o which.o")],
        }));
        let log = |index: usize| runs[index]["log"].as_str().unwrap().to_owned();
        assert!(log(0).contains("\nparent\n"), "{}", log(0));
        assert_eq!(log(0).replace("\nparent\n", "\npatch\n"), log(1));
        assert_eq!(log(3).replace("\nparent\n", "\npatch\n"), log(2));
        // Set-up was done at the path of the runs.
        assert_eq!(log(2).lines().next(), log(0).lines().next());
        assert_eq!(runs[0]["isolation"]["path_shared"], true);
    }
}

#[test]
fn the_network_is_cut_and_the_loopback_up_or_it_is_recorded() {
    let place = Place::new();
    let script = "import socket
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()
socket.create_connection(s.getsockname()); print('loopback')
print(sorted(name for _, name in socket.if_nameindex()))
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.1', 9)); print('route')
except OSError as error: print('no route', error.errno)";
    let run = json!({ "side": "parent", "argv": ["python3", "-c", script] });
    for network in ["off", "host"] {
        let runs = place.runs(&json!({ "network": network, "runs": [run] }));
        let log = runs[0]["log"].as_str().unwrap();
        assert!(log.starts_with("loopback\n"), "{log}");
        let off = runs[0]["isolation"]["network"] == "off";
        assert_eq!(off, log.contains("['lo']\nno route 101"), "{log}");
        if network == "host" {
            assert!(!off);
        } else {
            assert!(off || runs[0]["isolation"]["refused"].is_string());
        }
    }
}

#[test]
fn the_repository_is_read_only_and_the_other_side_hidden() {
    let place = Place::new();
    let state = place.state();
    let line = format!(
        "cat .git | tail -c 12; git log -1 --format=%s; ls {state} | wc -l; echo x > {repo}/escaped; echo x > {repo}/.git/escaped; find {state} -name value",
        state = state.display(),
        repo = place.repo().display(),
    );
    let lines = place.drive(&json!({ "runs": [sh("patch", &line)] }));
    let run = lines.iter().find(|line| line["run"].is_string()).unwrap();
    let (log, isolation) = (run["log"].as_str().unwrap(), &run["isolation"]);
    assert!(log.contains("\npatch\n"), "git can be read: {log}");
    if isolation["repository_read_only"] == true {
        assert_eq!(log.matches("Read-only file system").count(), 2, "{log}");
        assert!(!place.repo().join("escaped").exists());
    }
    if isolation["other_side_hidden"] == true {
        assert!(log.contains("\n0\n") && !log.contains("/value"), "{log}");
    }
    for name in ["escaped", ".git/escaped"] {
        std::fs::remove_file(place.repo().join(name)).unwrap_or_default();
    }
}

#[test]
fn nothing_a_run_sees_tells_the_side() {
    let place = Place::new();
    let line = "env | sort; cat .git; ls -a $HOME $TMPDIR $(dirname $PATCH_VERDICT_JUNIT); cat /proc/self/mountinfo";
    let runs = place.runs(&json!({ "runs": [sh("parent", line), sh("patch", line)] }));
    for run in &runs {
        let log = run["log"].as_str().unwrap();
        let told: Vec<_> = log
            .lines()
            .filter(|line| {
                line.contains("parent") || line.contains("patch-") || line.contains("-patch")
            })
            .collect();
        assert!(told.is_empty(), "{told:?}");
    }
    let environment = |run: &Value| {
        let log = run["log"].as_str().unwrap().to_owned();
        log.lines()
            .take_while(|line| !line.starts_with("gitdir"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(environment(&runs[0]), environment(&runs[1]));
}

#[test]
fn an_embedder_without_the_first_line_gets_a_process_group_and_the_rows_say_so() {
    // This test binary never calls `supervisor::enter`.
    use worktree_runner::{
        CancelFlag, Containment, NetworkState, RunRequest, Silent, Workspace, WorkspaceOptions,
    };
    let place = Place::new();
    let repository = git_trees::Repository::discover(&place.repo()).unwrap();
    let commits = ["HEAD~1", "HEAD"].map(|rev| repository.resolve(rev).unwrap());
    let options = WorkspaceOptions::new(place.state(), place.folder.path().join("logs"));
    let cancel = CancelFlag::new();
    let mut workspace = Workspace::create(
        &repository,
        (&commits[0], &commits[1]),
        options,
        &Silent,
        &cancel,
    )
    .unwrap();
    let argv = ["sh", "-c", "exit 3"].map(str::to_owned).to_vec();
    let outcome = workspace
        .run(&RunRequest::new(differential_gate::Side::Patch, argv))
        .unwrap();
    assert_eq!(outcome.exit, worktree_runner::Exit::Code(3));
    assert_eq!(outcome.isolation.containment, Containment::ProcessGroup);
    assert_eq!(outcome.isolation.network, NetworkState::Open);
    assert!(
        outcome
            .isolation
            .refused
            .unwrap()
            .contains("supervisor::enter")
    );
    drop(workspace);
    place.assert_clean();
}

#[test]
fn what_a_run_leaves_in_tmp_does_not_meet_the_next() {
    let place = Place::new();
    let name = format!("/tmp/{}", crate::drive::marker(&place));
    let line = format!(
        "cat {name} /var{name}; echo left > {name}; echo left > /var{name}; ls -A /tmp | wc -l; ls /dev/shm; test ! -d /dev/shm || echo x > /dev/shm/left"
    );
    let runs = place.runs(&json!({ "runs": [sh("parent", &line), sh("patch", &line)] }));
    let log = runs[1]["log"].as_str().unwrap();
    if runs[1]["isolation"]["private_tmp"] == true {
        assert!(
            !log.contains("left") && !std::path::Path::new(&name).exists(),
            "{log}"
        );
        assert_eq!(log, runs[0]["log"].as_str().unwrap());
    } else {
        assert!(runs[1]["isolation"]["mount"] == "rename");
        std::fs::remove_file(&name).unwrap();
        std::fs::remove_file(format!("/var{name}")).unwrap_or_default();
        std::fs::remove_file("/dev/shm/left").unwrap_or_default();
    }
}

#[test]
fn a_tool_that_stands_in_tmp_is_still_found() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let tools = tempfile::Builder::new().tempdir_in("/tmp").unwrap();
    let tool = tools.path().join("tool");
    std::fs::write(&tool, "#!/bin/sh\necho found\n").unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", tools.path().display());
    let runs = place.runs(&json!({ "runs": [
        { "side": "parent", "argv": [tool] },
        { "side": "parent", "argv": ["tool"], "env": { "PATH": path } },
    ]}));
    for run in &runs {
        assert_eq!(run["log"], "found\n");
    }
}

#[test]
fn what_a_machine_allows_is_told_without_a_repository() {
    // This test binary is no supervisor of its own: the weakest level, and it says why.
    let isolation = worktree_runner::probe_isolation().unwrap();
    assert_eq!(isolation.network, worktree_runner::NetworkState::Open);
    assert!(isolation.refused.is_some(), "{isolation:?}");
}
