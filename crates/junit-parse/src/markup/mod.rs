//! The markup level: tags, bodies, references, tokens. It knows nothing of test cases.
mod body;
mod reference;
mod tag;
#[cfg(test)]
mod tests;
mod text;
mod token;

pub(crate) use body::{Stop, skip_body};
pub(crate) use tag::{Attribute, Tag, local_name};
pub use text::RawText;
pub(crate) use token::{Token, Tokens};
