//! A verdict as GitHub workflow annotations.
use patch_verdict_core::Verdict;
use patch_verdict_core::wire::VerdictDocument;

/// One annotation for the verdict and one a finding; ids and texts are escaped.
pub fn github(document: &VerdictDocument) -> String {
    let command = |verdict: Verdict| match verdict {
        Verdict::Reject => "error",
        Verdict::NotApplicable | Verdict::SpecReview | Verdict::ProposeFreeze => "warning",
        Verdict::Accept => "notice",
    };
    let headline = format!(
        "::{} title={}::{}\n",
        command(document.verdict),
        property(&format!(
            "patch-verdict: {} {}",
            document.verdict, document.reason
        )),
        data(&document.headline)
    );
    let findings = document.findings.iter().map(|finding| {
        let tests = finding
            .tests
            .iter()
            .take(10)
            .map(|test| format!("\n{test}"));
        let message: String = std::iter::once(finding.detail.clone())
            .chain(tests)
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

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
