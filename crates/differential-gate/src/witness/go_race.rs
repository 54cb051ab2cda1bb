//! Reports of Go's race detector: which functions touched one place, in any order.
use super::pattern::patterns;
use super::reading::Reading;

patterns! {
    ACCESS = r"^\s*(?:Previous )?((?:atomic )?[Rr]ead|(?:atomic )?[Ww]rite) at 0x[0-9a-f]+ by (?:goroutine \d+|main goroutine)";
    FUNCTION = r"^\s+(\S.*\))$";
}

/// One reading a race.
pub(super) fn read(lines: &[&str]) -> Vec<Reading> {
    let mut races: Vec<Vec<String>> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.trim() == "WARNING: DATA RACE" {
            races.push(Vec::new());
        } else if let (Some(race), Some(found)) = (races.last_mut(), ACCESS.captures(line)) {
            let access = found
                .get(1)
                .map_or("", |group| group.as_str())
                .to_lowercase();
            let function = lines
                .get(at + 1)
                .and_then(|line| FUNCTION.captures(line))
                .and_then(|found| found.get(1))
                .map_or("", |group| group.as_str());
            race.push(format!("{access} by {function}"));
        }
    }
    let mut races: Vec<String> = races
        .into_iter()
        .map(|mut race| {
            race.sort();
            race.join(", ")
        })
        .collect();
    races.sort();
    races.dedup();
    races
        .into_iter()
        .map(|race| Reading::new("DATA RACE", race))
        .collect()
}
