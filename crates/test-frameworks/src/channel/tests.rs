//! What is believed of a channel, and what is not.

use super::{Channel, ChannelError};

#[track_caller]
fn check(lines: &[&str], wanted: Result<&str, ChannelError>) {
    let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    let found = Channel::parse(text.as_bytes()).map(|channel| {
        let results: Vec<String> = channel
            .results
            .iter()
            .map(|(id, outcome)| format!("{id} {outcome:?}"))
            .collect();
        let running = channel.running.as_deref().unwrap_or("-");
        format!("{} | {running} | {:?}", results.join(", "), channel.ended)
    });
    assert_eq!(found, wanted.map(str::to_owned));
}

const OPEN: &str = r#"{"n":0,"open":1}"#;

#[test]
fn phases_fold_to_the_gravest() {
    check(
        &[
            OPEN,
            r#"{"n":1,"start":"a"}"#,
            r#"{"n":2,"test":"a","when":"setup","outcome":"passed"}"#,
            r#"{"n":3,"test":"a","when":"call","outcome":"failed"}"#,
            r#"{"n":4,"test":"a","when":"teardown","outcome":"passed"}"#,
            r#"{"n":5,"start":"b"}"#,
            r#"{"n":6,"test":"b","when":"setup","outcome":"skipped"}"#,
            r#"{"n":7,"test":"b","when":"teardown","outcome":"passed"}"#,
            r#"{"n":8,"end":1}"#,
        ],
        Ok("a Failed, b Skipped | - | Some(1)"),
    );
}

#[test]
fn an_unknown_outcome_is_a_failure() {
    check(
        &[
            OPEN,
            r#"{"n":1,"test":"a","when":"call","outcome":"rerun"}"#,
        ],
        Ok("a Failed | - | None"),
    );
}

#[test]
fn the_running_test_is_named() {
    check(
        &[
            OPEN,
            r#"{"n":1,"start":"a"}"#,
            r#"{"n":2,"test":"a","when":"setup","outcome":"passed"}"#,
        ],
        Ok("a Passed | a | None"),
    );
}

#[test]
fn a_line_that_was_cut_off_is_left_out() {
    let bytes = b"{\"n\":0,\"open\":1}\n{\"n\":1,\"sta";
    assert_eq!(Channel::parse(bytes), Ok(Channel::default()));
}

#[test]
fn what_cannot_be_believed() {
    let end = r#"{"n":1,"end":0}"#;
    for (lines, fault) in [
        (vec![], ChannelError::Silent),
        (vec![r#"{"n":1,"open":1}"#], ChannelError::Order(0)),
        (vec![OPEN, r#"{"n":2,"start":"a"}"#], ChannelError::Order(1)),
        (vec![OPEN, r#"{"n":0,"open":1}"#], ChannelError::Order(1)),
        (
            vec![OPEN, r#"{"n":1,"open":1}"#],
            ChannelError::Malformed(1),
        ),
        (vec![r#"{"n":0,"start":"a"}"#], ChannelError::Malformed(0)),
        (
            vec![OPEN, end, r#"{"n":2,"end":0}"#],
            ChannelError::AfterEnd(2),
        ),
        (vec![OPEN, ""], ChannelError::Malformed(1)),
        (vec![OPEN, r#"{"n":1}"#], ChannelError::Malformed(1)),
        (
            vec![OPEN, r#"{"n":1,"start":"a","end":0}"#],
            ChannelError::Malformed(1),
        ),
        (
            vec![OPEN, r#"{"n":1,"test":"a","outcome":"passed"}"#],
            ChannelError::Malformed(1),
        ),
        (
            vec![OPEN, r#"{"n":1,"start":"a","more":0}"#],
            ChannelError::Malformed(1),
        ),
    ] {
        check(&lines, Err(fault));
    }
}
