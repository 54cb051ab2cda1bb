//! A verdict on one screen.
use patch_verdict_core::wire::{GateResult, VerdictDocument};
use patch_verdict_core::{TestId, Verdict};

use crate::Look;
use crate::next_step::{next_command, next_step};
use crate::phrases::{
    clipped, count, gravest_first, in_excluded, in_results, judged, needs_review, passing_bound,
    short, title, unscored, visible, why_not_judged, wrapped,
};

/// Columns of a line of prose; ids, paths and hashes are never broken.
const WIDTH: usize = 100;

/// The verdict for a person: headline, the tests that matter, counts, bounds, what was excluded
/// and why, where the files are, what to do next.
pub fn human(document: &VerdictDocument, look: Look) -> String {
    let mut page = Page {
        look,
        text: String::new(),
    };
    page.head(document);
    page.gate(document);
    page.others(document);
    page.foot(document);
    page.text
}

fn plain(_: Look, text: &str) -> String {
    text.to_owned()
}

struct Page {
    look: Look,
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// A sentence, broken between words; further lines are indented by two more.
    fn prose(&mut self, indent: usize, text: &str, paint: &dyn Fn(Look, &str) -> String) {
        for (index, line) in wrapped(text, WIDTH - indent - 2).iter().enumerate() {
            let blanks = " ".repeat(if index == 0 { indent } else { indent + 2 });
            let line = paint(self.look, line);
            self.line(&format!("{blanks}{line}"));
        }
    }

    fn head(&mut self, document: &VerdictDocument) {
        let color = match document.verdict {
            Verdict::Accept => "1;32",
            Verdict::Reject => "1;31",
            Verdict::ProposeFreeze | Verdict::SpecReview | Verdict::NotApplicable => "1;33",
        };
        let word = self.look.paint(color, &title(document));
        self.line(&format!("{word}  {}", visible(&document.reason)));
        self.prose(2, &visible(&document.headline), &Look::bold);
        self.line("");
        let scope = &document.scope;
        let sides = [
            ("parent", &document.parent_sha, &scope.parent_subject),
            ("patch", &document.patch_sha, &scope.patch_subject),
        ];
        for (side, sha, subject) in sides {
            let subject = clipped(&visible(subject), WIDTH - 24);
            self.line(&format!("  {side:<7} {}  {subject}", short(sha)));
        }
        self.line(&format!("  {:<7} {}", "judged", judged(document)));
    }

    fn gate(&mut self, document: &VerdictDocument) {
        let Some(gate) = &document.gate else { return };
        let results = gravest_first(gate);
        if !results.is_empty() {
            self.line("");
        }
        for result in results.iter().take(self.look.most_listed) {
            self.result(result, self.look.excerpt_lines(results.len()));
        }
        self.more(results.len());
        if let Some(bound) = passing_bound(document) {
            self.line("");
            self.prose(2, &bound, &plain);
        }
    }

    fn result(&mut self, result: &GateResult, excerpt_lines: usize) {
        let (mark, color) = match result.decision {
            Verdict::Accept => ("✓", "32"),
            Verdict::Reject => ("✗", "31"),
            Verdict::ProposeFreeze | Verdict::SpecReview | Verdict::NotApplicable => ("~", "33"),
        };
        let mark = self.look.paint(color, mark);
        let id = self.look.bold(&visible(result.id.as_str()));
        self.line(&format!("  {mark} {id}  {}", visible(&result.reason)));
        // One line whatever its length: with hundreds of failures the page still fits a screen.
        let bounds = self.look.dim(&visible(&result.bounds));
        self.line(&format!("      {bounds}"));
        if needs_review(result) {
            let review =
                "needs a look: that it passes now does not prove that it still asks the same";
            self.line(&format!("      {review}"));
        }
        if let Some(excerpt) = &result.excerpt {
            for line in excerpt.lines().take(excerpt_lines) {
                let line = clipped(&visible(line), WIDTH - 8);
                self.line(&format!("      | {line}"));
            }
        }
    }

    fn others(&mut self, document: &VerdictDocument) {
        let mut blank = false;
        let mut start = |page: &mut Self| {
            if !blank {
                page.line("");
                blank = true;
            }
        };
        for finding in &document.findings {
            if in_results(document, finding) {
                continue;
            }
            let listed = in_excluded(document, finding);
            let said = document.headline.starts_with(&finding.detail);
            if said && (listed || finding.tests.is_empty()) {
                continue;
            }
            start(self);
            let (code, verdict) = (visible(&finding.code), finding.verdict);
            let detail = visible(&finding.detail);
            self.prose(2, &format!("{code} ({verdict}): {detail}"), &plain);
            if !listed {
                self.names(&finding.tests, &|_| String::new());
            }
        }
        if !document.excluded.is_empty() {
            start(self);
            let ids: Vec<TestId> = document
                .excluded
                .iter()
                .map(|test| test.id.clone())
                .collect();
            self.line(&format!("  not judged: {}", count(ids.len(), "test")));
            let why = |index: usize| {
                let test = document.excluded.get(index);
                test.map_or_else(String::new, |test| format!("  {}", why_not_judged(test)))
            };
            self.names(&ids, &why);
        }
        for (title, list) in [
            (
                "changed tests, run on both sides beside the gate",
                &document.changed_tests,
            ),
            ("new tests", &document.new_tests),
        ] {
            if !list.is_empty() {
                start(self);
                let ids: Vec<TestId> = list.iter().map(|test| test.id.clone()).collect();
                self.line(&format!("  {title}: {}", ids.len()));
                let counts = |index: usize| {
                    list.get(index)
                        .map_or_else(String::new, |test| format!("  {}", unscored(test)))
                };
                self.names(&ids, &counts);
            }
        }
        if !document.not_run.is_empty() {
            start(self);
            self.line(&format!(
                "  not run: {} (skipped on the parent)",
                count(document.not_run.len(), "test")
            ));
        }
    }

    fn names(&mut self, ids: &[TestId], suffix: &dyn Fn(usize) -> String) {
        for (index, id) in ids.iter().enumerate().take(self.look.most_listed) {
            let id = visible(id.as_str());
            self.line(&format!("    {id}{}", suffix(index)));
        }
        self.more(ids.len());
    }

    fn more(&mut self, total: usize) {
        if let Some(more) = total
            .checked_sub(self.look.most_listed)
            .filter(|more| *more > 0)
        {
            self.line(&format!("    and {more} more (`-v` lists all)"));
        }
    }

    fn foot(&mut self, document: &VerdictDocument) {
        self.line("");
        for earlier in &document.earlier {
            let hash = short(earlier.contract_hash.trim_start_matches("sha256:"));
            let standing = if earlier.replaced {
                "replaced by more seeds"
            } else {
                "stands"
            };
            self.line(&format!(
                "  earlier contract {hash}: {} {} ({standing})",
                earlier.verdict,
                visible(&earlier.reason)
            ));
        }
        for gap in &document.isolation.gaps {
            self.prose(2, &format!("not isolated: {}", visible(gap)), &plain);
        }
        for note in &document.notes {
            self.prose(2, &format!("note: {}", visible(note)), &plain);
        }
        if !document.isolation.runs.is_empty() {
            let seeded = if document.isolation.seeded.is_empty() {
                "nothing seeded".to_owned()
            } else {
                format!("seeded: {}", document.isolation.seeded.join(", "))
            };
            let runs = document.isolation.runs.join("; ");
            let line = visible(&format!("runs: {runs}; {seeded}"));
            self.prose(2, &line, &Look::dim);
        }
        if let Some(hash) = &document.contract_hash {
            let line = self.look.dim(&format!("  contract {}", visible(hash)));
            self.line(&line);
        }
        if let Some(folder) = &document.review_dir {
            self.line(&format!("  evidence: {}", visible(folder)));
        }
        self.prose(2, &format!("next: {}", next_step(document)), &plain);
        if let Some(command) = next_command(document) {
            // Never broken: it is copied.
            self.line(&format!("    {}", visible(&command)));
        }
    }
}
