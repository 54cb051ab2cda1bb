//! When a report is believed.
use patch_verdict_core::{CaseResult, Ended, Outcome, ReportState, RunResults, TestId, fold_cases};

use super::compare;
use crate::channel::Streamed;

/// Results out of words such as `a+ b- c?`: the test, and its outcome; `!` for a case without node.
fn results(text: &str) -> RunResults {
    fold_cases(text.split_whitespace().map(|word| {
        let (name, sign) = word.split_at(1);
        CaseResult {
            id: TestId::from_junit("s", name),
            node: (!sign.ends_with('!')).then(|| name.to_owned()),
            status: outcome(sign).0,
            witness: String::new(),
            failure_text: String::new(),
            duration_ms: None,
        }
    }))
}

fn outcome(sign: &str) -> (Outcome, &'static str) {
    match sign.chars().next() {
        Some('+') => (Outcome::Pass, "passed"),
        Some('-') => (Outcome::Fail, "failed"),
        _ => (Outcome::Skip, "skipped"),
    }
}

/// A stream out of the same words; `.` at the end for the end, `a>` for a start.
fn streamed(text: &str) -> Streamed {
    let mut lines = vec![r#"{"n":0,"open":1}"#.to_owned()];
    for word in text.split_whitespace() {
        let n = lines.len();
        let (name, sign) = word.split_at(1);
        lines.push(match (name, sign) {
            (".", _) => format!(r#"{{"n":{n},"end":0}}"#),
            (_, ">") => format!(r#"{{"n":{n},"start":"{name}"}}"#),
            _ => {
                let outcome = outcome(sign).1;
                format!(r#"{{"n":{n},"test":"{name}","when":"teardown","outcome":"{outcome}"}}"#)
            }
        });
    }
    let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    Streamed {
        bytes: text.into(),
        dropped_bytes: 0,
    }
}

#[track_caller]
fn check(stream: &str, report: &str, wanted: &str) {
    let mut results = results(report);
    let compared = compare(
        Some(&streamed(stream)),
        (&ReportState::Complete, Some(&Ended::Passed)),
        &mut results,
    );
    let left: Vec<&str> = results.keys().map(TestId::as_str).collect();
    let found = match compared.forged {
        None => format!(
            "{} {}",
            if compared.agrees { "agrees" } else { "?" },
            left.join(" ")
        ),
        Some(forged) if forged.fault.is_empty() => {
            let tests: Vec<&str> = forged.tests.iter().map(TestId::as_str).collect();
            format!("forged {}; left {}", tests.join(" "), left.join(" "))
        }
        Some(forged) => forged.fault,
    };
    assert_eq!(found, wanted);
}

#[test]
fn a_report_that_says_the_same_agrees() {
    check("a+ b- c? .", "a+ b- c?", "agrees s::a s::b s::c");
    // A failed tear-down after a passed call is a case of its own.
    check("a+ a- .", "a+ a-", "agrees s::a");
}

#[test]
fn a_test_that_differs_is_out() {
    check("a- b+ .", "a+ b+", "forged s::a; left s::b");
    check("a+ .", "a-", "forged s::a; left ");
    check("a? .", "a+", "forged s::a; left ");
    check("a+ .", "a+!", "the result of `a` is not in it");
    check("b+ .", "a+ b+", "forged s::a; left s::b");
    check("b+ .", "a+! b+", "forged s::a; left s::b");
}

#[test]
fn a_module_that_is_skipped_as_a_whole_is_no_forgery() {
    check("a+ .", "a+ m?!", "agrees s::a s::m");
    check("a+ .", "a?!", "the result of `a` is not in it");
}

#[test]
fn a_result_that_the_report_keeps_back_is_missed() {
    check("a- b+ .", "b+", "the result of `a` is not in it");
    check(
        "a- b- c+ .",
        "c+",
        "the result of `a` and of 1 more is not in it",
    );
}

#[test]
fn a_report_cannot_be_complete_before_the_tests_are() {
    check(
        "a+ b>",
        "a+ b+",
        "it was complete before the tests had ended",
    );
}

#[test]
fn nothing_at_all_came() {
    let silent = Streamed::default();
    let of = |report: ReportState, text: &str| {
        compare(
            Some(&silent),
            (&report, Some(&Ended::Passed)),
            &mut results(text),
        )
        .forged
        .map(|one| one.fault)
    };
    let nothing = "nothing came over the result channel";
    assert_eq!(of(ReportState::Complete, "a+").as_deref(), Some(nothing));
    assert_eq!(of(ReportState::Complete, "").as_deref(), Some(nothing));
    assert_eq!(of(ReportState::Missing, ""), None);
    let none = compare(
        None,
        (&ReportState::Complete, Some(&Ended::Passed)),
        &mut results("a+"),
    );
    assert_eq!((none.forged, none.agrees), (None, false));
}

#[test]
fn too_much_came() {
    let mut much = streamed("a+ .");
    much.dropped_bytes = 1;
    let forged = compare(
        Some(&much),
        (&ReportState::Complete, Some(&Ended::Passed)),
        &mut results("a+"),
    )
    .forged;
    assert!(forged.is_some());
}

#[test]
fn the_test_that_was_running_is_told_without_a_report() {
    for report in [ReportState::Missing, ReportState::Broken(String::new())] {
        let of = |stream: &str| {
            compare(
                Some(&streamed(stream)),
                (&report, Some(&Ended::Passed)),
                &mut results(""),
            )
        };
        assert_eq!(of("a> a+ b>").running.as_deref(), Some("b"));
        assert_eq!(of("a> a+").running, None);
        assert_eq!(of("a> a+ b>").forged, None);
    }
}

#[test]
fn an_interrupted_test_is_no_forgery_where_the_exit_rejects() {
    for ended in [Ended::TimedOut, Ended::Other("exit code 2".to_owned())] {
        let half = streamed("a> a+ b> .");
        let compared = compare(
            Some(&half),
            (&ReportState::Complete, Some(&ended)),
            &mut results("a+ b+!"),
        );
        assert_eq!((compared.forged, compared.agrees), (None, false));
        assert_eq!(compared.running.as_deref(), Some("b"));
    }
    // The session announced an interruption, and the process claims that all went well.
    check("a> a+ b> .", "a+ b+!", "forged s::b; left s::a");
}
