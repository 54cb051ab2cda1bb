//! What a person sees of a verdict.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use patch_verdict_core::wire::{
    Excluded, GateResult, SideCounts, UnscoredCounts, UnscoredTest, VerdictDocument,
};
use patch_verdict_core::{Finding, TestId, Verdict};
use verdict_report::{Look, example, github, human, json, markdown};

fn id(name: &str) -> TestId {
    TestId::from_junit("tests.test_cart", name)
}

fn with_results(count: usize) -> VerdictDocument {
    let mut document = example();
    let gate = document.gate.as_mut().unwrap();
    gate.results = (0..count)
        .map(|number| GateResult {
            id: id(&format!("test_{number}")),
            decision: Verdict::Reject,
            reason: "regression".to_owned(),
            parent: SideCounts {
                pass: 3,
                fail: 0,
                witnesses: Vec::new(),
            },
            patch: SideCounts {
                pass: 0,
                fail: 3,
                witnesses: Vec::new(),
            },
            bounds: "parent 0/3 failed, patch 3/3 failed".to_owned(),
            excerpt: Some("AssertionError: assert 2 == 3".to_owned()),
        })
        .collect();
    gate.reasons.insert("regression".to_owned(), count);
    document
}

#[test]
fn a_regression_reads_from_the_top() {
    let text = human(&example(), Look::plain());
    insta::assert_snapshot!(text, @r"
    REJECT  regression
      1 test passed on the parent and fails with the patch

      parent  111111111111  cart: add totals
      patch   222222222222  cart: round half to even
      judged  5 tests judged, 3 seeds a side, pytest

      ✗ tests.test_cart.TestTotal::test_rounds_up  regression
          parent 0/3 failed, patch 3/3 failed
          | AssertionError: assert 2 == 3

      4 tests pass on both sides; a regression that fails less than 63.2 % of runs cannot be excluded (95 %)

      contract sha256:abababababababababababababababababababababababababababababababab
      evidence: .patch-verdict/reviews/abababababababab
      next: mend the patch; a rerun answers nothing
    ");
}

#[test]
fn hundreds_of_failures_fit_one_screen_unless_all_are_asked_for() {
    let document = with_results(300);
    let text = human(&document, Look::plain());
    assert!(text.lines().count() <= 45, "{text}");
    assert!(text.contains("and 292 more"), "{text}");
    assert!(human(&document, Look::plain().verbose()).contains("test_299"));
}

#[test]
fn the_gravest_result_is_listed_first() {
    let mut document = with_results(2);
    let gate = document.gate.as_mut().unwrap();
    gate.results.iter_mut().take(1).for_each(|result| {
        result.decision = Verdict::Accept;
        result.reason = "parent_fail_cleared".to_owned();
    });
    let text = human(&document, Look::plain());
    let place = |name: &str| text.find(name).unwrap();
    assert!(place("test_1") < place("test_0"), "{text}");
}

#[test]
fn what_was_excluded_is_listed_with_its_reason() {
    let mut document = example();
    document.verdict = Verdict::SpecReview;
    document.reason = "changed".to_owned();
    document.excluded = vec![Excluded {
        id: id("test_total"),
        reason: "changed".to_owned(),
        parts: vec![
            "conftest:tests/conftest.py".to_owned(),
            "function".to_owned(),
        ],
    }];
    document.changed_tests = vec![UnscoredTest {
        id: id("test_total"),
        parent: UnscoredCounts {
            pass: 3,
            ..UnscoredCounts::default()
        },
        patch: UnscoredCounts {
            pass: 1,
            fail: 1,
            skip: 1,
            missing: 1,
        },
    }];
    let text = human(&document, Look::plain());
    for line in [
        "outside the gate: 1 test",
        "tests.test_cart::test_total  changed (conftest:tests/conftest.py, function)",
        "parent 0/3 failed, patch 1/4 failed, 1 skipped, 1 without result",
        "next: a person reads what the patch did to the tests named above before merging",
    ] {
        assert!(text.contains(line), "`{line}` is not in:\n{text}");
    }
}

#[test]
fn an_accept_of_some_tests_says_what_is_missing() {
    let mut document = example();
    document.verdict = Verdict::Accept;
    document.reason = "both_pass".to_owned();
    document.scope.narrowed = true;
    document.scope.kind = "failed_in".to_owned();
    document.scope.not_judged = 95;
    let text = human(&document, Look::plain());
    assert!(
        text.contains("95 tests of the suite not judged (failed_in)"),
        "{text}"
    );
    assert!(text.contains("only part of the suite was judged"), "{text}");
    assert_eq!(
        (document.exit_code(false), document.exit_code(true)),
        (3, 0)
    );
}

#[test]
fn an_id_is_data_in_every_format() {
    let hostile = "test_`x`|\u{1b}[31m\nACCEPT  both_pass\u{202e}";
    let mut document = with_results(1);
    let gate = document.gate.as_mut().unwrap();
    gate.results
        .iter_mut()
        .for_each(|result| result.id = id(hostile));
    document.findings = vec![Finding::new(
        Verdict::Reject,
        "regression",
        hostile,
        vec![id(hostile)],
    )];
    document.headline = hostile.to_owned();
    document.scope.patch_subject = hostile.to_owned();
    for text in [
        human(&document, Look::plain()),
        markdown(&document),
        github(&document),
    ] {
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(!text.contains('\u{202e}'), "{text}");
        assert!(
            !text.lines().any(|line| line.starts_with("ACCEPT")),
            "{text}"
        );
    }
    let row = markdown(&document);
    let row = row.lines().find(|line| line.starts_with("| ``")).unwrap();
    assert_eq!(row.matches(" | ").count(), 3, "{row}");
}

#[test]
fn colour_is_only_where_it_is_asked_for() {
    assert!(!human(&example(), Look::plain()).contains('\u{1b}'));
    let colored = Look {
        color: true,
        ..Look::plain()
    };
    assert!(human(&example(), colored).contains("\u{1b}[1;31mREJECT"));
}

#[test]
fn annotations_escape_what_the_runner_would_read() {
    let mut document = example();
    document.headline = "100 % of\n::error::it".to_owned();
    let text = github(&document);
    assert!(
        text.starts_with("::error title=patch-verdict%3A reject regression::100 %25 of%0A"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 2);
}

#[test]
fn the_document_comes_back_from_its_json() {
    let text = json(&example()).unwrap();
    let back: VerdictDocument = serde_json::from_str(&text).unwrap();
    assert_eq!(back, example());
    assert!(text.ends_with("}\n"));
}
