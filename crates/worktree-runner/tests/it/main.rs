//! Real worktrees, real processes: what the runner isolates, ends, records and cleans up.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod bad_input;
mod channel;
mod containment;
mod digests;
mod digests_limits;
mod drive;
mod hostile;
mod isolation;
mod jobs;
mod killed;
mod pinned;
mod pristine;
mod refused;
mod restored;
mod segments;
mod services;
mod sockets;
