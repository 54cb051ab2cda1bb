//! Why no report could be read at all.

/// What kind of error a [`ParseError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Nothing is in the file but blanks, comments or a declaration.
    Empty,
    /// The file holds something, but no `testsuites`, `testsuite` or `testcase` element.
    NotJunit,
    /// The input is larger than [`crate::Limits::max_bytes`].
    TooLarge,
    /// The encoding cannot be read at all (UTF-32).
    Encoding,
    /// A stream holds a tag, or an element without its end tag, that is larger than
    /// [`crate::Limits::max_text_bytes`].
    Limit,
    /// The stream or archive could not be read.
    Io,
}

impl ParseErrorKind {
    /// The word used in machine formats: `empty`, `not_junit`, `too_large`, `encoding`, `limit`, `io`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::NotJunit => "not_junit",
            Self::TooLarge => "too_large",
            Self::Encoding => "encoding",
            Self::Limit => "limit",
            Self::Io => "io",
        }
    }
}

/// Why no report could be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    kind: ParseErrorKind,
    message: String,
    offset: u64,
    line: u64,
}

impl ParseError {
    pub(crate) const fn new(kind: ParseErrorKind, message: String, offset: u64, line: u64) -> Self {
        Self {
            kind,
            message,
            offset,
            line,
        }
    }

    /// What went wrong.
    pub const fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Where, in bytes from the start of the input, 0-based.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// In which line, 1-based.
    pub const fn line(&self) -> u64 {
        self.line
    }
}
