//! What a person sees of a verdict.
#![expect(
    clippy::assigning_clones,
    reason = "documents of tests are built by assignment"
)]

mod documents;
mod shape;
mod snapshots;

use patch_verdict_core::wire::{Excluded, UnscoredCounts, UnscoredTest, VerdictDocument};
use patch_verdict_core::{Finding, Verdict};
use verdict_report::{Look, example, github, human, json, markdown};

use crate::documents::id;

fn with_results(count: usize) -> VerdictDocument {
    documents::regressions(count)
}

#[test]
fn a_regression_reads_from_the_top() {
    let text = human(&example(), Look::plain());
    insta::assert_snapshot!(text, @r"
    REJECT  regression
      1 test passed on the parent and fails with the patch

      parent  111111111111  cart: add totals
      patch   222222222222  cart: round half to even
      judged  5 tests under the same 3 seeds on both sides, by pytest

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
    assert!(text.lines().count() <= 40, "{text}");
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
fn one_regression_among_many_stable_failures_is_not_cut_off() {
    let mut document = with_results(300);
    let gate = document.gate.as_mut().unwrap();
    gate.results.iter_mut().take(299).for_each(|result| {
        result.reason = "uniform_fail".to_owned();
    });
    assert!(human(&document, Look::plain()).contains("test_299  regression"));
    assert!(markdown(&document).contains("test_299` | regression"));
}

#[test]
fn a_finding_is_told_unless_the_results_tell_it() {
    // What an earlier contract said has the code of a result, and is none of the results.
    let mut document = with_results(1);
    let detail = "an earlier contract of the same trees said reject regression, and it stands";
    let earlier = Finding::new(Verdict::Reject, "regression", detail, Vec::new());
    document.findings.push(earlier);
    let text = human(&document, Look::plain());
    assert!(
        text.contains("regression (reject): an earlier contract"),
        "{text}"
    );
    assert!(markdown(&document).contains("an earlier contract"));
}

#[test]
fn back_ticks_cannot_leave_their_code_in_markdown() {
    for (name, wanted) in [
        ("a", "`tests.test_cart::a`"),
        ("a`b", "``tests.test_cart::a`b``"),
        ("a``b`", "``` tests.test_cart::a``b` ```"),
        ("a|b", "`tests.test_cart::a\\|b`"),
    ] {
        let mut document = with_results(1);
        let gate = document.gate.as_mut().unwrap();
        gate.results
            .iter_mut()
            .for_each(|result| result.id = id(name));
        let text = markdown(&document);
        assert!(text.contains(&format!("| {wanted} | regression")), "{text}");
    }
}

#[test]
fn a_sentence_starts_no_markup_and_calls_nobody() {
    let mut document = example();
    document.headline = "cannot be collected: @org/[x](http://y) <img> #12 *b* _i_".to_owned();
    let text = markdown(&document);
    for forbidden in ["@org", "[x](", "<img", " #12", " *b*", " _i_"] {
        assert!(!text.contains(forbidden), "`{forbidden}` in\n{text}");
    }
}

#[test]
fn long_sentences_are_wrapped_and_long_ids_are_not_broken() {
    let mut document = with_results(1);
    let long = format!("test_{}", "x".repeat(300));
    let gate = document.gate.as_mut().unwrap();
    gate.results.iter_mut().for_each(|result| {
        result.id = id(&long);
        result.excerpt = Some("e".repeat(4000));
    });
    document.notes = vec!["a note of many words ".repeat(20)];
    let text = human(&document, Look::plain());
    assert!(text.contains(&long), "an id is there to be copied");
    let wide: Vec<&str> = text
        .lines()
        .filter(|line| line.chars().count() > 110 && !line.contains(&long))
        .collect();
    assert_eq!(wide, Vec::<&str>::new());
}

#[test]
fn unicode_is_kept_and_what_cannot_be_seen_is_spelled_out() {
    for (name, wanted) in [
        ("test_größe[日本]", "test_größe[日本]"),
        (
            "test[\u{1b}]8;;http://x\u{7}]",
            "test[\\u{1b}]8;;http://x\\u{7}]",
        ),
        ("test[\u{9b}31m]", "test[\\u{9b}31m]"),
        ("test[a\r\nb\tc\0]", "test[a\\r\\nb\\tc\\u{0}]"),
        (
            "test[\u{200b}\u{feff}\u{2066}]",
            "test[\\u{200b}\\u{feff}\\u{2066}]",
        ),
    ] {
        let mut document = with_results(1);
        let gate = document.gate.as_mut().unwrap();
        gate.results
            .iter_mut()
            .for_each(|result| result.id = id(name));
        let text = human(&document, Look::plain());
        assert!(text.contains(wanted), "`{wanted}` is not in:\n{text}");
    }
}

#[test]
fn every_text_of_a_document_is_data() {
    let hostile = "\u{1b}[2J\u{7}";
    let mut document = documents::propose_freeze();
    document.reason = hostile.to_owned();
    document.scope.framework = hostile.to_owned();
    document.scope.parent_subject = hostile.to_owned();
    document.isolation.gaps = vec![hostile.to_owned()];
    document.isolation.runs = vec![hostile.to_owned()];
    document.isolation.seeded = vec![hostile.to_owned()];
    document.notes = vec![hostile.to_owned()];
    document.review_dir = Some(hostile.to_owned());
    document.contract_hash = Some(hostile.to_owned());
    document.excluded = vec![Excluded {
        id: id(hostile),
        reason: hostile.to_owned(),
        parts: vec![hostile.to_owned()],
    }];
    document.parent_sha = hostile.to_owned();
    document.earlier.iter_mut().for_each(|earlier| {
        earlier.reason = hostile.to_owned();
        earlier.contract_hash = hostile.to_owned();
    });
    let gate = document.gate.as_mut().unwrap();
    gate.results.iter_mut().for_each(|result| {
        result.reason = hostile.to_owned();
        result.bounds = hostile.to_owned();
        result.excerpt = Some(hostile.to_owned());
    });
    document.findings.iter_mut().for_each(|finding| {
        finding.code = hostile.to_owned();
        finding.detail = hostile.to_owned();
    });
    for text in [
        human(&document, Look::plain()),
        markdown(&document),
        github(&document),
    ] {
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{text}");
    }
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
        "not judged: 1 test",
        "tests.test_cart::test_total  changed by the patch: conftest:tests/conftest.py, function",
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

#[test]
fn the_next_command_can_be_copied() {
    for (folder, wanted) in [
        ("a/b", "patch-verdict gate ticket approve a/b/ticket.toml"),
        (
            "a b/",
            "patch-verdict gate ticket approve 'a b/ticket.toml'",
        ),
        (
            "it's",
            r"patch-verdict gate ticket approve 'it'\''s/ticket.toml'",
        ),
    ] {
        let mut document = documents::propose_freeze();
        document.review_dir = Some(folder.to_owned());
        let text = human(&document, Look::plain());
        assert!(text.ends_with(&format!("    {wanted}\n")), "{text}");
        assert!(markdown(&document).contains(wanted));
    }
    assert!(!human(&documents::accept(), Look::plain()).contains("approve"));
}
