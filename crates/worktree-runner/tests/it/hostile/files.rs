//! Attacks on files: the other tree, the repository, HOME, reports of other runs, what cannot be removed.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::{HELD, outside, scripts};
use crate::drive::{Place, sh};

/// Every file below a folder that is not the work folder of the tool, with its content.
fn contents(folder: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let listed = Command::new("find")
        .arg(folder)
        .args(["-type", "f", "-not", "-path", "*/.pv/*"])
        .output()
        .unwrap();
    let text = String::from_utf8(listed.stdout).unwrap();
    let mut files: Vec<_> = text
        .lines()
        .map(|path| (path.to_owned(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn nothing_outside_its_own_folders_can_be_written() {
    let home = outside();
    fs::write(home.path().join(".profile"), "kept").unwrap();
    for level in HELD {
        let place = Place::new();
        let repo = place.repo();
        let before = (contents(&repo), contents(home.path()));
        // Everything that can be found is overwritten, everywhere something is added.
        let text = format!(
            "import os
own = (os.getcwd(), os.path.dirname(os.environ['PATCH_VERDICT_JUNIT']))
done = []
def attack(path):
    for act in (lambda: open(path, 'a').write('x'), lambda: os.truncate(path, 0), lambda: os.unlink(path)):
        try: act(); done.append(path)
        except OSError: pass
for top in ('{repo}', '{home}', '{logs}', '/etc', '/usr/bin'):
    for folder, _, names in os.walk(top):
        if folder.startswith(own): continue
        attack(os.path.join(folder, 'pv-added'))
        if top not in ('/etc', '/usr/bin'):
            for name in names: attack(os.path.join(folder, name))
        else: break
print(done)",
            repo = repo.display(),
            home = home.path().display(),
            logs = place.folder.path().join("logs").display(),
        );
        let run = json!({ "side": "patch", "argv": ["python3", "-c", text] });
        let next = sh("parent", "cat value");
        let order = json!({ "containment": level, "runs": [sh("patch", "echo first"), run, next] });
        let output = place
            .command(&order)
            .env("HOME", home.path())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let runs: Vec<&Value> = lines
            .iter()
            .filter(|line| line["run"].is_string())
            .collect();
        assert_eq!(runs.len(), 3, "{lines:?}");
        let isolation = &runs[1]["isolation"];
        if isolation["repository_read_only"] != true {
            continue; // Recorded: nothing here keeps a run from it.
        }
        assert_eq!(runs[1]["log"], "[]\n", "{level}: {isolation}");
        assert_eq!(runs[2]["log"], "parent\n");
        let logs = place.folder.path().join("logs");
        let first = fs::read_dir(&logs)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.display().to_string().contains("0001-"));
        assert_eq!(fs::read_to_string(first.unwrap()).unwrap(), "first\n");
        assert_eq!((contents(&repo), contents(home.path())), before, "{level}");
        place.assert_clean();
    }
}

#[test]
fn the_report_of_another_run_is_out_of_reach() {
    let report = "echo honest > $PATCH_VERDICT_JUNIT";
    // Whatever is called like a report anywhere near is rewritten, and a process waits to do it later.
    let forge = "forge() { find / -xdev -name junit.xml -not -path '/proc/*' 2>/dev/null | \
        while read f; do echo forged > $f; done; }; forge; rm -f $PATCH_VERDICT_JUNIT; (sleep 1; forge) & true";
    for level in ["pid_namespace", "cgroup", "subreaper", "process_group"] {
        let place = Place::new();
        let read = |line: &str| {
            let mut run = sh("patch", line);
            run["read"] = json!(["junit.xml"]);
            run
        };
        let order = json!({ "containment": level, "runs": [read(report), read(forge), read(report), read("true")] });
        let runs = place.runs(&order);
        let reports: Vec<&Value> = runs.iter().map(|run| &run["read"]["junit.xml"]).collect();
        assert_eq!(
            json!(reports),
            json!(["honest\n", null, "honest\n", null]),
            "{level}"
        );
    }
}

#[test]
fn whatever_shape_a_run_leaves_its_tree_in_the_next_finds_it_whole() {
    let spoil = "import os, socket, subprocess
open('value', 'w').write('spoilt')
os.mkfifo('pipe'); socket.socket(socket.AF_UNIX).bind('sock'); os.symlink('/etc', 'etc')
open('two\\nlines', 'w').close(); os.mkdir(b'not-utf8-\\xff'); os.mkdir('-rf')
open('setuid', 'w').close(); os.chmod('setuid', 0o6755)
for n in range(520): os.mkdir('deeper!'); os.chdir('deeper!'); open('f', 'w').close()
os.chdir(os.environ['PWD'])
os.makedirs('locked/inner/deep'); open('locked/inner/file', 'w').close()
for name in ('locked/inner/deep', 'locked/inner', 'locked', 'sub'): os.chmod(name, 0)
subprocess.run(['chattr', '+i', 'setuid'], stderr=subprocess.DEVNULL)
for folder in (os.environ['HOME'], os.environ['TMPDIR']):
    os.chdir(folder)
    for n in range(9): os.mkdir('d'); os.chdir('d')
    os.chdir('/'); os.chmod(folder, 0)";
    let look = "import os
print(open('value').read(), open('sub/inner').read(), sorted(os.listdir('.')), os.listdir(os.environ['HOME']))";
    for level in ["pid_namespace", "subreaper", "process_group"] {
        let place = Place::new();
        let spoil = format!("import os; os.environ['PWD'] = os.getcwd()\n{spoil}");
        let runs = scripts(&place, level, &[look, &spoil, look]);
        assert_eq!(
            runs[1]["exit"],
            json!({ "code": 0 }),
            "{level}: {}",
            runs[1]["log"]
        );
        assert_eq!(runs[0]["log"], runs[2]["log"], "{level}");
        assert!(
            runs[0]["log"]
                .as_str()
                .unwrap()
                .contains("parent\n inner\n")
        );
    }
}

#[test]
fn a_rewritten_test_is_itself_again_for_the_next_seed() {
    let place = Place::new();
    let run = "import sys
source = open('sub/inner').read()
open('sub/inner', 'w').write('passes\\n'); open('sub/conftest.py', 'w').write('import os; os._exit(0)\\n')
sys.exit(0 if source == 'passes\\n' else 1)";
    for level in ["pid_namespace", "subreaper"] {
        for outcome in scripts(&place, level, &[run, run, run]) {
            assert_eq!(outcome["exit"], json!({ "code": 1 }), "{level}");
        }
    }
}

#[test]
fn a_report_without_end_is_refused() {
    let place = Place::new();
    let mut run = sh(
        "patch",
        "truncate -s 1T $PATCH_VERDICT_JUNIT || truncate -s 4G $PATCH_VERDICT_JUNIT",
    );
    run["read"] = json!(["junit.xml"]);
    let runs = place.runs(&json!({ "runs": [run] }));
    let refused = runs[0]["read"]["junit.xml"]["refused"].as_str().unwrap();
    assert!(refused.contains("larger than"), "{refused}");
}

#[test]
fn a_disk_that_a_run_filled_is_free_again_for_the_next() {
    let place = Place::new();
    let disk = place.folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"])
        .arg(&disk)
        .output()
        .is_ok_and(|output| output.status.success());
    if !mounted {
        return; // Only root mounts.
    }
    let fill = "dd if=/dev/zero of=fill bs=64k 2>/dev/null; echo $?";
    let look = "cat value; test -e fill; echo $?; echo x > x; cat x";
    let lines = place.drive(
        &json!({ "state": disk.join("work"), "containment": "subreaper",
        "runs": [sh("parent", fill), sh("parent", look)] }),
    );
    let unmounted = Command::new("umount").arg(&disk).status().unwrap();
    assert!(unmounted.success());
    let logs: Vec<&Value> = lines
        .iter()
        .filter(|line| line["run"].is_string())
        .map(|line| &line["log"])
        .collect();
    assert_eq!(json!(logs), json!(["1\n", "parent\n1\nx\n"]), "{lines:?}");
    assert_eq!(lines.last().unwrap()["finished"], true);
}
