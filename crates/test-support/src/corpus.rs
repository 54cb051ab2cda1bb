//! Finds test cases on disk: one case, one entry of a folder.

use std::path::{Path, PathBuf};

/// The entries of a folder as (name, path), sorted by name; names that begin with a dot are left out.
///
/// # Panics
/// When the folder cannot be listed or a name is not UTF-8.
#[track_caller]
pub fn cases(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => panic!("cannot list `{}`: {error}", folder.display()),
    };
    let mut found: Vec<(String, PathBuf)> = entries
        .map(|entry| match entry {
            Ok(entry) => match entry.file_name().into_string() {
                Ok(name) => (name, entry.path()),
                Err(name) => panic!("`{}` is not UTF-8", name.display()),
            },
            Err(error) => panic!("cannot list `{}`: {error}", folder.display()),
        })
        .filter(|(name, _)| !name.starts_with('.'))
        .collect();
    found.sort();
    found
}

/// The entry `name` below the folder of handed cases, such as `gate` or `witness.json`: that folder is
/// `cases` in `PATCH_VERDICT_SHARED`, else in `shared` beside the checkout.
///
/// Where it is missing, a line on standard error says so and the caller passes over.
///
/// # Panics
/// When `PATCH_VERDICT_SHARED` is set and does not hold the entry: a typing error must not look like a pass.
#[track_caller]
pub fn shared_cases(name: &str) -> Option<PathBuf> {
    let given = std::env::var_os("PATCH_VERDICT_SHARED").filter(|value| !value.is_empty());
    if let Some(folder) = given {
        let path = Path::new(&folder).join("cases").join(name);
        assert!(
            path.exists(),
            "PATCH_VERDICT_SHARED: `{}` is not there",
            path.display()
        );
        return Some(path);
    }
    // crates/test-support -> crates -> checkout -> beside it.
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3);
    let found = beside
        .map(|folder| folder.join("shared/cases").join(name))
        .filter(|p| p.exists());
    if found.is_none() {
        say_missing();
    }
    found
}

#[expect(
    clippy::print_stderr,
    reason = "who reads the test's output must see what did not run"
)]
fn say_missing() {
    eprintln!("shared cases: not here");
}
