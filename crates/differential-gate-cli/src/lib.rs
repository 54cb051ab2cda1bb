//! The differential-gate program: decide, contract, witness, note, ticket.
//!
//! Every subcommand is one module with `Args` and `run`, so that another program can embed it.
//! The verdict logic is in the `differential-gate` library; here are files, formats and exit codes.
pub mod contract;
pub mod decide;
mod human;
mod input;
mod markdown;
pub mod note;
mod program;
pub mod ticket;
pub mod witness;

pub use program::{Args, Command, run};
