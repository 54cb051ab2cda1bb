//! What was repaired, doubted or cut, with its place.
use crate::markup::Place;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $repair:literal;)*) => {
        /// What a [`Warning`] is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        pub enum WarningKind {
            $($(#[$doc])* $name,)*
        }

        impl WarningKind {
            /// Every kind, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The word used in machine formats.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// Whether the file is no well-formed XML because of it, so that the report counts
            /// as recovered.
            pub const fn is_repair(self) -> bool {
                match self { $(Self::$name => $repair,)* }
            }
        }
    };
}

kinds! {
    /// A character that XML forbids; it reads as U+FFFD.
    IllegalChar = "illegal_char", true;
    /// A numeric reference to a character that XML forbids; it reads as U+FFFD.
    IllegalCharRef = "illegal_char_ref", true;
    /// An entity other than the five of XML; it reads as U+FFFD and is never expanded.
    UnknownEntity = "unknown_entity", true;
    /// A raw `<` or `&`, or a `]]>`, where XML wants it escaped; it is read as text.
    UnescapedMarkup = "unescaped_markup", true;
    /// A tag that is not well-formed (quotes, blanks or `>` are missing).
    MalformedTag = "malformed_tag", true;
    /// One attribute given twice; the first counts.
    DuplicateAttribute = "duplicate_attribute", true;
    /// An element whose end tag is missing.
    UnclosedElement = "unclosed_element", true;
    /// An end tag without a start tag; it is passed over.
    UnexpectedEndTag = "unexpected_end_tag", true;
    /// More than one root element; all are read.
    MultipleRoots = "multiple_roots", true;
    /// Text before the root element.
    LeadingText = "leading_text", true;
    /// Text after the root element.
    TrailingText = "trailing_text", true;
    /// An XML declaration that does not stand at the very start.
    MisplacedDeclaration = "misplaced_declaration", true;
    /// Bytes that are not of the file's encoding; they read as U+FFFD.
    UndecodableBytes = "undecodable_bytes", true;
    /// The declared encoding is not the one of the bytes; the bytes count.
    EncodingMismatch = "encoding_mismatch", false;
    /// The declared encoding is unknown; UTF-8 is assumed.
    UnknownEncoding = "unknown_encoding", false;
    /// A document type definition; it is passed over.
    DtdIgnored = "dtd_ignored", false;
    /// The file ends inside the report, or a limit ended it.
    Truncated = "truncated", true;
    /// A case without its end tag and without a failure: it is not in the report.
    IncompleteCase = "incomplete_case", true;
    /// An outcome element that is no child of a case; below a case it counts for the case.
    MisplacedOutcome = "misplaced_outcome", false;
    /// A time that is no number of seconds.
    BadTime = "bad_time", false;
    /// A time below zero.
    NegativeTime = "negative_time", false;
    /// A time with commas; see the message for how it was read.
    TimeSeparator = "time_separator", false;
    /// A case with neither a class name nor a named suite around it.
    MissingSuiteName = "missing_suite_name", false;
    /// A case without a name.
    MissingCaseName = "missing_case_name", false;
    /// The totals a suite declares are not those of its cases.
    DeclaredCountsDiffer = "declared_counts_differ", false;
    /// A message or detail longer than the limit.
    Clipped = "clipped", false;
    /// More cases than the limit.
    CaseLimit = "case_limit", false;
    /// More suites than the limit.
    SuiteLimit = "suite_limit", false;
    /// Elements nested deeper than the limit.
    DepthLimit = "depth_limit", false;
    /// More attempts of one case than the limit.
    AttemptLimit = "attempt_limit", false;
    /// More properties than the limit.
    PropertyLimit = "property_limit", false;
}

impl std::fmt::Display for WarningKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something that was repaired, doubted or cut.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Warning {
    /// What kind of thing.
    pub kind: WarningKind,
    /// A sentence for a person, lower case, without a full stop.
    pub message: String,
    /// Bytes from the start of the input, 0-based. For inputs in a multi-byte encoding other than
    /// UTF-8 and UTF-16 it counts in the decoded text.
    pub offset: u64,
    /// Line, 1-based.
    pub line: u64,
}

/// Warnings as they are collected: places are offsets into the decoded text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    kept: Vec<Note>,
    omitted: u64,
    repaired: bool,
    limit: usize,
    seen: Vec<WarningKind>,
}

#[derive(Debug, Clone)]
pub(crate) struct Note {
    pub(crate) kind: WarningKind,
    pub(crate) message: String,
    pub(crate) at: usize,
    /// Where that is, as far as it is known already.
    pub(crate) place: Option<Place>,
}

impl Note {
    pub(crate) const fn new(kind: WarningKind, message: String, at: usize) -> Self {
        Self {
            kind,
            message,
            at,
            place: None,
        }
    }
}

impl Notes {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Records a warning. The text is made only when it is kept.
    pub(crate) fn add(&mut self, kind: WarningKind, at: usize, message: impl FnOnce() -> String) {
        self.add_at(kind, at, || None, message);
    }

    /// Records a warning whose place is known now or never.
    pub(crate) fn add_at(
        &mut self,
        kind: WarningKind,
        at: usize,
        place: impl FnOnce() -> Option<Place>,
        message: impl FnOnce() -> String,
    ) {
        self.repaired |= kind.is_repair();
        let first = !self.seen.contains(&kind);
        if first {
            self.seen.push(kind);
        }
        if first || self.kept.len() < self.limit {
            self.kept.push(Note {
                place: place(),
                ..Note::new(kind, message(), at)
            });
        } else {
            self.omitted = self.omitted.saturating_add(1);
        }
    }

    /// Records what the decoding met: of several warnings at one place it comes first.
    pub(crate) fn add_first(&mut self, note: Note) {
        let kept = self.kept.len();
        let Note { kind, at, .. } = note;
        self.add_at(kind, at, || note.place, || note.message);
        if self.kept.len() > kept {
            self.kept.rotate_right(1);
        }
    }

    /// Whether a warning of this kind was given.
    pub(crate) fn has(&self, kind: WarningKind) -> bool {
        self.seen.contains(&kind)
    }

    pub(crate) const fn is_repaired(&self) -> bool {
        self.repaired
    }

    pub(crate) const fn omitted(&self) -> u64 {
        self.omitted
    }

    /// The notes in the order of the text.
    pub(crate) fn into_sorted(mut self) -> Vec<Note> {
        self.kept.sort_by_key(|note| note.at);
        self.kept
    }
}

/// Bytes for a message.
pub(crate) fn shown_bytes(bytes: &[u8]) -> String {
    let head = bytes.get(..400).unwrap_or(bytes);
    shown(&String::from_utf8_lossy(head))
}

/// A name for a message: quoted, at most 80 characters.
pub(crate) fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(80).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{}`", short.escape_debug())
}
