//! Rows: what is read, what is malformed and in which word.
use std::io::{BufReader, Error, Read};

use differential_gate::{
    Contract, ContractDraft, Decision, GateDecision, Property, Reason, Row, RowCounts, Schedule,
    Side, Status, decide, decide_unbound, write_row,
};

fn contract() -> Contract {
    let property = |id: &str| {
        Property::new(id, "passes")
            .with_spec_hash("s")
            .with_fixture_closure_hash("f")
    };
    ContractDraft::new("aa", "bb", vec![1, 2], vec![property("p"), property("q|r")])
        .build()
        .unwrap()
}

/// All rows of a side that passes.
fn passing(side: Side) -> String {
    let mut out = Vec::new();
    for prop in ["p", "q|r"] {
        for seed in [1, 2] {
            let row = Row::new(prop, seed, Status::Pass, "");
            write_row(&mut out, &contract(), side, &row).unwrap();
        }
    }
    String::from_utf8(out).unwrap()
}

fn judge(patch: &[u8]) -> GateDecision {
    decide(&contract(), passing(Side::Parent).as_bytes(), patch)
}

/// The first row of the patch with one piece replaced: one malformed line with this detail.
#[track_caller]
fn malformed(piece: &str, other: &str, detail: &str) {
    let rows = passing(Side::Patch);
    assert!(rows.contains(piece), "{piece}");
    let decision = judge(rows.replacen(piece, other, 1).as_bytes());
    assert_eq!(decision.decision(), Decision::Reject, "{other}");
    assert_eq!(decision.reason(), Reason::MalformedRow, "{other}");
    let issue = &decision.issues()[0];
    assert_eq!(
        (issue.line, issue.side),
        (Some(1), Some(Side::Patch)),
        "{other}"
    );
    assert_eq!(issue.detail.as_deref(), Some(detail), "{other}");
    assert!(decision.results().is_empty());
}

#[test]
fn malformed_rows_say_in_which_way() {
    malformed("\"seed\":1", "\"seed\":1.0", "field_seed");
    malformed("\"seed\":1", "\"seed\":1e0", "field_seed");
    malformed("\"seed\":1", "\"seed\":\"1\"", "field_seed");
    malformed("\"seed\":1", "\"seed\":true", "field_seed");
    malformed("\"seed\":1", "\"seed\":null", "field_seed");
    malformed("\"seed\":1", "\"seed\":[1]", "field_seed");
    malformed("\"seed\":1", "\"seed\":9223372036854775808", "field_seed");
    malformed(
        "\"seed\":1",
        &format!("\"seed\":1{}", "0".repeat(400)),
        "field_seed",
    );
    malformed("\"seed\":1,", "", "field_seed");
    malformed("\"seed\":1", "\"seed\":01", "not_json");
    malformed("\"seed\":1", "\"seed\":+1", "not_json");
    malformed("\"seed\":1", "\"seed\":NaN", "not_json");
    malformed("\"seed\":1", "\"seed\":1,", "not_json");
    malformed("\"seed\":1", "\"seed\":1,\"seed\":1", "duplicate_key");
    malformed("\"seed\":1", "\"seed\":1,\"s\\u0065ed\":1", "duplicate_key");
    malformed(
        "\"seed\":1",
        "\"seed\":1,\"x\":1,\"\\u0078\":1",
        "duplicate_key",
    );
    malformed(
        "\"seed\":1",
        "\"seed\":1,\"x\":[{\"a\":1,\"a\":2}]",
        "duplicate_key",
    );
    malformed("\"seed\":1", "\"seed\":1,\"x\":\"\\ud800\"", "not_json");
    malformed("\"seed\":1", "\"seed\":1,\"x\":\"a\tb\"", "not_json");
    malformed("\"status\":\"pass\"", "\"status\":\"PASS\"", "field_status");
    malformed(
        "\"status\":\"pass\"",
        "\"status\":\"skipped\"",
        "field_status",
    );
    malformed("\"status\":\"pass\"", "\"status\":\"\"", "field_status");
    malformed("\"status\":\"pass\"", "\"status\":null", "field_status");
    malformed("\"witness\":\"\"", "\"witness\":null", "field_witness");
    malformed("\"witness\":\"\"", "\"witness\":0", "field_witness");
    malformed("\"witness\":\"\"", "\"witness\":\" \"", "witness_on_pass");
    malformed("\"prop\":\"p\"", "\"prop\":\"\"", "field_prop");
    malformed("\"prop\":\"p\"", "\"prop\":\"p\\u0000\"", "field_prop");
    malformed("\"prop\":\"p\"", "\"prop\":{}", "field_prop");
    malformed("\"tree_sha\":\"bb\"", "\"tree_sha\":7", "field_tree_sha");
    malformed("\"spec_hash\":", "\"spec_hush\":", "field_spec_hash");
    malformed("\"contract_hash\":", "\"contract\":", "field_contract_hash");
    malformed("{", "{{", "not_json");
    malformed("{", "[{", "not_json");
    malformed("{", "\u{feff}\u{feff}{", "not_json");
    malformed("{", "17\n{", "not_an_object");
    malformed("{", "[1,{\"a\":\"]\"}]\n{", "not_an_object");
    malformed("{", "\"{}\"\n{", "not_an_object");
    malformed("{", "null\n{", "not_an_object");
    malformed("{", "\0\n{", "not_json");
    malformed("{", &format!("{}\n{{", "[".repeat(100_000)), "not_json");
}

#[test]
fn what_is_tolerated_changes_nothing() {
    let rows = passing(Side::Patch);
    let good = judge(rows.as_bytes());
    assert_eq!(good.reason(), Reason::BothPass);
    for variant in [
        rows.replace('\n', "\r\n"),
        rows.replace('\n', "\n\n \t\r\n"),
        format!("\u{feff}{rows}"),
        format!("\u{feff}\n{rows}"),
        rows.trim_end().to_owned(),
        rows.replace("\"seed\":", " \"seed\" : "),
        rows.replace("\"witness\"", "\"witn\\u0065ss\""),
        rows.replace(",\"witness\":\"\"", ""),
        rows.replace(
            "{\"c",
            "{\"raw\":\"\u{2028}\u{85}\",\"duration_ms\":1.5e400,\"c",
        ),
    ] {
        let decision = judge(variant.as_bytes());
        assert_eq!(decision, good, "{variant}");
    }
}

#[test]
fn bytes_that_are_not_utf8_void_the_side_wherever_they_stand() {
    let rows = passing(Side::Patch);
    for at in [0, 5, rows.len()] {
        let mut bytes = rows.clone().into_bytes();
        bytes.insert(at, 0xff);
        let decision = judge(&bytes);
        assert_eq!(decision.reason(), Reason::MalformedRow);
        assert_eq!(decision.rows(Side::Patch), RowCounts::default());
        let codes: Vec<_> = decision.issues().iter().map(|issue| issue.code).collect();
        assert_eq!(codes, [Reason::MalformedRow, Reason::IncompleteContract]);
        assert_eq!(decision.issues()[0].line, Some(0));
        assert_eq!(decision.issues()[0].detail.as_deref(), Some("not_utf8"));
    }
}

/// Gives its bytes, then an error.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(out)?;
        if read == 0 {
            return Err(Error::other("torn"));
        }
        Ok(read)
    }
}

#[test]
fn a_stream_that_breaks_voids_its_side() {
    let rows = passing(Side::Patch);
    let decision = decide(
        &contract(),
        passing(Side::Parent).as_bytes(),
        BufReader::new(Broken(rows.as_bytes())),
    );
    assert_eq!(decision.reason(), Reason::MalformedRow);
    assert_eq!(decision.issues()[0].detail.as_deref(), Some("unreadable"));
    assert_eq!(decision.rows(Side::Patch), RowCounts::default());
}

#[test]
fn a_line_beyond_the_cap_is_no_row_and_still_has_to_be_utf8() {
    let rows = passing(Side::Patch);
    // Three-byte characters, so that the cap cuts one.
    let long = format!("\"{}\"\n", "\u{2603}".repeat(6_000_000));
    let decision = judge(format!("{long}{rows}").as_bytes());
    assert_eq!(decision.reason(), Reason::MalformedRow);
    assert_eq!(
        decision.issues()[0].detail.as_deref(),
        Some("line_too_long")
    );
    assert_eq!(decision.rows(Side::Patch).counted, 4);
    let mut bytes = long.into_bytes();
    let end = bytes.len() - 3;
    bytes[end] = b'x';
    let decision = judge(&bytes);
    assert_eq!(decision.issues()[0].detail.as_deref(), Some("not_utf8"));
}

#[test]
fn issues_are_listed_up_to_a_thousand_and_then_counted() {
    let mut rows = passing(Side::Patch);
    for _ in 0..1_500 {
        rows.push_str("{}\n");
    }
    let decision = judge(rows.as_bytes());
    assert_eq!(decision.issues().len(), 1_000);
    assert_eq!(decision.issues_omitted(), 500);
    assert_eq!(decision.rows(Side::Patch).lines, 1_504);
}

/// Both sides fail seed 1 with these witnesses and pass seed 2.
fn both_fail(prop: &str, parent: &str, patch: &str) -> Reason {
    let side = |side: Side, witness: &str| {
        let mut out = Vec::new();
        for id in ["p", "q|r"] {
            let row = if id == prop {
                Row::new(id, 1, Status::Fail, witness)
            } else {
                Row::new(id, 1, Status::Pass, "")
            };
            write_row(&mut out, &contract(), side, &row).unwrap();
            write_row(
                &mut out,
                &contract(),
                side,
                &Row::new(id, 2, Status::Pass, ""),
            )
            .unwrap();
        }
        out
    };
    let (parent, patch) = (side(Side::Parent, parent), side(Side::Patch, patch));
    decide(&contract(), parent.as_slice(), patch.as_slice()).reason()
}

#[test]
fn a_witness_is_a_class_of_its_property() {
    assert_eq!(both_fail("p", "p|E|a", "p|E|a"), Reason::SharedVariantFail);
    assert_eq!(both_fail("p", "p|E|a", "p|E|b"), Reason::WitnessMismatch);
    for none in ["", "  ", "boom", "pp|E|a", "q|E|a", "P|E|a", "p"] {
        assert_eq!(both_fail("p", none, none), Reason::WitnessMissing, "{none}");
        assert_eq!(
            both_fail("p", "p|E|a", none),
            Reason::WitnessMissing,
            "{none}"
        );
    }
    assert_eq!(
        both_fail("q|r", r"q\|r|E|a", r"q\|r|E|a"),
        Reason::SharedVariantFail
    );
    assert_eq!(
        both_fail("q|r", "q|r|E|a", "q|r|E|a"),
        Reason::WitnessMissing
    );
}

#[test]
fn the_writer_refuses_what_the_reader_would() {
    let mut out = Vec::new();
    let mut write = |row: &Row| write_row(&mut out, &contract(), Side::Patch, row).is_err();
    let row = Row::new("p", 1, Status::Pass, "");
    assert!(write(&Row::new("", 1, Status::Pass, "")));
    assert!(write(&Row::new("p", 1, Status::Pass, "p|E|a")));
    assert!(write(&row.clone().with_further("seed", "2")));
    assert!(write(&row.clone().with_further("raw", "not json")));
    assert!(write(&row.clone().with_further("raw", "{\"a\":1,\"a\":1}")));
    assert!(!write(&row.with_further("raw", "{\"a\":\n[1.5]}")));
    assert_eq!(out.split(|byte| *byte == b'\n').count() - 1, 1);
}

#[test]
fn more_than_a_hundred_classes_never_match() {
    let seeds: Vec<i64> = (0..102).collect();
    let property = Property::new("p", "passes")
        .with_spec_hash("s")
        .with_fixture_closure_hash("f");
    let contract = ContractDraft::new("aa", "bb", seeds.clone(), vec![property])
        .build()
        .unwrap();
    let side = |side: Side, classes: i64| {
        let mut out = Vec::new();
        for seed in &seeds {
            let row = if *seed < classes {
                Row::new("p", *seed, Status::Fail, format!("p|E|{:03}", 200 - seed))
            } else {
                Row::new("p", *seed, Status::Pass, "")
            };
            write_row(&mut out, &contract, side, &row).unwrap();
        }
        out
    };
    for (classes, reason) in [
        (100, Reason::SharedVariantFail),
        (101, Reason::WitnessMismatch),
    ] {
        let (parent, patch) = (side(Side::Parent, classes), side(Side::Patch, classes));
        let decision = decide(&contract, parent.as_slice(), patch.as_slice());
        assert_eq!(decision.reason(), reason);
        let witnesses = &decision.results()[0].patch.witnesses;
        assert_eq!(witnesses.len(), 100);
        assert!(witnesses.is_sorted());
    }
}

#[test]
fn unbound_rows_are_advice() {
    let schedule = Schedule::from_json(b"{\"seeds\":[1,2]}").unwrap();
    let row = |prop: &str, seed: i64, status: &str, witness: &str| {
        format!(
            "{{\"prop\":\"{prop}\",\"seed\":{seed},\"status\":\"{status}\",\"witness\":\"{witness}\"}}\n"
        )
    };
    let pass = [row("a", 1, "pass", ""), row("a", 2, "pass", "")].concat();
    let flaky = [row("b", 1, "fail", "any text"), row("b", 2, "pass", "")].concat();
    let judge = |parent: &str, patch: &str| {
        let decision = decide_unbound(&schedule, parent.as_bytes(), patch.as_bytes());
        assert!(!decision.is_bound());
        decision.reason()
    };
    assert_eq!(judge(&pass, &pass), Reason::BothPass);
    let both = format!("{flaky}{pass}");
    assert_eq!(judge(&both, &both), Reason::SharedVariantFail);
    // The properties are the union: what one side never met is missing there.
    assert_eq!(judge(&pass, &both), Reason::MissingSeed);
    assert_eq!(judge(&both, &pass), Reason::MissingSeed);
    assert_eq!(judge("", &pass), Reason::IncompleteContract);
    assert_eq!(
        judge(&pass, &row("a", 3, "pass", "")),
        Reason::SeedScheduleMismatch
    );
    assert_eq!(
        judge(&pass, "{\"prop\":\"a\",\"seed\":1}"),
        Reason::MalformedRow
    );
}
