//! Sets up and runs commands in two trees, as told by a JSON file; prints one JSON line per event and outcome.
//!
//! `drive ORDER.json`, with
//! `{"repo","parent","patch","state","logs","network"?,"containment"?,"landlock"?,"pristine"?,"jobs"?,"pass"?:["…"],
//! "services"?:[{"start","ready"}],"service_limit_ms"?,"keep"?,"log_limit"?,"grace_ms"?,"set_up":["…"],"runs":[{"side","argv":["…"],"timeout_ms"?,"seed"?,"files"?:{},"env"?:{},"directory"?,"read"?:["…"],"channel"?}]}`.
#![expect(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "an example program; indexing JSON gives null"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use differential_gate::Side;
use git_trees::Repository;
use serde_json::{Value, json};
use worktree_runner::{
    CancelFlag, Containment, Event, Network, Observer, Pristine, RunError, RunOutcome, RunRequest,
    Service, Workspace, WorkspaceOptions, supervisor,
};

fn main() {
    supervisor::enter();
    if let Err(error) = drive() {
        let run = error.downcast_ref::<RunError>();
        say(&json!({
            "error": error.to_string(),
            "source": error.source().map(ToString::to_string),
            "kind": run.map(|error| format!("{:?}", error.kind())),
            "hint": run.map(RunError::hint),
        }));
        std::process::exit(4);
    }
}

fn drive() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("which order?")?;
    let order: Value = serde_json::from_slice(&std::fs::read(file)?)?;
    let text = |key: &str| order[key].as_str().unwrap_or_default().to_owned();
    let repository = Repository::discover(Path::new(&text("repo")))?;
    let parent = repository.resolve(&text("parent"))?;
    let patch = repository.resolve(&text("patch"))?;
    let mut options = WorkspaceOptions::new(text("state"), text("logs"));
    if text("network") == "host" {
        options.network = Network::Host;
    }
    options.containment = match text("containment").as_str() {
        "cgroup" => Containment::Cgroup,
        "subreaper" => Containment::Subreaper,
        "process_group" => Containment::ProcessGroup,
        _ => Containment::PidNamespace,
    };
    if text("pristine") == "copies" {
        options.pristine = Pristine::Copies;
    }
    if order["landlock"] == false {
        options.landlock = false;
    }
    for service in order["services"].as_array().into_iter().flatten() {
        let text = |key: &str| service[key].as_str().unwrap_or_default().to_owned();
        options
            .services
            .push(Service::new(text("start"), text("ready")));
    }
    if let Some(limit) = order["service_limit_ms"].as_u64() {
        options.service_limit = Duration::from_millis(limit);
    }
    options.environment.pass = strings(&order["pass"]);
    if let Some(bytes) = order["keep"].as_u64() {
        options.keep_limit_bytes = bytes;
    }
    if let Some(bytes) = order["log_limit"].as_u64() {
        options.log_limit_bytes = bytes;
    }
    if let Some(grace) = order["grace_ms"].as_u64() {
        options.interrupt_grace = Duration::from_millis(grace);
        options.terminate_grace = Duration::from_millis(grace);
    }
    let cancel = CancelFlag::new();
    cancel.set_on_signals()?;
    let mut workspace =
        Workspace::create(&repository, (&parent, &patch), options, &Lines, &cancel)?;
    say(&json!({ "tree": workspace.paths().tree, "isolation": isolation(&workspace.isolation()) }));
    let set_up: Vec<String> = strings(&order["set_up"]);
    if !set_up.is_empty() {
        for side in Side::BOTH {
            let outcome = workspace.set_up(side, &set_up, Duration::from_secs(60))?;
            say(&json!({
                "set_up": side.name(), "exit": outcome.exit, "failed": outcome.failed_command,
                "log": std::fs::read_to_string(&outcome.log)?,
            }));
        }
    }
    let runs = order["runs"].as_array().cloned().unwrap_or_default();
    if let Some(jobs) = order["jobs"].as_u64() {
        let jobs = usize::try_from(jobs)?;
        let (at_once, fewer_because) = workspace.at_once(jobs);
        say(&json!({ "at_once": at_once, "fewer_because": fewer_because }));
        let requests: Vec<RunRequest> = runs.iter().map(request).collect();
        workspace.run_all(&requests, jobs, |index, outcome| {
            let mut line = told(&runs[index], &outcome)?;
            line["index"] = json!(index);
            say(&line);
            Ok::<_, Box<dyn Error>>(())
        })?;
    } else {
        for run in &runs {
            let outcome = workspace.run(&request(run))?;
            say(&told(run, &outcome)?);
        }
    }
    workspace.finish()?;
    say(&json!({ "finished": true }));
    Ok(())
}

fn request(run: &Value) -> RunRequest {
    let side = if run["side"] == "patch" {
        Side::Patch
    } else {
        Side::Parent
    };
    let mut request = RunRequest::new(side, strings(&run["argv"]));
    request.timeout = Duration::from_millis(run["timeout_ms"].as_u64().unwrap_or(60_000));
    request.seed = run["seed"].as_i64().unwrap_or(0);
    request.directory = PathBuf::from(run["directory"].as_str().unwrap_or_default());
    "run".clone_into(&mut request.label);
    for (name, value) in run["env"].as_object().into_iter().flatten() {
        request
            .environment
            .insert(name.clone(), value.as_str().unwrap_or_default().to_owned());
    }
    for (name, value) in run["files"].as_object().into_iter().flatten() {
        request
            .files
            .push((name.clone(), value.as_str().unwrap_or_default().into()));
    }
    request.channel = run["channel"].as_str().map(str::to_owned);
    request
}

fn told(run: &Value, outcome: &RunOutcome) -> Result<Value, Box<dyn Error>> {
    let streamed = outcome.streamed.as_ref();
    let streamed = streamed.map(|all| String::from_utf8_lossy(&all.bytes).into_owned());
    let mut read = serde_json::Map::new();
    for name in strings(&run["read"]) {
        let content = match outcome.read_control(&name) {
            Ok(content) => json!(content.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) => json!({ "refused": error.to_string() }),
        };
        read.insert(name, content);
    }
    Ok(json!({
        "run": run["side"], "exit": outcome.exit, "survivors": outcome.survivors_killed,
        "isolation": isolation(&outcome.isolation),
        "log": String::from_utf8_lossy(&std::fs::read(&outcome.log)?),
        "dropped": outcome.log_dropped_bytes, "held": outcome.output_held, "streamed": streamed,
        "restored": outcome.restored, "read": read,
    }))
}

fn isolation(isolation: &worktree_runner::Isolation) -> Value {
    serde_json::from_str(&isolation.to_json()).unwrap_or_default()
}

fn strings(value: &Value) -> Vec<String> {
    let texts = value.as_array().into_iter().flatten();
    texts
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect()
}

fn say(line: &Value) {
    println!("{line}");
}

struct Lines;

impl Observer for Lines {
    fn event(&self, event: Event<'_>) {
        let line = match event {
            Event::LeftoversRemoved { path, .. } => json!({ "event": "leftovers", "path": path }),
            Event::WorktreeReady { side, .. } => {
                json!({ "event": "worktree", "side": side.name() })
            }
            Event::SetUpStarted { side, .. } => json!({ "event": "set_up", "side": side.name() }),
            Event::RunStarted { side, seed, .. } => {
                json!({ "event": "run", "side": side.name(), "seed": seed })
            }
            _ => return,
        };
        say(&line);
    }
}
