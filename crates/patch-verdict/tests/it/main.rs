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
mod go;
mod hostile;
mod house;
mod interrupted;
mod jest;
mod jobs;
mod nextest;
mod plain;
mod refusals;
mod repositories;
mod repositories_submodules;
mod requests;
mod scope;
mod services;
mod situations;
mod surroundings;
mod unseen;
mod vitest;
