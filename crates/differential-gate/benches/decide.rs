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

/// Rows a side.
const ROWS: usize = 1_000_000;
/// Properties in the timed runs; the seeds make it a million rows.
const PROPERTIES: usize = 10_000;
const PAIRS: usize = 5;
/// Properties, and how each row fails, in the runs whose memory is measured.
const PEAKS: [(usize, &str); 10] = [
    (PROPERTIES, "in order"),
    (PROPERTIES, "shuffled"),
    (PROPERTIES, "malformed"),
    (PROPERTIES, "failing"),
    (10, "distinct"),
    (1_000, "distinct"),
    (PROPERTIES, "distinct"),
    (PROPERTIES, "apart"),
    (100_000, "distinct"),
    (ROWS, "distinct"),
];

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
        let (properties, kind) = kind.split_once(':').unwrap();
        return peak(properties.parse().unwrap(), kind);
    }
    let contract = contract(PROPERTIES);
    for kind in ["in order", "shuffled", "malformed", "failing", "distinct"] {
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
            check(kind, PROPERTIES, decision.reason());
            ratios.push(deciding / reading);
            seconds.push(deciding);
        }
        println!(
            "{kind:<10} {:>9} rows a side: {:.3} s, {:.2} x reading alone",
            ROWS,
            median(&mut seconds),
            median(&mut ratios)
        );
    }
    for (properties, kind) in PEAKS {
        let program = std::env::current_exe().unwrap();
        let child = std::process::Command::new(program)
            .arg(format!("--peak={properties}:{kind}"))
            .output()
            .unwrap();
        print!("{}", String::from_utf8(child.stdout).unwrap());
    }
}

fn check(kind: &str, properties: usize, reason: Reason) {
    let expected = match kind {
        "malformed" => Reason::MalformedRow,
        "shuffled" => Reason::SeedScheduleMismatch,
        "in order" => Reason::BothPass,
        // Neither ways that differ nor more than a hundred of them are the same.
        "apart" => Reason::WitnessMismatch,
        "distinct" if ROWS / properties > 100 => Reason::WitnessMismatch,
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

fn contract(properties: usize) -> Contract {
    let seeds = (0..ROWS / properties).map(seed).collect();
    let properties = (0..properties)
        .map(|at| {
            Property::new(id(at), "passes")
                .with_spec_hash("s")
                .with_fixture_closure_hash("f")
        })
        .collect();
    ContractDraft::new("1f".repeat(20), "2e".repeat(20), seeds, properties)
        .build()
        .unwrap()
}

fn seed(at: usize) -> i64 {
    i64::try_from(at * 7_919 + 13).unwrap()
}

/// Where the row of a line stands: seed by seed as a runner writes, or anywhere.
fn place(kind: &str, line: usize, properties: usize) -> (usize, usize) {
    let at = if kind == "shuffled" {
        // A step without a common divisor visits every place once.
        (line * 618_033) % ROWS
    } else {
        line
    };
    (at / properties, at % properties)
}

/// A message of some length that no other row has; `side` where the sides differ too.
fn message(line: usize, side: &str) -> String {
    let noise = (line as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!(
        "assert cart.total(currency=EUR) == Decimal({noise}) for order {line:07}{side} in tests/pricing/data/orders-2024.json"
    )
}

fn write_line(out: &mut Vec<u8>, contract: &Contract, side: Side, kind: &str, line: usize) {
    let (seed_at, prop_at) = place(kind, line, contract.properties().len());
    let prop = id(prop_at);
    let seed = seed(seed_at);
    let fails = |assertion: &str| {
        let witness = format!("{prop}|AssertionError|{assertion}");
        Row::new(&prop, seed, Status::Fail, witness)
    };
    let row = match kind {
        "failing" => fails("total >= 0"),
        "distinct" => fails(&message(line, "")),
        "apart" => fails(&message(line, side.name())),
        _ => Row::new(prop, seed, Status::Pass, ""),
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
    for line in 0..ROWS {
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
            if self.line < ROWS {
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

fn peak(properties: usize, kind: &str) {
    let contract = contract(properties);
    let before = high_water_mark();
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
    check(kind, properties, decision.reason());
    let seeds = ROWS / properties;
    let cut = decision.results().iter().filter(|r| r.parent.witnesses_cut);
    println!(
        "{kind:<10} {properties:>9} properties x {seeds} seeds: peak memory {}, {} before the first row; texts of {} properties cut",
        high_water_mark(),
        before,
        cut.count()
    );
}

/// The most memory this process has had so far.
fn high_water_mark() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.map_or_else(
        || "unknown here".to_owned(),
        |peak| format!("{:.1} MB", peak as f64 * 1.024 / 1_000.0),
    )
}
