//! What stops the gate as a whole, with its place.
use crate::{Reason, Side};

/// Something that stops the gate, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Issue {
    /// One of the reasons that stop the gate.
    pub code: Reason,
    /// The side it was met on; none for the contract.
    pub side: Option<Side>,
    /// The line, from 1; 0 for the file as a whole; none for the contract or an empty side.
    pub line: Option<u64>,
    /// The property the row names.
    pub prop: Option<String>,
    /// A word that narrows the code down.
    pub detail: Option<String>,
}

/// The issues of one side.
#[derive(Debug)]
pub(super) struct Issues {
    side: Side,
    found: Vec<Issue>,
    /// How often each code was met, by rank.
    met: [u64; Reason::ALL.len()],
    omitted: u64,
}

impl Issues {
    /// Issues of one code that one side lists.
    const LISTED: u64 = 1_000;

    pub(super) const fn new(side: Side) -> Self {
        Self {
            side,
            found: Vec::new(),
            met: [0; Reason::ALL.len()],
            omitted: 0,
        }
    }

    /// Notes an issue; only the first 1,000 of a code are listed, the rest is counted.
    pub(super) fn add(
        &mut self,
        code: Reason,
        line: Option<u64>,
        prop: Option<&str>,
        detail: Option<&str>,
    ) {
        if self.meet(code) >= Self::LISTED {
            self.omitted += 1;
            return;
        }
        self.push(code, line, prop, detail);
    }

    /// Notes an issue of which only the first line of a side is told.
    pub(super) fn add_first(&mut self, code: Reason, line: u64) {
        if self.meet(code) == 0 {
            self.push(code, Some(line), None, None);
        }
    }

    /// How often the code was met before.
    fn meet(&mut self, code: Reason) -> u64 {
        self.met.get_mut(code as usize).map_or(0, |met| {
            *met += 1;
            *met - 1
        })
    }

    fn push(&mut self, code: Reason, line: Option<u64>, prop: Option<&str>, detail: Option<&str>) {
        self.found.push(Issue {
            code,
            side: Some(self.side),
            line,
            prop: prop.map(str::to_owned),
            detail: detail.map(str::to_owned),
        });
    }

    /// Both sides' issues in stop order, then side, then line; and how many were not listed.
    pub(super) fn merged(parent: Self, patch: Self) -> (Vec<Issue>, u64) {
        let omitted = parent.omitted + patch.omitted;
        let mut issues = parent.found;
        issues.extend(patch.found);
        issues.sort_by_key(|issue| (issue.code, issue.side, issue.line));
        (issues, omitted)
    }
}
