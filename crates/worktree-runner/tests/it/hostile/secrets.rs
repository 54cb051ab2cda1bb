//! Secrets of the caller: neither in the environment nor in that of any process a run can see.

use serde_json::{Value, json};

use super::HELD;
use crate::drive::Place;

const SECRET: &str = "s3cr3t-of-the-caller";
/// The same for a script, whose own text must not be what it finds.
const SPELT: &str = "('s3cr3t' + '-of-the-caller')";

/// Names under which CI systems and developers keep secrets, and addresses of agents and daemons.
const NAMES: [&str; 40] = [
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "ACTIONS_RUNTIME_TOKEN",
    "ANTHROPIC_API_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AZURE_CLIENT_SECRET",
    "BUILDKITE_AGENT_ACCESS_TOKEN",
    "CARGO_REGISTRY_TOKEN",
    "CIRCLE_TOKEN",
    "CI_JOB_TOKEN",
    "CI_REGISTRY_PASSWORD",
    "CODECOV_TOKEN",
    "DATABASE_URL",
    "DBUS_SESSION_BUS_ADDRESS",
    "DBUS_SYSTEM_BUS_ADDRESS",
    "DISPLAY",
    "DOCKER_AUTH_CONFIG",
    "DOCKER_HOST",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GITLAB_TOKEN",
    "GIT_ASKPASS",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GPG_AGENT_INFO",
    "HF_TOKEN",
    "KUBECONFIG",
    "NODE_AUTH_TOKEN",
    "NPM_TOKEN",
    "OPENAI_API_KEY",
    "PGPASSWORD",
    "PIP_INDEX_URL",
    "PYPI_TOKEN",
    "SENTRY_AUTH_TOKEN",
    "SLACK_BOT_TOKEN",
    "SSH_AUTH_SOCK",
    "TWINE_PASSWORD",
    "VAULT_TOKEN",
    "WAYLAND_DISPLAY",
    "https_proxy",
];

fn run(place: &Place, more: &Value, text: &str) -> Value {
    let mut order = json!({ "runs": [{ "side": "patch", "argv": ["python3", "-c", text] }] });
    for (key, value) in more.as_object().unwrap() {
        order[key] = value.clone();
    }
    let mut command = place.command(&order);
    for name in NAMES {
        command.env(name, format!("{SECRET}-{name}"));
    }
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|line| line["run"].is_string())
        .unwrap()
}

#[test]
fn only_what_is_listed_is_passed() {
    let place = Place::new();
    let text = format!(
        "import os; print(sorted(name for name, value in os.environ.items() if {SPELT} in value))"
    );
    for level in ["pid_namespace", "cgroup", "subreaper", "process_group"] {
        let none = run(&place, &json!({ "containment": level }), &text);
        assert_eq!(none["log"], "[]\n", "{level}");
        let more = json!({ "containment": level, "pass": ["DATABASE_URL"] });
        assert_eq!(run(&place, &more, &text)["log"], "['DATABASE_URL']\n");
    }
}

#[test]
fn no_process_shows_them_and_none_can_be_traced() {
    let place = Place::new();
    let text = format!(
        "import ctypes, os
found = 0
for process in filter(str.isdigit, os.listdir('/proc')):
    if int(process) == os.getpid(): continue
    for name in ('environ', 'cmdline', 'mem', 'cwd/order.json'):
        try: found += {SPELT}.encode() in open(f'/proc/{{process}}/{{name}}', 'rb').read(1 << 20)
        except OSError: pass
print('seen' if found else 'nothing')
libc = ctypes.CDLL(None)
PTRACE_SEIZE = 0x4206
print('traced' if libc.ptrace(PTRACE_SEIZE, os.getppid(), 0, 0) == 0 else 'refused')"
    );
    for level in HELD {
        let outcome = run(&place, &json!({ "containment": level }), &text);
        if outcome["isolation"]["processes_hidden"] == true {
            assert_eq!(outcome["log"], "nothing\nrefused\n", "{level}");
        }
    }
    // Without any of it they are there to be read, and the record says so.
    let weakest = run(&place, &json!({ "containment": "process_group" }), &text);
    assert_eq!(weakest["isolation"]["processes_hidden"], false);
    assert!(weakest["log"].as_str().unwrap().starts_with("seen\n"));
}
