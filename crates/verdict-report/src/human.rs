//! A verdict on one screen.
use patch_verdict_core::wire::{GateResult, VerdictDocument};
use patch_verdict_core::{TestId, Verdict};

use crate::Look;
use crate::next_step::next_step;
use crate::phrases::{count, judged, passing_bound, short, shout, unscored, visible};

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

struct Page {
    look: Look,
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn head(&mut self, document: &VerdictDocument) {
        let color = match document.verdict {
            Verdict::Accept => "1;32",
            Verdict::Reject => "1;31",
            Verdict::ProposeFreeze | Verdict::SpecReview | Verdict::NotApplicable => "1;33",
        };
        let word = self.look.paint(color, shout(document.verdict));
        self.line(&format!("{word}  {}", document.reason));
        let headline = self.look.bold(&visible(&document.headline));
        self.line(&format!("  {headline}"));
        self.line("");
        let scope = &document.scope;
        let sides = [
            ("parent", &document.parent_sha, &scope.parent_subject),
            ("patch", &document.patch_sha, &scope.patch_subject),
        ];
        for (side, sha, subject) in sides {
            let subject = visible(subject);
            self.line(&format!("  {side:<7} {}  {subject}", short(sha)));
        }
        self.line(&format!("  {:<7} {}", "judged", judged(document)));
    }

    fn gate(&mut self, document: &VerdictDocument) {
        let Some(gate) = &document.gate else { return };
        let mut results: Vec<&GateResult> = gate.results.iter().collect();
        results.sort_by_key(|result| std::cmp::Reverse(result.decision));
        if !results.is_empty() {
            self.line("");
        }
        for result in results.iter().take(self.look.most_listed) {
            self.result(result);
        }
        self.more(results.len());
        if let Some(bound) = passing_bound(document) {
            self.line("");
            self.line(&format!("  {bound}"));
        }
    }

    fn result(&mut self, result: &GateResult) {
        let (mark, color) = match result.decision {
            Verdict::Accept => ("✓", "32"),
            Verdict::Reject => ("✗", "31"),
            Verdict::ProposeFreeze | Verdict::SpecReview | Verdict::NotApplicable => ("~", "33"),
        };
        let mark = self.look.paint(color, mark);
        let id = self.look.bold(&visible(result.id.as_str()));
        self.line(&format!("  {mark} {id}  {}", result.reason));
        let bounds = self.look.dim(&result.bounds);
        self.line(&format!("      {bounds}"));
        if let Some(excerpt) = &result.excerpt {
            for line in excerpt.lines().take(3) {
                self.line(&format!("      | {}", visible(line)));
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
            let told = document
                .gate
                .as_ref()
                .is_some_and(|gate| gate.reasons.contains_key(&finding.code));
            if told {
                continue;
            }
            let listed = matches!(finding.code.as_str(), "changed" | "removed");
            let said = document.headline.starts_with(&finding.detail);
            if said && (listed || finding.tests.is_empty()) {
                continue;
            }
            start(self);
            let (code, verdict) = (&finding.code, finding.verdict);
            self.line(&format!(
                "  {code} ({verdict}): {}",
                visible(&finding.detail)
            ));
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
            self.line(&format!("  outside the gate: {}", count(ids.len(), "test")));
            let why = |index: usize| {
                document
                    .excluded
                    .get(index)
                    .map_or_else(String::new, |test| {
                        let parts = visible(&test.parts.join(", "));
                        let parts = if parts.is_empty() {
                            parts
                        } else {
                            format!(" ({parts})")
                        };
                        format!("  {}{parts}", test.reason)
                    })
            };
            self.names(&ids, &why);
        }
        for (title, list) in [
            (
                "changed tests, run on both sides without a score",
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
                earlier.verdict, earlier.reason
            ));
        }
        for gap in &document.isolation.gaps {
            self.line(&format!("  not isolated: {gap}"));
        }
        for note in &document.notes {
            self.line(&format!("  note: {}", visible(note)));
        }
        if !document.isolation.runs.is_empty() {
            let seeded = if document.isolation.seeded.is_empty() {
                "nothing seeded".to_owned()
            } else {
                format!("seeded: {}", document.isolation.seeded.join(", "))
            };
            let runs = document.isolation.runs.join("; ");
            let line = self.look.dim(&format!("  runs: {runs}; {seeded}"));
            self.line(&line);
        }
        if let Some(hash) = &document.contract_hash {
            let line = self.look.dim(&format!("  contract {hash}"));
            self.line(&line);
        }
        if let Some(folder) = &document.review_dir {
            self.line(&format!("  evidence: {folder}"));
        }
        self.line(&format!("  next: {}", next_step(document)));
    }
}
