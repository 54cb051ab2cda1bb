//! The decision table: one property, both sides, the whole schedule.
use super::tally::PropertyTally;
use super::witnesses::Witnesses;
use crate::Reason;

/// How a side did over the whole schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Course {
    /// A scheduled row is missing.
    Incomplete,
    AllPass,
    AllFail,
    Mixed,
}

impl Course {
    fn of(scheduled: usize, side: &PropertyTally) -> Self {
        let reported = side.pass as usize + side.fail as usize;
        match (reported == scheduled, side.pass > 0, side.fail > 0) {
            (false, true | false, true | false) | (true, false, false) => Self::Incomplete,
            (true, true, false) => Self::AllPass,
            (true, false, true) => Self::AllFail,
            (true, true, true) => Self::Mixed,
        }
    }
}

/// The first line of the table that fits. Every pair is written out: a wildcard here could turn a
/// case nobody thought of into a pass.
pub(super) fn judge(scheduled: usize, parent: &PropertyTally, patch: &PropertyTally) -> Reason {
    use Course::{AllFail, AllPass, Incomplete, Mixed};
    match (Course::of(scheduled, parent), Course::of(scheduled, patch)) {
        (Incomplete, Incomplete | AllPass | AllFail | Mixed)
        | (AllPass | AllFail | Mixed, Incomplete) => Reason::MissingSeed,
        (AllPass, AllPass) => Reason::BothPass,
        (AllPass, AllFail | Mixed) => Reason::Regression,
        (AllFail | Mixed, AllPass) => Reason::ParentFailCleared,
        (AllFail, AllFail) => both_fail(parent, patch, Reason::UniformFail),
        (AllFail, Mixed) | (Mixed, AllFail | Mixed) => {
            both_fail(parent, patch, Reason::SharedVariantFail)
        }
    }
}

fn both_fail(parent: &PropertyTally, patch: &PropertyTally, same_way: Reason) -> Reason {
    if parent.witness_missing || patch.witness_missing {
        Reason::WitnessMissing
    } else if Witnesses::same(parent.witnesses.as_deref(), patch.witnesses.as_deref()) {
        same_way
    } else {
        Reason::WitnessMismatch
    }
}
