//! The differential-gate program: decide, contract, witness, note, ticket.
pub mod witness;
