//! The witness classes one side gave for one property.

/// Distinct classes, sorted; no more than a hundred are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Witnesses {
    kept: Vec<Box<str>>,
    overflowed: bool,
}

impl Witnesses {
    /// Classes a side keeps.
    const KEPT: usize = 100;

    /// Adds a class; the smallest hundred stay, whatever order they come in.
    pub(super) fn add(&mut self, class: &str) {
        // Most often the same failure once more.
        let Err(at) = self
            .kept
            .binary_search_by(|known| known.as_ref().cmp(class))
        else {
            return;
        };
        if at < Self::KEPT {
            self.kept.insert(at, class.into());
        }
        if at >= Self::KEPT || self.kept.len() > Self::KEPT {
            self.kept.truncate(Self::KEPT);
            self.overflowed = true;
        }
    }

    /// Whether both sides failed in the same ways, as far as that is known: a set that did not
    /// fit is equal to none.
    pub(super) fn same_as(&self, other: &Self) -> bool {
        !self.overflowed && !other.overflowed && self.kept == other.kept
    }

    pub(super) fn into_texts(self) -> Vec<String> {
        self.kept.into_iter().map(String::from).collect()
    }
}
