//! `patch-verdict` as its users run it: real repositories, real pytest, the real program.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests stop at the first surprise"
)]

mod corners;
mod evidence;
mod forged;
mod house;
mod interrupted;
mod plain;
mod refusals;
mod repositories;
mod repositories_submodules;
mod requests;
mod scope;
mod situations;
mod surroundings;
mod unseen;
