//! The markup level: tags, bodies, references, tokens. It knows nothing of test cases.
mod body;
mod check;
mod pieces;
mod reference;
mod source;
mod tag;
#[cfg(test)]
mod tests;
mod text;
pub(crate) mod token;

pub(crate) use body::{Body, Stop, skip_body};
pub(crate) use check::{check_attribute, check_body, check_bytes, has_odd_reference};
pub(crate) use source::{Area, Fault, Place, Slice, Source, Store, Text};
pub(crate) use tag::{AMPERSAND, Attribute, Tag, UNUSUAL, local_name};
pub use text::RawText;
pub(crate) use text::is_blank;
pub(crate) use token::{Began, Head, Token};
