//! The results of one run as rows of a contract.

use differential_gate::{Contract, Row, Side, Status, write_row};
use patch_verdict_core::Outcome;
use serde_json::json;

use crate::error::{RunError, RunErrorKind};
use crate::isolation::Isolation;
use crate::reading::RunReading;

/// The rows of one run: a line for each property of the contract that passed or failed, in the
/// contract's order. A skip and a result that is not there leave the line missing, which is never a
/// pass. `seeded` is what the framework's plugin says it seeded, `None` where it has none.
///
/// # Errors
/// `Io` where the gate refuses a row, which names the property.
///
/// ```no_run
/// # fn example(contract: &differential_gate::Contract, outcome: &worktree_runner::RunOutcome)
/// #     -> Result<(), worktree_runner::RunError> {
/// use differential_gate::Side;
/// use worktree_runner::{ReadingContext, read_run, rows};
///
/// let report = outcome.read_control("report.xml").ok().flatten();
/// let reading = read_run(report.as_deref(), None, ReadingContext::default());
/// let lines = rows(contract, (Side::Parent, 7), &reading, None, &outcome.isolation)?;
/// # Ok(())
/// # }
/// ```
pub fn rows(
    contract: &Contract,
    (side, seed): (Side, i64),
    reading: &RunReading,
    seeded: Option<&[String]>,
    isolation: &Isolation,
) -> Result<Vec<u8>, RunError> {
    let mut bytes = Vec::new();
    // The framework's own word while it ran, or the tests' report alone.
    let source = if reading.streamed {
        "channel"
    } else {
        "report"
    };
    let seeded = json!(seeded).to_string();
    let isolation = isolation.to_json();
    for property in contract.properties() {
        let Some(result) = reading.results.get(property.id.as_str()) else {
            continue;
        };
        let status = match result.status {
            Outcome::Pass => Status::Pass,
            Outcome::Fail => Status::Fail,
            Outcome::Skip => continue,
        };
        let mut row = Row::new(&property.id, seed, status, &result.witness)
            .with_further("source", json!(source).to_string())
            .with_further("seeded", &seeded)
            .with_further("isolation", &isolation);
        if let Some(milliseconds) = result.duration_ms {
            row = row.with_further("duration_ms", format!("{milliseconds:.3}"));
        }
        if status == Status::Fail {
            row = row.with_further("raw", json!(result.failure_text).to_string());
        }
        write_row(&mut bytes, contract, side, &row).map_err(|error| {
            let id = &property.id;
            RunError::new(
                RunErrorKind::Io,
                format!("the row of `{id}` cannot be written: {error}"),
            )
        })?;
    }
    Ok(bytes)
}
