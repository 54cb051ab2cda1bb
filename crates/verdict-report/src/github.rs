//! A verdict as GitHub workflow annotations.
use patch_verdict_core::Verdict;
use patch_verdict_core::wire::VerdictDocument;

use crate::phrases::visible;

/// Tests named in one annotation.
const MOST_TESTS: usize = 10;

/// One annotation for the verdict and one a finding; ids and texts are escaped.
pub fn github(document: &VerdictDocument) -> String {
    let command = |verdict: Verdict| match verdict {
        Verdict::Reject => "error",
        Verdict::NotApplicable | Verdict::SpecReview | Verdict::ProposeFreeze => "warning",
        Verdict::Accept if document.scope.narrowed => "warning",
        Verdict::Accept => "notice",
    };
    let scope = &document.scope;
    let headline = match document.verdict {
        Verdict::Accept if scope.narrowed => format!(
            "{}; only part of the suite was judged ({} not)",
            document.headline, scope.not_judged
        ),
        _ => document.headline.clone(),
    };
    let headline = format!(
        "::{} title={}::{}\n",
        command(document.verdict),
        property(&format!(
            "patch-verdict: {} {}",
            document.verdict, document.reason
        )),
        data(&headline)
    );
    let findings = document.findings.iter().map(|finding| {
        let tests = finding
            .tests
            .iter()
            .take(MOST_TESTS)
            .map(|test| format!("\n{}", visible(test.as_str())));
        let more = match finding.tests.len().saturating_sub(MOST_TESTS) {
            0 => String::new(),
            more => format!("\nand {more} more"),
        };
        let message: String = std::iter::once(finding.detail.clone())
            .chain(tests)
            .chain(std::iter::once(more))
            .collect();
        let title = property(&format!("patch-verdict: {}", finding.code));
        format!(
            "::{} title={title}::{}\n",
            command(finding.verdict),
            data(&message)
        )
    });
    std::iter::once(headline).chain(findings).collect()
}

/// A message: its line feeds stay, other control characters are spelled out.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(visible).collect();
    lines.join("\n").replace('%', "%25").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
