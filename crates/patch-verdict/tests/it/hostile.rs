//! Patches that attack their own trial: the verdict is what it would have been without the attack.
use crate::house::{BASE, House, answer, short};

/// A product that is broken, behind code that attacks whatever is in reach when it is imported.
fn broken(attack: &str) -> String {
    format!("{attack}\n\n\ndef price(count):\n    return 0\n\n\ndef name():\n    return 'shop'\n")
}

#[track_caller]
fn expect(attack: &str, verdicts: &[&str]) {
    let shop = broken(attack);
    let Some(house) = House::new(BASE, &[("shop.py", &shop)]) else {
        return;
    };
    let (document, code) = house.check(&[]);
    let verdict = short(&document);
    assert!(
        verdicts.contains(&verdict.as_str()) && code == 1,
        "{verdict} {code}: {document:#}"
    );
}

#[test]
fn what_it_changes_for_later_runs_changes_nothing() {
    // Its own tests, start-up files of Python wherever they could be, hooks, and the trees beside it.
    let attack = "import os, pathlib, site
easy = 'import os; os._exit(0)'
places = ['sitecustomize.py', 'conftest.py', 'tests/conftest.py', site.getusersitepackages() + '/usercustomize.py',
          os.path.expanduser('~/.pythonrc'), '/tmp/conftest.py', '/var/tmp/conftest.py', '/dev/shm/conftest.py']
gitdir = pathlib.Path('.git').read_text().split(': ')[1].strip()
common = os.path.dirname(os.path.dirname(gitdir))
places += [common + '/hooks/post-checkout', common + '/config', common + '/info/attributes', gitdir + '/HEAD']
repo = os.path.dirname(common)
for folder, folders, names in os.walk(repo):
    places += [os.path.join(folder, name) for name in names if name.endswith(('.py', '.json', '.jsonl', '.toml'))]
for place in places:
    try:
        os.makedirs(os.path.dirname(place) or '.', exist_ok=True)
        pathlib.Path(place).write_text(easy)
    except OSError: pass
pathlib.Path('tests/test_shop.py').write_text('def test_price(): pass\\ndef test_name(): pass\\n')";
    expect(attack, &["reject regression"]);
}

#[test]
fn ending_the_framework_or_what_is_above_it_is_no_pass() {
    for attack in [
        "import os; os._exit(0)",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import os, signal; os.kill(os.getppid(), signal.SIGKILL); os._exit(0)",
        "import os, signal; os.kill(os.getppid(), signal.SIGSTOP); os._exit(0)",
    ] {
        expect(
            attack,
            &["reject uncollectable", "reject incomplete_contract"],
        );
    }
}

#[test]
fn noise_closed_outputs_and_daemons_hide_no_failure() {
    let attack = "import os, signal
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for n in range(1000): os.write(1, b'x' * (1 << 16))
        while True: signal.pause()
    os._exit(0)
os.wait()
for number in (1, 2):
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)";
    expect(attack, &["reject regression"]);
}

#[test]
fn secrets_of_the_job_are_out_of_reach_of_both_sides() {
    let tests = (
        "tests/test_shop.py",
        "import os\n\nWORD = ('job' + '-secret').encode()\n\n\ndef test_price():\n    assert 'GITHUB_TOKEN' not in os.environ and 'SSH_AUTH_SOCK' not in os.environ\n    for process in filter(str.isdigit, os.listdir('/proc')):\n        try:\n            text = open(f'/proc/{process}/environ', 'rb').read()\n        except OSError:\n            continue\n        assert WORD not in text\n",
    );
    let before = [BASE[0], tests, BASE[2]];
    let Some(house) = House::new(&before, &[("readme", "x\n")]) else {
        return;
    };
    let output = house
        .command(&["check", "--quiet", "--format", "json", "--seeds", "1,2"])
        .env("GITHUB_TOKEN", "job-secret")
        .env("SSH_AUTH_SOCK", "/tmp/job-secret")
        .output()
        .unwrap();
    let answer = answer(&output);
    let document: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(
        (short(&document).as_str(), answer.code),
        ("accept both_pass", 0),
        "{document:#}"
    );
}

#[test]
fn a_clock_set_back_and_memory_used_up_are_failures() {
    let attack = "import resource, time
try: time.clock_settime(time.CLOCK_REALTIME, 0)
except OSError: pass
resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))
held = []
try:
    while True: held.append(bytearray(10 << 20))
except MemoryError: held.clear()";
    expect(attack, &["reject regression"]);
}
