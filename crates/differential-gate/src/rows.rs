//! Rows: one result of one property under one seed, a JSON object a line.
mod form;
mod lines;
mod write;

#[cfg(test)]
mod tests;

pub(crate) use form::{Form, Fault, Fields, read};
pub(crate) use lines::{Line, Lines, Void};
pub use write::{Row, Status, write_row};
