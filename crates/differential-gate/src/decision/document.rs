//! The decision as a value, and as a document.
use super::Issue;
use super::tally::PropertyTally;
use crate::wire;
use crate::{Bounds, BoundsWire, Counts, Decision, Reason, Side, bounds, sentence};

/// What was decided, over what, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateDecision {
    pub(super) decision: Decision,
    pub(super) reason: Reason,
    pub(super) contract_hash: Option<String>,
    pub(super) bound: bool,
    pub(super) scheduled: usize,
    pub(super) rows: Option<[RowCounts; 2]>,
    pub(super) issues: Vec<Issue>,
    pub(super) issues_omitted: u64,
    pub(super) results: Vec<PropertyResult>,
}

impl GateDecision {
    /// What the gate says of the patch.
    pub const fn decision(&self) -> Decision {
        self.decision
    }

    /// The highest ranked reason behind it.
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// The contract hash; none for an invalid contract.
    pub fn contract_hash(&self) -> Option<&str> {
        self.contract_hash.as_deref()
    }

    /// Whether the rows are tied to a contract. Advice from unbound rows is no green light.
    pub const fn is_bound(&self) -> bool {
        self.bound
    }

    /// Seeds in the schedule; 0 for an invalid contract.
    pub const fn scheduled(&self) -> usize {
        self.scheduled
    }

    /// Lines counted on a side; all 0 for an invalid contract.
    pub fn rows(&self, side: Side) -> RowCounts {
        let [parent, patch] = self.rows.unwrap_or_default();
        match side {
            Side::Parent => parent,
            Side::Patch => patch,
        }
    }

    /// What stops the gate, in stop order, then side, then line.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// Issues beyond the first 1,000 of a side and code.
    pub const fn issues_omitted(&self) -> u64 {
        self.issues_omitted
    }

    /// The properties' results, sorted by id; empty if there is an issue.
    pub fn results(&self) -> &[PropertyResult] {
        &self.results
    }

    /// The decision document, signed with the tool that made it.
    pub fn document(&self, tool: &wire::Tool) -> wire::Decision {
        wire::Decision {
            schema_version: wire::SCHEMA_VERSION,
            decision: self.decision.as_str().to_owned(),
            reason: self.reason.as_str().to_owned(),
            contract_hash: self.contract_hash.clone(),
            bound: self.bound,
            rows: wire::Rows {
                parent: self.rows.map(|[parent, _]| parent.into()),
                patch: self.rows.map(|[_, patch]| patch.into()),
            },
            issues: self.issues.iter().map(issue).collect(),
            issues_omitted: self.issues_omitted,
            results: self.results.iter().map(result).collect(),
            tool: tool.clone(),
        }
    }
}

/// Lines of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RowCounts {
    /// Lines that are not blank.
    pub lines: u64,
    /// Whole rows of this contract, doubles and strangers among them.
    pub counted: u64,
    /// Whole rows that quote another contract.
    pub ignored: u64,
    /// Counted rows that passed.
    pub pass: u64,
    /// Counted rows that failed.
    pub fail: u64,
}

/// What was decided of one property.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PropertyResult {
    /// The property's id.
    pub prop: String,
    /// What the table says.
    pub decision: Decision,
    /// The line of the table.
    pub reason: Reason,
    /// Seeds in the schedule: rows each side should have.
    pub scheduled: usize,
    /// The parent's rows.
    pub parent: SideSummary,
    /// The patch's rows.
    pub patch: SideSummary,
}

impl PropertyResult {
    /// Whether a person should look at the oracle: the patch made a failure go away, which is not
    /// proof that the test still asks the same.
    pub fn needs_spec_review(&self) -> bool {
        self.reason == Reason::ParentFailCleared
    }

    /// What the counts cannot exclude.
    pub fn bounds(&self) -> Bounds {
        bounds(
            self.reason.as_str(),
            self.parent.counts(),
            self.patch.counts(),
        )
    }

    /// The counts, one bound and one p value in one line, for people.
    pub fn sentence(&self) -> String {
        sentence(
            self.reason.as_str(),
            self.parent.counts(),
            self.patch.counts(),
        )
    }
}

/// One property on one side.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SideSummary {
    /// Seeds that passed.
    pub pass: u64,
    /// Seeds that failed.
    pub fail: u64,
    /// The first 100 distinct witnesses of the failing rows, sorted; an empty text among them is
    /// a failure that does not say how.
    pub witnesses: Vec<String>,
    /// Whether the last of them were left out: a side keeps 8 MB of texts. The decision never
    /// looks at the texts kept.
    pub witnesses_cut: bool,
}

impl SideSummary {
    /// Passes and failures.
    pub const fn counts(&self) -> Counts {
        Counts {
            pass: self.pass,
            fail: self.fail,
        }
    }
}

impl From<PropertyTally> for SideSummary {
    fn from(tally: PropertyTally) -> Self {
        let kept = tally.witnesses.map(|witnesses| witnesses.into_texts());
        let (witnesses, witnesses_cut) = kept.unwrap_or_default();
        Self {
            pass: tally.pass.into(),
            fail: tally.fail.into(),
            witnesses,
            witnesses_cut,
        }
    }
}

impl From<RowCounts> for wire::RowCounts {
    fn from(rows: RowCounts) -> Self {
        Self {
            lines: rows.lines,
            counted: rows.counted,
            ignored: rows.ignored,
            pass: rows.pass,
            fail: rows.fail,
        }
    }
}

fn issue(issue: &Issue) -> wire::Issue {
    wire::Issue {
        code: issue.code.as_str().to_owned(),
        side: issue.side.map(|side| side.name().to_owned()),
        line: issue.line,
        prop: issue.prop.clone(),
        detail: issue.detail.clone(),
    }
}

fn result(result: &PropertyResult) -> wire::PropertyResult {
    wire::PropertyResult {
        prop: result.prop.clone(),
        decision: result.decision.as_str().to_owned(),
        reason: result.reason.as_str().to_owned(),
        needs_spec_review: result.needs_spec_review().then_some(true),
        parent: summary(&result.parent),
        patch: summary(&result.patch),
        bounds: BoundsWire::from(&result.bounds()),
    }
}

fn summary(side: &SideSummary) -> wire::SideSummary {
    wire::SideSummary {
        pass: side.pass,
        fail: side.fail,
        witnesses: side.witnesses.clone(),
        witnesses_cut: side.witnesses_cut.then_some(true),
    }
}
