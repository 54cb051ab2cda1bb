//! Which build this is.

/// The commit this program was built from, `unknown` outside a repository.
pub const fn commit() -> &'static str {
    env!("PATCH_VERDICT_COMMIT")
}
