//! Ctrl-C and kill -9 while tests run.
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::house::{BASE, House, answer, short};

/// A product whose tests never end.
const HANGING: (&str, &str) = (
    "shop.py",
    "import threading\n\n\ndef price(count):\n    threading.Event().wait()\n\n\ndef name():\n    return 'shop'\n",
);

/// Starts a check and waits until its first scored run on the patch is told.
fn running(house: &House) -> std::process::Child {
    let mut child = house
        .command(&["check", "--seeds", "1,2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let told = lines.any(|line| line.unwrap().contains("run 2 of 4"));
    assert!(told, "the run on the patch was never told");
    std::thread::spawn(move || lines.count());
    child
}

fn signal(child: &std::process::Child, name: &str) {
    let status = std::process::Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn a_signal_ends_everything_leaves_nothing_and_is_the_exit_code() {
    let Some(house) = House::new(BASE, &[HANGING]) else {
        return;
    };
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let child = running(&house);
        signal(&child, name);
        let answer = answer(&child.wait_with_output().unwrap());
        assert_eq!((answer.code, answer.stdout.as_str()), (code, ""), "{name}");
        house.assert_clean();
    }
}

#[test]
fn after_a_kill_the_next_check_starts_clean() {
    let Some(house) = House::new(BASE, &[HANGING]) else {
        return;
    };
    let mut child = running(&house);
    signal(&child, "KILL");
    child.wait().unwrap();
    house.change(&[("shop.py", BASE[0].1), ("readme", "x\n")]);
    house.repository.commit("mended");
    let (document, code) = house.check(&[]);
    assert_eq!((short(&document).as_str(), code), ("accept both_pass", 0));
}
