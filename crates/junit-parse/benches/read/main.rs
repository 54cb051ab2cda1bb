//! Reading reports: speed against peers in one interleaved run, peak memory of streaming.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::cast_precision_loss,
    reason = "a benchmark"
)]

mod generate;
mod memory;
mod python;
mod readers;

use generate::Kind;
use readers::READERS;

const USAGE: &str = "cargo bench -p junit-parse [-- [--megabytes N] [--rounds N] [--input TEXT] [--reader TEXT] | --memory MEGABYTES]";

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| it != "--bench")
        .collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|word| word == name)?;
        arguments.get(at + 1)
    };
    if let Some(path) = option("--stream-file") {
        memory::child(path);
        return;
    }
    if arguments.iter().any(|word| word == "--help") {
        println!("{USAGE}");
        return;
    }
    let number = |name: &str| option(name).map(|word| word.parse::<usize>().unwrap());
    if let Some(megabytes) = number("--memory") {
        memory::run(megabytes);
        return;
    }
    speed(&Plan {
        megabytes: number("--megabytes").unwrap_or(50),
        rounds: number("--rounds").unwrap_or(5),
        input: option("--input").map_or("", String::as_str),
        reader: option("--reader").map_or("", String::as_str),
    });
}

/// Nanoseconds of processor time so far.
fn ticks() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What to measure: inputs and readers whose names hold these texts.
struct Plan<'a> {
    megabytes: usize,
    rounds: usize,
    input: &'a str,
    reader: &'a str,
}

fn speed(plan: &Plan<'_>) {
    let (rounds, megabytes) = (plan.rounds, plan.megabytes);
    println!("medians of {rounds} interleaved rounds, CPU time; MB/s, and in bare loops");
    for kind in Kind::ALL
        .into_iter()
        .filter(|kind| kind.name().contains(plan.input))
    {
        let xml = generate::report(kind, megabytes * 1_000_000);
        let cases = xml.matches("<testcase").count() as u64;
        println!(
            "\n{}: {:.2} MB, {cases} cases",
            kind.name(),
            xml.len() as f64 / 1e6
        );
        let mut times = vec![Vec::new(); READERS.len()];
        let mut wrong = vec![None; READERS.len()];
        for _ in 0..rounds {
            for (index, (name, read)) in READERS.iter().enumerate() {
                if index > 0 && !name.contains(plan.reader) {
                    continue;
                }
                let before = ticks();
                let found = read(&xml);
                times[index].push(ticks() - before);
                wrong[index] = (found != Some(cases)).then_some(found);
            }
        }
        let bare = median(times[0].clone());
        for (index, (name, _)) in READERS.iter().enumerate() {
            if times[index].is_empty() {
                continue;
            }
            let nanos = median(times[index].clone());
            let speed = xml.len() as f64 / nanos * 1_000.0;
            let note = match wrong[index] {
                None => String::new(),
                Some(None) => "  gave an error".to_owned(),
                Some(Some(found)) => format!("  gave {found} cases"),
            };
            println!("{name:24} {speed:9.0}  {:6.2}{note}", bare / nanos);
        }
        if plan.reader.is_empty() {
            python::run(&xml, rounds, bare);
        }
    }
}
