//! Decides from recorded rows of two trees whether a failure is new.
//!
//! A [`Contract`] fixes what the parent commit and the patch commit both run. Each side yields
//! rows, one JSON object a line; [`decide`] reads both streams and answers accept, reject or
//! propose a freeze, with a reason and the counts behind it.
//!
//! It runs nothing and opens nothing, asks no model, and has no option that turns a missing or a
//! failing result into a pass. Memory is bounded by properties times seeds, not by rows.
//!
//! ```
//! use differential_gate::{
//!     ContractDraft, Decision, Property, Reason, Row, Side, Status, decide, write_row,
//! };
//!
//! let property = Property::new("cart::total", "passes")
//!     .with_spec_hash("sha256:aa")
//!     .with_fixture_closure_hash("sha256:bb");
//! let contract = ContractDraft::new("1f0c", "9ab2", vec![11, 12], vec![property]).build()?;
//!
//! let (mut parent, mut patch) = (Vec::new(), Vec::new());
//! for seed in [11, 12] {
//!     let row = Row::new("cart::total", seed, Status::Pass, "");
//!     write_row(&mut parent, &contract, Side::Parent, &row)?;
//! }
//! write_row(&mut patch, &contract, Side::Patch, &Row::new("cart::total", 11, Status::Pass, ""))?;
//! let row = Row::new("cart::total", 12, Status::Fail, "cart::total|AssertionError|total >= 0");
//! write_row(&mut patch, &contract, Side::Patch, &row)?;
//!
//! let decision = decide(&contract, parent.as_slice(), patch.as_slice());
//! assert_eq!(decision.decision(), Decision::Reject);
//! assert_eq!(decision.reason(), Reason::Regression);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Features: `schema` derives a JSON Schema for the documents in [`wire`]. MSRV 1.90.
#![deny(clippy::wildcard_enum_match_arm)]

mod bounds;
mod contract;
mod decision;
mod json;
mod note;
mod reason;
mod rows;
mod side;
mod ticket;
pub mod wire;
mod witness;
mod yaml;

pub use bounds::{Bounds, BoundsWire, Counts, PValue, RatioWire, bounds, sentence};
pub use contract::{Contract, ContractDraft, ContractError, ContractErrorKind, Property, Schedule};
pub use decision::{
    GateDecision, Issue, PropertyResult, RowCounts, SideSummary, decide, decide_invalid,
    decide_unbound,
};
pub use note::{DecisionFacts, NoteError, PropertyFacts, RowFacts, note};
pub use reason::{Decision, Reason, UnknownWord};
pub use rows::{Row, Status, write_row};
pub use side::Side;
pub use ticket::{
    Approval, ContractIdentity, DraftRefusal, InvalidDate, LONGEST_TICKET_DAYS, ReasonCode,
    Refusal, SweptState, SweptTicket, Ticket, TicketDate, TicketError, Verification, approve,
    draft, sweep, verify,
};
pub use witness::{
    NORMALISER_VERSION, WitnessText, witness_class, witness_class_of_text, witness_prefix,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
