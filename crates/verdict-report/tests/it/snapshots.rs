//! Every kind of verdict in every format, to be read as a reviewer reads it.
use patch_verdict_core::wire::VerdictDocument;
use verdict_report::{Look, github, human, markdown};

use crate::documents;

/// The text formats of one document below each other.
fn pages(document: &VerdictDocument) -> String {
    let (human, markdown, github) = (
        human(document, Look::plain()),
        markdown(document),
        github(document),
    );
    format!("=== human\n{human}=== markdown\n{markdown}=== github\n{github}")
}

#[test]
fn every_kind_of_verdict() {
    for (name, document) in [
        ("accept", documents::accept()),
        ("narrowed_accept", documents::narrowed_accept()),
        ("cleared_accept", documents::cleared_accept()),
        ("regression", verdict_report::example()),
        ("propose_freeze", documents::propose_freeze()),
        ("spec_review", documents::spec_review()),
        ("new_test_failed", documents::new_test_failed()),
        ("uniform_fail", documents::uniform_fail()),
        ("foreign_code", documents::foreign_code()),
        ("setup_failed", documents::setup_failed()),
        ("unaccounted_id", documents::unaccounted_id()),
    ] {
        insta::assert_snapshot!(name, pages(&document));
    }
}

#[test]
fn three_hundred_regressions() {
    insta::assert_snapshot!(human(&documents::regressions(300), Look::plain()));
}

#[test]
fn the_whole_document() {
    let text = verdict_report::json(&documents::propose_freeze()).unwrap();
    insta::assert_snapshot!(text);
}
