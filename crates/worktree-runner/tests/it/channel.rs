//! What a run streams is read while it lasts, on every level.

use serde_json::json;

use crate::drive::Place;

const WRITE: &str = "import os, sys
pipe = os.path.dirname(os.environ['PATCH_VERDICT_JUNIT']) + '/results'
file = os.open(pipe, os.O_WRONLY)
os.unlink(pipe)
os.write(file, b'first\\n')
text = b'x' * 65536
for _ in range(20): os.write(file, text)
os.write(file, b'last\\n')
";

#[test]
fn what_a_run_writes_comes_whole_on_every_level() {
    for level in ["pid_namespace", "subreaper", "process_group"] {
        let place = Place::new();
        let run = |code: &str| json!({ "side": "patch", "argv": ["python3", "-c", code], "channel": "results" });
        let killed = format!("{WRITE}os.kill(os.getpid(), 9)\n");
        // Whoever still holds it cannot hold up the end.
        let held = format!("{WRITE}os.fork() or os.execvp('sleep', ['sleep', '1000'])\n");
        let runs = place.runs(&json!({
            "containment": level, "runs": [run(WRITE), run(&killed), run(&held), run("0")],
        }));
        let whole = format!("first\n{}last\n", "x".repeat(20 * 65536));
        for run in &runs[..3] {
            assert!(run["streamed"] == whole.as_str(), "{level}");
        }
        assert_eq!(runs[3]["streamed"], "", "{level}");
        let logs = std::fs::read_dir(place.folder.path().join("logs")).unwrap();
        let kept = logs.filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_str().unwrap().ends_with(".events.jsonl")
        });
        assert_eq!(kept.count(), 4, "{level}");
    }
}

#[test]
fn a_name_outside_the_control_folder_is_refused() {
    let place = Place::new();
    let run = json!({ "side": "patch", "argv": ["true"], "channel": "../results" });
    let lines = place.drive(&json!({ "runs": [run] }));
    assert_eq!(lines.last().unwrap()["kind"], "InvalidRequest", "{lines:?}");
    place.assert_clean();
}
