//! Decisions and the reasons behind them.
use std::fmt;
use std::str::FromStr;

/// What the gate says, of one property or of the patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the decision table has three outcomes; a caller must handle each"
)]
pub enum Decision {
    /// Nothing new fails.
    Accept,
    /// Something new fails, or the evidence does not hold.
    Reject,
    /// Both sides fail now and then in the same way: a person may freeze it.
    ProposeFreeze,
}

impl Decision {
    /// The word in every format.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::ProposeFreeze => "propose_freeze",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Decision {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let all = [Self::Accept, Self::Reject, Self::ProposeFreeze];
        let found = all.into_iter().find(|decision| decision.as_str() == word);
        found.ok_or_else(|| UnknownWord(word.to_owned()))
    }
}

/// Why. Ordered by rank: of several reasons the smallest one speaks for the patch.
///
/// The first nine stop the gate as a whole; the rest are lines of the decision table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the stop order and the decision table are closed; a caller must handle each"
)]
pub enum Reason {
    /// The contract is not one of version 1.
    InvalidContract,
    /// A line is not a whole row.
    MalformedRow,
    /// A row is of another commit than its side.
    WrongTree,
    /// A row's spec hash is not the contract's.
    SpecHashMismatch,
    /// A row's fixture closure hash is not the contract's.
    FixtureHashMismatch,
    /// A side has no counted row.
    IncompleteContract,
    /// A row names a property that the contract does not have.
    UnknownProperty,
    /// A row's seed is outside the schedule or out of order.
    SeedScheduleMismatch,
    /// A property has two rows for one seed on one side.
    DuplicateRow,
    /// The parent passes and the patch fails.
    Regression,
    /// Both fail, in different ways.
    WitnessMismatch,
    /// Both fail, and a failing row does not say how.
    WitnessMissing,
    /// Both fail, and no side passed once: stable, so no flake.
    UniformFail,
    /// A scheduled row is missing on a side.
    MissingSeed,
    /// Both fail in the same way, and a side also passed.
    SharedVariantFail,
    /// The parent fails and the patch passes: for spec review.
    ParentFailCleared,
    /// Both pass.
    BothPass,
}

impl Reason {
    /// Every reason, by rank.
    pub const ALL: [Self; 17] = [
        Self::InvalidContract,
        Self::MalformedRow,
        Self::WrongTree,
        Self::SpecHashMismatch,
        Self::FixtureHashMismatch,
        Self::IncompleteContract,
        Self::UnknownProperty,
        Self::SeedScheduleMismatch,
        Self::DuplicateRow,
        Self::Regression,
        Self::WitnessMismatch,
        Self::WitnessMissing,
        Self::UniformFail,
        Self::MissingSeed,
        Self::SharedVariantFail,
        Self::ParentFailCleared,
        Self::BothPass,
    ];

    /// The code in every format.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidContract => "invalid_contract",
            Self::MalformedRow => "malformed_row",
            Self::WrongTree => "wrong_tree",
            Self::SpecHashMismatch => "spec_hash_mismatch",
            Self::FixtureHashMismatch => "fixture_hash_mismatch",
            Self::IncompleteContract => "incomplete_contract",
            Self::UnknownProperty => "unknown_property",
            Self::SeedScheduleMismatch => "seed_schedule_mismatch",
            Self::DuplicateRow => "duplicate_row",
            Self::Regression => "regression",
            Self::WitnessMismatch => "witness_mismatch",
            Self::WitnessMissing => "witness_missing",
            Self::UniformFail => "uniform_fail",
            Self::MissingSeed => "missing_seed",
            Self::SharedVariantFail => "shared_variant_fail",
            Self::ParentFailCleared => "parent_fail_cleared",
            Self::BothPass => "both_pass",
        }
    }

    /// The one decision that goes with it.
    pub const fn decision(self) -> Decision {
        match self {
            Self::InvalidContract
            | Self::MalformedRow
            | Self::WrongTree
            | Self::SpecHashMismatch
            | Self::FixtureHashMismatch
            | Self::IncompleteContract
            | Self::UnknownProperty
            | Self::SeedScheduleMismatch
            | Self::DuplicateRow
            | Self::Regression
            | Self::WitnessMismatch
            | Self::WitnessMissing
            | Self::UniformFail
            | Self::MissingSeed => Decision::Reject,
            Self::SharedVariantFail => Decision::ProposeFreeze,
            Self::ParentFailCleared | Self::BothPass => Decision::Accept,
        }
    }

    /// Whether it stops the gate as a whole instead of judging one property.
    pub const fn stops_the_gate(self) -> bool {
        (self as u8) <= (Self::DuplicateRow as u8)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Reason {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let found = Self::ALL.into_iter().find(|reason| reason.as_str() == word);
        found.ok_or_else(|| UnknownWord(word.to_owned()))
    }
}

/// A word that is no decision and no reason code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord(String);

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no decision and no reason code", self.0)
    }
}

impl std::error::Error for UnknownWord {}
