//! Rows: one result of one property under one seed, a JSON object a line.
mod form;
mod lines;
mod write;

pub(crate) use form::{Fault, Fields, Form, read};
pub(crate) use lines::{Line, Lines, Void};
pub use write::{Row, Status, write_row};
