//! Peak memory of streaming a large file, in a process of its own.
use std::fs::{self, File};
use std::io::Write as _;
use std::process::Command;

use super::generate::{self, Kind};
use super::readers::stream;

pub(crate) fn run(megabytes: usize) {
    println!("VmHWM of a process that streams a file");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.xml");
    for kind in Kind::ALL {
        let piece = generate::report(kind, 5_000_000);
        let begin = piece.find("<testsuite ").unwrap();
        let end = piece.find("</testsuites>").unwrap();
        let mut file = File::create(&path).unwrap();
        file.write_all(&piece.as_bytes()[..begin]).unwrap();
        for _ in 0..megabytes.div_ceil(5) {
            file.write_all(&piece.as_bytes()[begin..end]).unwrap();
        }
        file.write_all(&piece.as_bytes()[end..]).unwrap();
        measure(kind.name(), &path);
    }
    let mut file = File::create(&path).unwrap();
    let long = "x".repeat(40_000_000);
    write!(
        file,
        "<testsuite><testcase name='a'/><testcase name='{long}'/></testsuite>"
    )
    .unwrap();
    measure("an attribute of 40 MB", &path);
    let mut file = File::create(&path).unwrap();
    write!(
        file,
        "<testsuite><testcase name='a'><failure>{long}</failure></testcase></testsuite>"
    )
    .unwrap();
    measure("a failure of 40 MB", &path);
}

fn measure(name: &str, path: &std::path::Path) {
    let size = fs::metadata(path).unwrap().len();
    let child = Command::new(std::env::current_exe().unwrap())
        .arg("--stream-file")
        .arg(path)
        .output()
        .unwrap();
    let answer = String::from_utf8_lossy(&child.stdout);
    println!("{name:24} {:7.1} MB  {}", size as f64 / 1e6, answer.trim());
}

/// Streams one file and says what came of it and what it took.
pub(crate) fn child(path: &str) {
    let answer = match stream(File::open(path).unwrap()) {
        Some(cases) => format!("{cases} cases"),
        None => "an error".to_owned(),
    };
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    println!("{answer}, {}", peak.unwrap_or("VmHWM unknown"));
}
