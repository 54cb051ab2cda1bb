//! Regular expressions that are written in this crate, compiled once.
use std::borrow::Cow;

use regex::Regex;

/// Compiles a pattern of this crate.
#[expect(
    clippy::expect_used,
    reason = "every pattern is a literal of this crate, and a test compiles them all"
)]
pub(super) fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern written in this crate is valid")
}

/// Declares patterns that are compiled when first used.
macro_rules! patterns {
    ($($name:ident = $pattern:expr;)+) => {
        $(static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| $crate::witness::pattern::compile($pattern));)+
    };
}
pub(super) use patterns;

/// Replaces every match in place; texts without one are not copied.
pub(super) fn replace(text: &mut String, pattern: &Regex, with: &str) {
    if let Cow::Owned(changed) = pattern.replace_all(text, with) {
        *text = changed;
    }
}
