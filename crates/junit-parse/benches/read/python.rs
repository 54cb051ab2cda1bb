//! lxml as a peer, where Python has it.
use std::io::Write as _;
use std::process::Command;

const SCRIPT: &str = "
import sys, time
from lxml import etree
times = []
for _ in range(int(sys.argv[2])):
    start, cases = time.process_time(), 0
    for _, element in etree.iterparse(sys.argv[1], events=('end',), huge_tree=True):
        cases += element.tag == 'testcase'
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
    times.append(time.process_time() - start)
print(cases, sorted(times)[len(times) // 2])
";

/// Times lxml over the same report, with `bare` nanoseconds as the measure.
pub(crate) fn run(xml: &str, rounds: usize, bare: f64) {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_lxml = Command::new(&python).args(["-c", "import lxml"]).output();
    if !has_lxml.is_ok_and(|output| output.status.success()) {
        println!(
            "lxml iterparse           not measured: `{python}` has no lxml (`pip install lxml`, or set PYTHON)"
        );
        return;
    }
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(xml.as_bytes()).unwrap();
    let output = Command::new(&python)
        .args(["-c", SCRIPT])
        .arg(file.path())
        .arg(rounds.to_string())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let seconds = text
        .split_whitespace()
        .nth(1)
        .and_then(|word| word.parse::<f64>().ok());
    match seconds {
        Some(seconds) => {
            let speed = xml.len() as f64 / seconds / 1e6;
            let ratio = bare / 1e9 / seconds;
            println!("{:24} {speed:9.0}  {ratio:6.2}", "lxml iterparse");
        }
        None => println!("lxml iterparse           failed"),
    }
}
