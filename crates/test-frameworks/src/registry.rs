//! The list of adapters, and which of them a repository asks for.

use crate::{Detection, FileView, Framework, Go, Jest, Nextest, Plain, Pytest, Vitest};

/// Every adapter, the most specific first.
pub fn frameworks() -> &'static [&'static dyn Framework] {
    &[&Pytest, &Nextest, &Jest, &Vitest, &Go, &Plain]
}

/// The adapter of this name, such as `pytest` or `plain`.
pub fn framework(name: &str) -> Option<&'static dyn Framework> {
    frameworks().iter().copied().find(|one| one.name() == name)
}

/// The adapter that these words start, such as `npx jest`; never [`Plain`].
pub fn framework_of(command: &[String]) -> Option<&'static dyn Framework> {
    frameworks().iter().copied().find(|one| one.runs(command))
}

/// The adapter with the strongest signs in the tree; `None` where no adapter saw any.
pub fn detect(view: &dyn FileView) -> Option<Detection> {
    let mut best: Option<Detection> = None;
    for found in frameworks().iter().filter_map(|one| one.detect(view)) {
        if best
            .as_ref()
            .is_none_or(|known| found.strength > known.strength)
        {
            best = Some(found);
        }
    }
    best
}
