//! How long a decision takes beside merely reading the same rows, and how much memory it needs.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::cast_precision_loss,
    reason = "a benchmark measures, prints and stops at the first surprise"
)]

use std::borrow::Cow;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Read};
use std::time::Instant;

use differential_gate::{
    Contract, ContractDraft, Property, Reason, Row, Side, Status, decide, write_row,
};
use serde::Deserialize;

const PROPERTIES: usize = 10_000;
const SEEDS: usize = 100;
const PAIRS: usize = 5;

/// What the comparison reads of a row.
#[derive(Deserialize)]
struct Borrowed<'a> {
    #[serde(borrow)]
    contract_hash: Cow<'a, str>,
    #[serde(borrow)]
    tree_sha: Cow<'a, str>,
    #[serde(borrow)]
    spec_hash: Cow<'a, str>,
    #[serde(borrow)]
    fixture_closure_hash: Cow<'a, str>,
    #[serde(borrow)]
    prop: Cow<'a, str>,
    seed: i64,
    #[serde(borrow)]
    status: Cow<'a, str>,
    #[serde(borrow)]
    witness: Cow<'a, str>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(kind) = arguments.iter().find_map(|a| a.strip_prefix("--peak=")) {
        return peak(kind);
    }
    let contract = contract();
    for kind in ["in order", "shuffled", "malformed"] {
        let parent = rows(&contract, Side::Parent, kind);
        let patch = rows(&contract, Side::Patch, kind);
        let mut ratios = Vec::new();
        let mut seconds = Vec::new();
        for _ in 0..PAIRS {
            let start = Instant::now();
            let read = deserialise(&parent) + deserialise(&patch);
            let reading = start.elapsed().as_secs_f64();
            black_box(read);
            let start = Instant::now();
            let decision = decide(&contract, parent.as_slice(), patch.as_slice());
            let deciding = start.elapsed().as_secs_f64();
            check(kind, decision.reason());
            ratios.push(deciding / reading);
            seconds.push(deciding);
        }
        println!(
            "{kind:<10} {:>9} rows a side: {:.3} s, {:.2} x reading alone",
            PROPERTIES * SEEDS,
            median(&mut seconds),
            median(&mut ratios)
        );
    }
    for kind in ["in order", "shuffled", "malformed", "failing", "distinct"] {
        let program = std::env::current_exe().unwrap();
        let child = std::process::Command::new(program)
            .arg(format!("--peak={kind}"))
            .output()
            .unwrap();
        print!("{}", String::from_utf8(child.stdout).unwrap());
    }
}

fn check(kind: &str, reason: Reason) {
    let expected = match kind {
        "malformed" => Reason::MalformedRow,
        "shuffled" => Reason::SeedScheduleMismatch,
        "in order" => Reason::BothPass,
        _ => Reason::UniformFail,
    };
    assert_eq!(reason, expected);
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap()
}

fn id(at: usize) -> String {
    format!(
        "tests.pricing.test_totals.TestCart{}::test_total_{at:05}",
        at % 97
    )
}

fn contract() -> Contract {
    let properties = (0..PROPERTIES)
        .map(|at| {
            Property::new(id(at), "passes")
                .with_spec_hash("s")
                .with_fixture_closure_hash("f")
        })
        .collect();
    let seeds = (0..SEEDS).map(seed).collect();
    ContractDraft::new("1f".repeat(20), "2e".repeat(20), seeds, properties)
        .build()
        .unwrap()
}

fn seed(at: usize) -> i64 {
    i64::try_from(at * 7_919 + 13).unwrap()
}

/// Where the row of a line stands: seed by seed as a runner writes, or anywhere.
fn place(kind: &str, line: usize) -> (usize, usize) {
    let all = PROPERTIES * SEEDS;
    let at = if kind == "shuffled" {
        // A step without a common divisor visits every place once.
        (line * 618_033) % all
    } else {
        line
    };
    (at / PROPERTIES, at % PROPERTIES)
}

fn write_line(out: &mut Vec<u8>, contract: &Contract, side: Side, kind: &str, line: usize) {
    let (seed_at, prop_at) = place(kind, line);
    let prop = id(prop_at);
    let row = match kind {
        "failing" => {
            let witness = format!("{prop}|AssertionError|total >= 0");
            Row::new(prop, seed(seed_at), Status::Fail, witness)
        }
        "distinct" => {
            let witness = format!("{prop}|AssertionError|total == {seed_at}");
            Row::new(prop, seed(seed_at), Status::Fail, witness)
        }
        _ => Row::new(prop, seed(seed_at), Status::Pass, ""),
    };
    let start = out.len();
    write_row(out, contract, side, &row).unwrap();
    if kind == "malformed" {
        // Still a whole object that the comparison reads: only the status is unknown.
        let text = String::from_utf8(out.split_off(start)).unwrap();
        out.extend(text.replace("\"pass\"", "\"PASS\"").into_bytes());
    }
}

fn rows(contract: &Contract, side: Side, kind: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for line in 0..PROPERTIES * SEEDS {
        write_line(&mut out, contract, side, kind, line);
    }
    out
}

/// The comparison: the same lines, each into a struct that borrows from it.
fn deserialise(mut bytes: &[u8]) -> usize {
    let mut line = Vec::new();
    let mut read = 0;
    loop {
        line.clear();
        if bytes.read_until(b'\n', &mut line).unwrap() == 0 {
            return read;
        }
        let row: Borrowed<'_> = serde_json::from_slice(&line).unwrap();
        let texts = [
            row.contract_hash,
            row.tree_sha,
            row.spec_hash,
            row.fixture_closure_hash,
        ];
        read += texts.iter().map(|text| text.len()).sum::<usize>();
        read += row.prop.len() + row.status.len() + row.witness.len();
        read ^= usize::from(row.seed > 0);
    }
}

/// Rows made while they are read, so that only the gate's own memory shows.
struct Stream<'a> {
    contract: &'a Contract,
    side: Side,
    kind: &'a str,
    line: usize,
    ready: Vec<u8>,
    given: usize,
}

impl Read for Stream<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.given == self.ready.len() {
            self.ready.clear();
            self.given = 0;
            if self.line < PROPERTIES * SEEDS {
                write_line(
                    &mut self.ready,
                    self.contract,
                    self.side,
                    self.kind,
                    self.line,
                );
                self.line += 1;
            }
        }
        let rest = self.ready.get(self.given..).unwrap_or_default();
        let count = rest.len().min(out.len());
        out.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        self.given += count;
        Ok(count)
    }
}

fn peak(kind: &str) {
    let contract = contract();
    let side = |side| {
        BufReader::new(Stream {
            contract: &contract,
            side,
            kind,
            line: 0,
            ready: Vec::new(),
            given: 0,
        })
    };
    let decision = decide(&contract, side(Side::Parent), side(Side::Patch));
    check(kind, decision.reason());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    match kilobytes {
        Some(peak) => println!(
            "{kind:<10} peak memory {:.1} MB",
            peak as f64 * 1.024 / 1_000.0
        ),
        None => println!("{kind:<10} peak memory unknown here"),
    }
}
