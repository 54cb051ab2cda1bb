//! What a run does to its tree, by kind: no later run sees it, by neither method.

use serde_json::{Value, json};

use crate::drive::{Place, sh};

/// All that can be seen of a tree, one line a path; hard links name each other.
const LOOK: &str = "import os, stat
paths = ['.']
for folder, folders, files in os.walk('.'):
    paths += [os.path.join(folder, name) for name in folders + files]
inodes = {}
for path in paths:
    inodes.setdefault(os.lstat(path).st_ino, []).append(path)
for path in sorted(paths):
    s = os.lstat(path)
    kind = stat.S_IFMT(s.st_mode)
    extended = {n: os.getxattr(path, n, follow_symlinks=False) for n in os.listxattr(path, follow_symlinks=False)}
    size = s.st_size if kind == stat.S_IFREG else 0
    content = open(path, 'rb').read() if kind == stat.S_IFREG else os.readlink(path) if kind == stat.S_IFLNK else ''
    print(path, oct(s.st_mode), s.st_uid, s.st_gid, size, s.st_mtime_ns, extended, content, sorted(inodes[s.st_ino]))
";

/// The ways in which a tree becomes as it was.
const METHODS: [(&str, &str); 2] = [("overlay", "pid_namespace"), ("copies", "process_group")];

fn look(side: &str) -> Value {
    json!({ "side": side, "argv": ["python3", "-c", LOOK] })
}

/// Neither the next run nor the other side sees what `spoil` (Python) did after `set_up` (shell).
#[track_caller]
fn is_gone_afterwards(set_up: &str, spoil: &str) {
    for (pristine, containment) in METHODS {
        let place = Place::new();
        let spoiling = format!("import os, subprocess, time\n{spoil}\n{LOOK}");
        let runs = place.runs(&json!({
            "pristine": pristine, "containment": containment, "set_up": [set_up],
            "runs": [
                look("parent"), look("patch"),
                { "side": "parent", "argv": ["python3", "-c", spoiling] },
                look("parent"), look("patch"),
            ],
        }));
        let log = |index: usize| runs[index]["log"].as_str().unwrap();
        let method = format!("{pristine} {containment}");
        for run in &runs {
            assert_eq!(run["exit"], json!({ "code": 0 }), "{method}: {run}");
        }
        assert_ne!(log(0), log(2), "{method}: nothing was spoilt");
        assert_eq!(log(0), log(3), "{method}");
        assert_eq!(log(1), log(4), "{method}: the other side");
        assert_ne!(runs[2]["restored"], json!([]), "{method}");
        if runs[0]["isolation"]["overlay_refused"].is_null() && pristine == "overlay" {
            assert_eq!(runs[0]["isolation"]["mount"], "overlay");
        }
    }
}

const FOLDERS: &str = "mkdir -p a/b/c; echo 1 > a/one; echo 2 > a/b/two; echo 3 > a/b/c/three";

#[test]
fn what_was_deleted() {
    let spoil = "os.remove('value'); subprocess.check_call(['rm', '-r', 'a', 'sub'])";
    is_gone_afterwards(FOLDERS, spoil);
}

#[test]
fn what_was_written_or_cut() {
    let spoil = "open('a/one', 'a').write('more'); os.truncate('a/b/two', 0); open('a/new', 'w').write('x')";
    is_gone_afterwards(FOLDERS, spoil);
}

#[test]
fn what_was_renamed() {
    let spoil = "os.rename('value', 'a/value'); os.rename('a/one', 'a/b/two'); subprocess.check_call(['mv', 'a/b', 'b'])";
    is_gone_afterwards(FOLDERS, spoil);
}

#[test]
fn whose_mode_was_changed() {
    let spoil = "os.chmod('a/one', 0o755); os.chmod('a/b', 0o700); os.chmod('.', 0o711)";
    is_gone_afterwards(FOLDERS, spoil);
}

#[test]
fn what_got_another_time() {
    let spoil = "os.utime('a/one', (1, 1)); os.utime('a/b', (2, 2)); os.utime('.', (3, 3)); os.utime('l', (4, 4), follow_symlinks=False)";
    is_gone_afterwards(&format!("{FOLDERS}; ln -s value l"), spoil);
}

#[test]
fn what_was_written_through_a_hard_link() {
    let spoil = "open('first', 'a').write('more')\nos.link('value', 'again')\nopen('again', 'a').write('more')";
    is_gone_afterwards(
        "echo 1 > first; ln first second; mkdir d; ln first d/third",
        spoil,
    );
}

#[test]
fn whose_hard_link_was_cut() {
    let spoil = "os.remove('second'); open('second', 'w').write('1\\n')";
    is_gone_afterwards("echo 1 > first; ln first second", spoil);
}

#[test]
fn where_a_symbolic_link_points() {
    let spoil = "os.remove('l'); os.symlink('elsewhere', 'l'); os.remove('value'); os.symlink('a/one', 'value'); os.remove('to'); os.mkdir('to')";
    is_gone_afterwards(&format!("{FOLDERS}; ln -s value l; ln -s a to"), spoil);
}

#[test]
fn a_folder_that_became_a_file_and_the_other_way_round() {
    let spoil = "subprocess.check_call(['rm', '-r', 'a']); open('a', 'w').close(); os.remove('value'); os.makedirs('value/deep')";
    is_gone_afterwards(FOLDERS, spoil);
}

#[test]
fn extended_attributes() {
    let mark = "python3 -c \"import os; os.setxattr('a/one', 'user.kept', b'1'); os.setxattr('a', 'user.kept', b'1')\"";
    let spoil = "os.setxattr('a/one', 'user.kept', b'2'); os.removexattr('a', 'user.kept'); os.setxattr('value', 'user.new', b'x'); os.setxattr('.', 'user.new', b'x')";
    is_gone_afterwards(&format!("{FOLDERS}; {mark}"), spoil);
}

#[test]
fn a_folder_that_was_replaced_by_another_of_its_name() {
    let spoil = "subprocess.check_call(['rm', '-r', 'a']); os.makedirs('a/b'); open('a/b/other', 'w').close()";
    is_gone_afterwards(FOLDERS, spoil);
}

#[test]
fn what_looks_like_a_mark_of_the_overlay_itself() {
    let spoil = "
def attempt(act, *arguments):
    try: act(*arguments)
    except OSError as error: print(error)
attempt(os.mknod, 'value2', 0o020000, os.makedev(0, 0))
for name in ('opaque', 'whiteout', 'redirect', 'origin'):
    for path in ('.', 'a', 'a/one'):
        attempt(os.setxattr, path, 'user.overlay.' + name, b'y')
os.remove('a/one'); open('a/one', 'w').close()
os.remove('a/b/two'); os.mkdir('a/b/two')";
    is_gone_afterwards(FOLDERS, spoil);
}

#[test]
fn what_stands_in_a_read_only_folder() {
    let spoil = "os.chmod('a/b', 0o755); open('a/b/two', 'a').write('x'); os.remove('a/b/c/three'); os.chmod('a/b', 0o555)";
    is_gone_afterwards(&format!("{FOLDERS}; chmod 555 a/b"), spoil);
}

#[test]
fn a_pipe_that_set_up_made() {
    is_gone_afterwards(
        "mkfifo -m 640 pipe",
        "os.remove('pipe'); os.mkfifo('other')",
    );
}

#[test]
fn an_owner() {
    // Root alone may give files away; to others the mode of the file stands for it.
    let spoil = "
if os.getuid() == 0: os.chown('a/one', 12, 34); os.chown('a', 12, 34)
else: os.chmod('a/one', 0o600)";
    is_gone_afterwards(FOLDERS, spoil);
}

#[test]
fn a_run_reaches_the_tree_below_its_layer_by_no_path() {
    let place = Place::new();
    let state = place.state().display().to_string();
    // As what it is, and with the rights that a user namespace of its own gives.
    let attack = format!(
        "reach() {{
            umount {state}; umount -l {state}; umount $PWD; mount -o remount,rw {state}; mount --bind / /mnt
            for root in '' /mnt /proc/[0-9]*/root /proc/self/fd/*; do
                for file in $root{state}/*/*/value $root{state}/*/runs/*/upper/value; do
                    if test -e $file; then echo reached; echo spoilt > $file; fi
                done
            done
        }}
        reach; export -f reach 2>/dev/null; unshare -Urm bash -c reach; unshare -Urmpf --mount-proc bash -c reach; cat value"
    );
    let attack = json!({ "side": "parent", "argv": ["bash", "-c", attack] });
    let lines = place
        .drive(&json!({ "runs": [attack, sh("parent", "cat value"), sh("patch", "cat value")] }));
    let runs: Vec<_> = lines
        .iter()
        .filter(|line| line["run"].is_string())
        .collect();
    assert_eq!(runs[1]["log"], "parent\n");
    assert_eq!(runs[2]["log"], "patch\n");
    if runs[0]["isolation"]["other_side_hidden"] == true {
        let log = runs[0]["log"].as_str().unwrap();
        assert!(
            !log.contains("reached") && log.ends_with("parent\n"),
            "{log}"
        );
    }
    place.assert_clean();
}

#[test]
fn where_no_overlay_can_be_had_the_rows_say_why() {
    for (pristine, containment) in METHODS {
        let place = Place::new();
        let order = json!({ "pristine": pristine, "containment": containment, "runs": [sh("patch", "true")] });
        let isolation = &place.runs(&order)[0]["isolation"];
        let refused = isolation["overlay_refused"].as_str();
        match (pristine, isolation["mount"].as_str().unwrap()) {
            ("overlay", "overlay") | ("copies", "bind" | "rename") => assert_eq!(refused, None),
            (_, "bind" | "rename") => assert!(!refused.unwrap().is_empty()),
            other => panic!("{other:?}"),
        }
    }
    let place = Place::new();
    let order = json!({ "containment": "subreaper", "runs": [sh("patch", "true")] });
    let isolation = &place.runs(&order)[0]["isolation"];
    assert_eq!(isolation["mount"], "rename");
    assert_eq!(isolation["overlay_refused"], "runs have no mount namespace");
}
