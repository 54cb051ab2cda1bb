//! What holds for every failure text: prefix, idempotence, no dependence on folders and colours.
use differential_gate::{WitnessText, witness_class, witness_class_of_text, witness_prefix};
use proptest::prelude::*;

/// Pieces that the readers look for, so that random texts reach into them.
const PIECES: [&str; 40] = [
    "E       AssertionError: assert 1 == 2",
    ">       assert total == 4",
    "E   ",
    "tests/t.py:3: AssertionError",
    "Traceback (most recent call last):",
    "  File \"/tmp/a/t.py\", line 3, in f",
    "    work()",
    "KeyError: 'x'",
    "  + Exception Group Traceback (most recent call last):",
    "  +-+---------------- 1 ----------------",
    "    | ValueError: a",
    "Failed example:",
    "Expected:",
    "Got:",
    "thread 'main' (7) panicked at src/lib.rs:3:4:",
    "thread 'main' panicked at 'x', src/lib.rs:3:4",
    "assertion `left == right` failed: x",
    "  left: 1",
    " right: `2`: x",
    "panic: runtime error: index out of range [5] with length 3 [recovered]",
    "    a_test.go:3: got 1, want 2",
    "WARNING: DATA RACE",
    "Write at 0x00c0000b4010 by goroutine 8:",
    "        \tError:      \tNot equal: ",
    "expect(received).toBe(expected)",
    "    Received: 3",
    "    - Expected  - 1",
    "    + Received  + 1",
    "+ \"a\": 2,",
    "AssertionError [ERR_ASSERTION]: 3 == 4",
    "java.lang.AssertionError: expected:<1> but was:<2>",
    "\tat a.B.c(B.java:3)",
    "Caused by: java.io.IOException: x",
    "Assert.Equal() Failure",
    "Actual:   3",
    "a.cc:3: Failure",
    "Failure/Error: expect(a).to eq(4)",
    "Failed asserting that 3 matches expected 4.",
    "Fatal Python error: Segmentation fault",
    "{'b', {'a', frozenset({(1, 2",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES.to_vec()).prop_map(str::to_owned),
        1 => "[ -~\u{e4}\u{4e00}|\\\\\x1b\r]{0,24}",
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn a_class_begins_with_its_property_and_is_its_own_class(
        prop in "[ -~\u{e4}]{0,16}",
        text in text(),
    ) {
        let class = witness_class_of_text(&prop, &text, &["tests/t.py", "src/lib.rs"]);
        if text.trim().is_empty() {
            prop_assert_eq!(class, "");
        } else {
            prop_assert!(class.starts_with(&witness_prefix(&prop)), "{}", class);
            prop_assert!(!class.contains('\n'));
            prop_assert_eq!(&witness_class_of_text(&prop, &class, &[]), &class);
            prop_assert_eq!(witness_class_of_text(&prop, &format!("{class}\n"), &[]), class);
        }
    }

    #[test]
    fn the_folder_of_a_tree_is_no_part_of_a_class(
        text in text(),
        name in "[a-z]{1,8}\\.(py|toml|rs)",
    ) {
        // Below `>` it would be source code, which is kept as it is written.
        prop_assume!(!text.lines().any(|line| line.starts_with('>')));
        let at = |folder: &str| {
            let text = format!("{text}\nRuntimeError: cannot read {folder}/app/{name}\n{text}");
            witness_class_of_text("p", &text.replace("/tmp/a", folder), &[])
        };
        prop_assert_eq!(at("/tmp/w/parent"), at("/home/ci/srv/patch"));
    }

    #[test]
    fn attributes_of_a_report_never_break_it(
        kind in prop::option::of("[ -~]{0,20}"),
        message in prop::option::of(text()),
        detail in text(),
    ) {
        let given = WitnessText {
            prop: "p",
            kind: kind.as_deref(),
            message: message.as_deref(),
            detail: &detail,
        };
        let class = witness_class(&given, &[]);
        let blank = |text: Option<&str>| text.is_none_or(|text| text.trim().is_empty());
        let nothing = blank(given.kind) && blank(given.message) && detail.trim().is_empty();
        prop_assert_eq!(class.is_empty(), nothing);
        prop_assert_eq!(witness_class_of_text("p", &class, &[]), class);
    }
}

/// A failure as a report gives it.
fn class(kind: &str, message: &str, detail: &str) -> String {
    let given = WitnessText {
        prop: "p",
        kind: (!kind.is_empty()).then_some(kind),
        message: (!message.is_empty()).then_some(message),
        detail,
    };
    witness_class(&given, &[])
}

#[test]
fn message_and_type_of_a_report() {
    let body = ">       assert t == 4\nE       assert 3 == 4\n\nt.py:8: AssertionError";
    // The body says more than the message of pytest does.
    assert_eq!(class("", "assert 3 == 4", body), "p|AssertionError|t == 4");
    assert_eq!(class("", "assert 3 == 4", ""), "p||assert 3 == 4");
    assert_eq!(
        class("", "AssertionError: totals\nassert 3 == 4", ""),
        "p|AssertionError|totals\u{23ce}assert 3 == 4"
    );
    // The phase that failed is part of the class.
    let fixture = ">       raise KeyError('a')\nE       KeyError: 'a'\n\nt.py:3: KeyError";
    let phases = [
        class("", "KeyError: 'a'", fixture),
        class("", "failed on setup with \"KeyError: 'a'\"", fixture),
        class("", "failed on teardown with \"KeyError: 'a'\"", fixture),
    ];
    assert_eq!(phases[0], "p|KeyError|'a' in t.py");
    assert_eq!(phases[1], "p|KeyError|failed on setup: 'a' in t.py");
    assert_eq!(phases[2], "p|KeyError|failed on teardown: 'a' in t.py");
    // A type that the text does not name.
    assert_eq!(
        class("java.lang.Error", "gone", ""),
        "p|java.lang.Error|gone"
    );
    assert_eq!(class("Failed", "", ""), "p|Failed|");
    // A signal that only the attribute tells.
    let panic = "thread 't' panicked at src/lib.rs:3:4:\nboom\n";
    assert_ne!(
        class("test failure with exit code 101", "", panic),
        class("test abort with signal 6: SIGABRT", "", panic)
    );
    // A body without content does not hide the message.
    assert_ne!(
        class("", "shard 3", "    at a (b.js:1:2)"),
        class("", "shard 4", "    at a (b.js:1:2)")
    );
    // A message that says more than the body.
    assert_ne!(
        class("", "shard 3 is empty", "log line"),
        class("", "shard 4 is empty", "log line")
    );
}

#[test]
fn long_parts_are_cut_and_stay_apart() {
    let long = |end: &str| format!("RuntimeError: {}{end}", "x ".repeat(5000));
    let (a, b) = (
        witness_class_of_text("p", &long("a"), &[]),
        witness_class_of_text("p", &long("b"), &[]),
    );
    assert_ne!(a, b);
    assert!(a.len() < 700, "{}", a.len());
    assert_eq!(witness_class_of_text("p", &a, &[]), a);
}

#[test]
fn hostile_texts_take_linear_time() {
    // Each would take minutes with backtracking or with quadratic loops.
    let size = 200_000;
    for unit in [
        "{",
        "{'a', ",
        "E   \n",
        "(",
        "<",
        "expected:<",
        "a: ",
        "../",
        "\\|",
        "| ",
        "\u{1b}[",
    ] {
        let class = witness_class_of_text("p", &unit.repeat(size / unit.len()), &["a.py"]);
        assert!(class.starts_with("p|"), "{unit:?}");
    }
}
