//! Times and totals.
use super::time::{Seconds, read};
use super::*;

fn seconds(text: &str) -> Option<(f64, bool)> {
    match read(text) {
        Seconds::Plain(time) => Some((time.as_secs_f64(), false)),
        Seconds::Separated(time) => Some((time.as_secs_f64(), true)),
        Seconds::Negative | Seconds::Bad => None,
    }
}

#[test]
fn times_as_producers_write_them() {
    let check = |text: &str, expected: f64, is_separated: bool| {
        assert_eq!(seconds(text), Some((expected, is_separated)), "{text}");
    };
    check("0", 0.0, false);
    check("0.5", 0.5, false);
    check(".5", 0.5, false);
    check("5.", 5.0, false);
    check(" 1.5\n", 1.5, false);
    check("+1.5", 1.5, false);
    check("1e-3", 0.001, false);
    check("4.0E-5", 0.000_04, false);
    check("0.1234567891234", 0.123_456_789, false);
    check("1,234.5", 1234.5, true);
    check("12,345,678.25", 12_345_678.25, true);
    check("1.234,5", 1234.5, true);
    check("0,160", 0.16, true);
    check("12,5", 12.5, true);
    check("2,048", 2048.0, true);
    check("1,234,567", 1_234_567.0, true);
}

#[test]
fn no_number_is_no_time() {
    for text in [
        "",
        " ",
        "NaN",
        "Infinity",
        "inf",
        "80.803us",
        "0.-992",
        "1e999",
        ".",
        ",",
        "e5",
        "1,2,3",
        "<time>0.123</time>",
        "0.5s",
        "--1",
        "-abc",
        "1.2.3",
        "99999999999999999999999",
    ] {
        assert_eq!(read(text), Seconds::Bad, "{text}");
    }
    for text in ["-1", "-0.001", "-9.223372036854776e+09", "-1,5"] {
        assert_eq!(read(text), Seconds::Negative, "{text}");
    }
}

#[test]
fn declared_totals_are_compared_with_tolerance_for_habits_only() {
    let counted = Counts {
        cases: 6,
        passed: 2,
        failed: 1,
        error: 1,
        skipped: 2,
    };
    let check = |numbers: [Option<u64>; 5], expected: bool| {
        let [tests, failures, errors, skipped, disabled] = numbers;
        let declared = Declared {
            tests,
            failures,
            errors,
            skipped,
            disabled,
        };
        assert_eq!(declared.differs_from(&counted), expected, "{declared:?}");
    };
    check([None; 5], false);
    check([Some(6), Some(1), Some(1), Some(2), None], false);
    check([Some(5), None, None, None, None], true);
    check([None, Some(2), Some(0), None, None], false);
    check([None, Some(2), None, None, None], false);
    check([None, Some(0), None, None, None], true);
    check([None, Some(1), Some(0), None, None], true);
    check([None, None, None, Some(1), Some(1)], false);
    check([None, None, None, Some(1), None], true);
}
