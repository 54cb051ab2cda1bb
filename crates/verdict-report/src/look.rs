//! How a text may look: colour and how many tests are listed.

/// Colour and length of a human text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair of switches")]
pub struct Look {
    /// Whether ANSI colours are used. The text makes sense without.
    pub color: bool,
    /// Tests listed in each group before "and N more".
    pub most_listed: usize,
}

impl Look {
    /// No colour, a screenful.
    pub const fn plain() -> Self {
        Self {
            color: false,
            most_listed: 8,
        }
    }

    /// Everything listed (`-v`).
    #[must_use]
    pub const fn verbose(self) -> Self {
        Self {
            color: self.color,
            most_listed: usize::MAX,
        }
    }

    /// Lines of one failure that are shown: fewer where many tests fail.
    pub(crate) const fn excerpt_lines(self, results: usize) -> usize {
        if results > 3 && self.most_listed != usize::MAX {
            1
        } else {
            3
        }
    }

    pub(crate) fn paint(self, code: &str, text: &str) -> String {
        if self.color {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }
}
