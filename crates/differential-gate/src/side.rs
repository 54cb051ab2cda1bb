//! The two arms of the experiment.

/// Which of the two trees a row, a run or an issue belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "an experiment has a control arm and a treated arm"
)]
pub enum Side {
    /// The control arm: the commit before the patch.
    Parent,
    /// The experiment: the commit with the patch.
    Patch,
}

impl Side {
    /// Both sides, parent first.
    pub const BOTH: [Self; 2] = [Self::Parent, Self::Patch];

    /// `parent` or `patch`, as written in every format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parent => "parent",
            Self::Patch => "patch",
        }
    }
}
