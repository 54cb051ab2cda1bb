//! What a report may cost: sizes, counts and text lengths.

/// Limits of one parse. What a limit cut is told by a [`crate::Warning`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the input; more is a [`crate::ParseErrorKind::TooLarge`].
    pub max_bytes: usize,
    /// Cases; the rest of the report is left out and the report is truncated.
    pub max_cases: usize,
    /// `testsuite` and `testsuites` elements; the rest is left out and the report is truncated.
    pub max_suites: usize,
    /// Nested elements; below that the report is truncated.
    pub max_depth: usize,
    /// Unicode scalar values of a message.
    pub max_message_chars: usize,
    /// Unicode scalar values of a detail (the stack trace), and of a kept output.
    pub max_detail_chars: usize,
    /// Attempts kept for a case; the main one is always kept.
    pub max_attempts: usize,
    /// Properties kept for a case or a suite.
    pub max_properties: usize,
    /// Bytes that a streaming reader holds of one tag or one body as they stand in the file; at least
    /// 262,144. A larger tag is a [`crate::ParseErrorKind::Limit`]; of a larger body the rest is
    /// passed over, and a text of it is cut. Readers that have the whole report in memory know no
    /// such limit.
    pub max_text_bytes: usize,
    /// Warnings kept; the first of each kind is always kept, the others are counted.
    pub max_warnings: usize,
    /// Whether the references in an output that is not kept are looked at. What is told of them makes
    /// a report [`crate::Completeness::Recovered`]; it hides no case. Readers that check only what
    /// they hand out pass over such an output in any case.
    pub check_output: bool,
    /// Whether `system-out` and `system-err` of cases are kept.
    pub keep_output: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 50_000_000,
            max_cases: 50_000,
            max_suites: 50_000,
            max_depth: 64,
            max_message_chars: 1_000,
            max_detail_chars: 16_000,
            max_attempts: 1_000,
            max_properties: 1_000,
            max_text_bytes: 2_000_000,
            max_warnings: 100,
            check_output: true,
            keep_output: false,
        }
    }
}

impl Limits {
    /// The default limits without the clipping of messages and details: what witnesses are made
    /// from, since the telling line may stand at the end.
    pub fn unlimited_text() -> Self {
        Self {
            max_message_chars: usize::MAX,
            max_detail_chars: usize::MAX,
            ..Self::default()
        }
    }
}
