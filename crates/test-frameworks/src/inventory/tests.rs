//! The reader is strict: what the plugin writes is read, anything less is refused.

use super::{Inventory, InventoryError};

const EMPTY: &str = r#"{"schema_version":1,"complete":true,"mode":"whole","rootdir":"/t","items":[],
"uncollectable":[],"collect_skipped":[],"conftests":[],"plugins":[],"loaded":[],"seeded":[],
"switched_off":[],"replaced":[],"versions":{},"testpaths":[],"inifile":null,"exitstatus":5}"#;

#[track_caller]
fn check_malformed(text: &str) {
    let error = Inventory::parse(text.as_bytes());
    assert!(
        matches!(error, Err(InventoryError::Malformed(_))),
        "{error:?}"
    );
}

#[test]
fn reads_an_empty_one() {
    let inventory = Inventory::parse(EMPTY.as_bytes()).unwrap();
    assert!(inventory.complete && inventory.items.is_empty());
    assert_eq!(inventory.exitstatus, Some(5));
}

#[test]
fn refuses_less_and_more() {
    check_malformed("");
    check_malformed(&EMPTY.replace("\"complete\":true,", ""));
    check_malformed(&EMPTY.replace("\"complete\":true,", "\"complete\":1,"));
    check_malformed(&EMPTY.replace("\"inifile\":null,", ""));
    check_malformed(&EMPTY.replace("\"inifile\":null,", "\"inifile\":null,\"extra\":1,"));
    check_malformed(&EMPTY.replace("\"mode\":", "\"complete\":true,\"mode\":"));
    check_malformed(&format!("{EMPTY} x"));
    check_malformed(EMPTY.strip_suffix('}').unwrap());
}

#[test]
fn refuses_another_version_and_contradictions() {
    let other = EMPTY.replace("\"schema_version\":1", "\"schema_version\":2");
    assert_eq!(
        Inventory::parse(other.as_bytes()),
        Err(InventoryError::Version(2))
    );
    for status in ["null", "2", "3", "-9"] {
        let text = EMPTY.replace("\"exitstatus\":5", &format!("\"exitstatus\":{status}"));
        let error = Inventory::parse(text.as_bytes());
        assert!(
            matches!(error, Err(InventoryError::Contradiction(_))),
            "{status}: {error:?}"
        );
    }
    let unfinished = EMPTY.replace("true", "false").replace(":5}", ":null}");
    assert!(!Inventory::parse(unfinished.as_bytes()).unwrap().complete);
}
