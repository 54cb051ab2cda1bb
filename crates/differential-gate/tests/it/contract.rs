//! Contracts: what is read, what is refused, and that the hash depends on the content alone.
use differential_gate::{Contract, ContractDraft, Property, Schedule};
use proptest::prelude::*;

const JSON: &str = r#"{"contract_version":1,"parent_sha":"aa","patch_sha":"bb","spec_hash":"s",
 "fixture_closure_hash":"f","seeds":[3,-1],"properties":[{"id":"p","oracle":"passes"}]}"#;

/// `JSON` with one piece replaced.
fn with(piece: &str, other: &str) -> String {
    assert!(JSON.contains(piece), "{piece}");
    JSON.replace(piece, other)
}

#[track_caller]
fn refused(json: &str, detail: &str) {
    let error = Contract::from_json(json.as_bytes()).unwrap_err();
    assert_eq!(error.detail(), detail, "{json}: {error}");
}

#[test]
fn the_good_one_is_read() {
    let contract = Contract::from_json(JSON.as_bytes()).unwrap();
    assert_eq!(contract.seeds(), [3, -1]);
    assert_eq!(contract.properties()[0].id, "p");
    assert_eq!(contract.normaliser_version(), "1");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_is_refused_names_its_key() {
    for (piece, other, detail) in [
        (
            "\"contract_version\":1",
            "\"contract_version\":2",
            "contract_version",
        ),
        (
            "\"contract_version\":1",
            "\"contract_version\":\"1\"",
            "contract_version",
        ),
        (
            "\"contract_version\":1",
            "\"contract_version\":1.0",
            "contract_version",
        ),
        ("\"contract_version\":1,", "", "contract_version"),
        ("\"aa\"", "7", "parent_sha"),
        ("\"aa\"", "\"\"", "parent_sha"),
        ("\"aa\"", "\"bb\"", "same_tree"),
        ("\"aa\"", "\"BB\"", "same_tree"),
        ("\"bb\"", "null", "patch_sha"),
        ("\"s\"", "[]", "spec_hash"),
        ("\"f\"", "true", "fixture_closure_hash"),
        ("[3,-1]", "[]", "seeds"),
        ("[3,-1]", "3", "seeds"),
        ("[3,-1]", "[3,3]", "seeds"),
        ("[3,-1]", "[0,-0]", "seeds"),
        ("[3,-1]", "[3.0]", "seeds"),
        ("[3,-1]", "[1e2]", "seeds"),
        ("[3,-1]", "[\"3\"]", "seeds"),
        ("[3,-1]", "[true]", "seeds"),
        ("[3,-1]", "[9223372036854775808]", "seeds"),
        ("[3,-1]", "[03]", "not_json"),
        ("[3,-1]", "[3,]", "not_json"),
        ("[{\"id\":\"p\",\"oracle\":\"passes\"}]", "[]", "properties"),
        (
            "[{\"id\":\"p\",\"oracle\":\"passes\"}]",
            "[\"p\"]",
            "properties",
        ),
        ("\"id\":\"p\"", "\"id\":\"\"", "properties"),
        ("\"id\":\"p\"", "\"id\":\"p\\u0000\"", "properties"),
        ("\"id\":\"p\"", "\"id\":7", "properties"),
        (",\"oracle\":\"passes\"", "", "properties"),
        (
            ",\"oracle\":\"passes\"",
            ",\"oracle\":\"passes\",\"spec_hash\":1",
            "properties",
        ),
        (
            "{\"id\":\"p\",\"oracle\":\"passes\"}",
            "{\"id\":\"p\",\"oracle\":\"a\"},{\"id\":\"\\u0070\",\"oracle\":\"b\"}",
            "properties",
        ),
        (
            "\"seeds\":",
            "\"seeds\":[1],\"s\\u0065eds\":",
            "duplicate_key",
        ),
        (
            "\"id\":\"p\"",
            "\"id\":\"p\",\"x\":[{\"a\":1,\"a\":1}]",
            "duplicate_key",
        ),
        ("\"seeds\":", "\"rate\":0.5,\"seeds\":", "rate"),
        ("\"seeds\":", "\"x\":{\"y\":[1e3]},\"seeds\":", "x"),
        ("\"seeds\":", "\"x\":NaN,\"seeds\":", "not_json"),
        (
            "\"seeds\":",
            "\"normaliser_version\":\"1\",\"seeds\":",
            "normaliser_version",
        ),
    ] {
        refused(&with(piece, other), detail);
    }
    refused("", "not_json");
    refused("[]", "contract_version");
    refused(&format!("{JSON} {JSON}"), "not_json");
    refused(JSON.trim_end_matches('}'), "not_json");
    refused(
        &with(
            "[3,-1]",
            &format!("{}1{}", "[".repeat(9999), "]".repeat(9999)),
        ),
        "not_json",
    );
    let latin = [JSON.as_bytes(), &[0xe9]].concat();
    assert_eq!(
        Contract::from_json(&latin).unwrap_err().detail(),
        "not_json"
    );
}

const YAML: &str = "\
# what both sides run
contract_version: 1
parent_sha: aa
patch_sha: 'bb'
spec_hash: s
fixture_closure_hash: \"f\"
seeds: [3, -1]
properties:
  - id: p
    oracle: passes
";

#[test]
fn both_spellings_have_one_hash() {
    let json = Contract::from_json(JSON.as_bytes()).unwrap();
    let yaml = Contract::from_yaml(YAML.as_bytes()).unwrap();
    assert_eq!(json, yaml);
    let again = Contract::from_json(json.to_json().as_bytes()).unwrap();
    assert_eq!(again, json);
    assert_eq!(
        json.to_canonical_json(),
        r#"{"contract_version":1,"fixture_closure_hash":"f","parent_sha":"aa","patch_sha":"bb","properties":[{"id":"p","oracle":"passes"}],"seeds":[3,-1],"spec_hash":"s"}"#
    );
    // Recomputed with `sha256sum` over that line without its line feed.
    assert_eq!(json.hash().len(), "sha256:".len() + 64);
}

#[test]
fn yaml_that_readers_may_read_differently_is_refused() {
    for (piece, other, detail) in [
        ("seeds: [3, -1]", "seeds: [1]\nseeds: [3]", "duplicate_key"),
        ("parent_sha: aa", "parent_sha: 1234567", "parent_sha"),
        ("parent_sha: aa", "parent_sha: 0123456", "parent_sha"),
        ("parent_sha: aa", "parent_sha: 12e5678", "parent_sha"),
        ("parent_sha: aa", "parent_sha: 1_000", "parent_sha"),
        ("parent_sha: aa", "parent_sha: ~", "parent_sha"),
        ("parent_sha: aa", "parent_sha:", "parent_sha"),
        ("oracle: passes", "oracle: yes", "properties"),
        ("oracle: passes", "oracle: 190:20:30", "properties"),
        ("[3, -1]", "[0x10]", "seeds"),
        ("[3, -1]", "[0o17]", "seeds"),
        ("[3, -1]", "[017]", "seeds"),
        ("[3, -1]", "[1_000]", "seeds"),
        ("[3, -1]", "[3.0]", "seeds"),
        ("[3, -1]", "[.nan]", "seeds"),
        ("[3, -1]", "[1e3]", "seeds"),
        ("[3, -1]", "['3']", "seeds"),
        ("[3, -1]", "[3, 3]", "seeds"),
        ("[3, -1]", "[!!int '3']", "seeds"),
        ("seeds: [3, -1]", "seeds: &a [3]\nmore: *a", "not_yaml"),
        ("seeds: [3, -1]", "seeds: &a [3]", "not_yaml"),
        ("seeds: [3, -1]", "seeds: [3]\n<<: {x: 1}", "not_yaml"),
        ("seeds: [3, -1]", "seeds: [3]\n1: x", "not_yaml"),
        ("seeds: [3, -1]", "seeds: [3", "not_yaml"),
        (
            "contract_version: 1",
            "contract_version: 1.0",
            "contract_version",
        ),
    ] {
        assert!(YAML.contains(piece), "{piece}");
        let yaml = YAML.replace(piece, other);
        let error = Contract::from_yaml(yaml.as_bytes()).unwrap_err();
        assert_eq!(error.detail(), detail, "{yaml}: {error}");
    }
    let two = format!("{YAML}---\n{YAML}");
    assert_eq!(
        Contract::from_yaml(two.as_bytes()).unwrap_err().detail(),
        "not_yaml"
    );
    let plain = YAML.replace("parent_sha: aa", "parent_sha: 4be1c09");
    assert_eq!(
        Contract::from_yaml(plain.as_bytes()).unwrap().parent_sha(),
        "4be1c09"
    );
}

#[test]
fn further_keys_are_hashed_exactly() {
    let hash = |further: &str| {
        let json = with("\"seeds\":", &format!("\"x\":{further},\"seeds\":"));
        Contract::from_json(json.as_bytes())
            .unwrap()
            .hash()
            .to_owned()
    };
    // Beyond 2^53 a double would merge these.
    assert_ne!(hash("9007199254740993"), hash("9007199254740992"));
    assert_ne!(
        hash("123456789012345678901234567890"),
        hash("123456789012345678901234567891")
    );
    assert_eq!(hash("-0"), hash("0"));
    assert_eq!(hash("\"\\u00e9\\/\\ud83d\\ude00\""), hash("\"é/😀\""));
    assert_ne!(hash("\"é\""), hash("\"e\u{301}\""));
    assert_eq!(
        hash("{\"b\":null,\"a\":[true, {} ]}"),
        hash("{\"a\":[true,{}],\"b\":null}")
    );
    let yaml = YAML.replace("seeds:", "x: {b: ~, a: [true, {}]}\nseeds:");
    let yaml = Contract::from_yaml(yaml.as_bytes()).unwrap();
    assert_eq!(yaml.hash(), hash("{\"a\":[true,{}],\"b\":null}"));
    assert_eq!(
        yaml.further_json("x").unwrap(),
        r#"{"a":[true,{}],"b":null}"#
    );
    assert_eq!(yaml.further_keys().collect::<Vec<_>>(), ["x"]);
}

#[test]
fn a_draft_adds_the_properties_hashes_up() {
    let property = |id: &str| {
        Property::new(id, "passes")
            .with_spec_hash(format!("sha256:{id}1"))
            .with_fixture_closure_hash(format!("sha256:{id}2"))
    };
    let draft = |ids: [&str; 2]| {
        ContractDraft::new("aa", "bb", vec![1], ids.map(property).to_vec())
            .further_json("scope", r#"{"kind": "all"}"#)
            .build()
            .unwrap()
    };
    let contract = draft(["b", "a"]);
    // printf 'a\tsha256:a1\nb\tsha256:b1\n' | sha256sum
    assert_eq!(contract.spec_hash(), draft(["a", "b"]).spec_hash());
    assert_eq!(
        contract.spec_hash_of_properties().as_deref(),
        Some(contract.spec_hash())
    );
    assert_ne!(contract.spec_hash(), contract.fixture_closure_hash());
    assert!(contract.further_json("normaliser_version").is_some());
    assert_eq!(contract.further_json("scope").unwrap(), r#"{"kind":"all"}"#);
    let bare = ContractDraft::new("aa", "bb", vec![1], vec![Property::new("a", "passes")]);
    assert_eq!(bare.build().unwrap_err().detail(), "spec_hash");
    let twice = ContractDraft::new("aa", "bb", vec![1], vec![property("a")]);
    let twice = twice.further_json("seeds", "[2]").build();
    assert_eq!(twice.unwrap_err().detail(), "duplicate_key");
}

#[test]
fn a_schedule_needs_seeds_alone() {
    let schedule = Schedule::from_yaml(b"seeds: [5, 4]").unwrap();
    assert_eq!(schedule.seeds(), [5, 4]);
    assert_eq!(
        schedule.hash(),
        Schedule::from_json(b"{\"seeds\":[5,4]}").unwrap().hash()
    );
    assert!(Schedule::from_json(b"{\"seeds\":[]}").is_err());
    assert!(Schedule::from_json(b"{}").is_err());
}

proptest! {
    #[test]
    fn no_bytes_make_the_readers_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        // Whatever it is, it is no contract: the keys of one do not come by chance.
        prop_assert!(Contract::from_json(&bytes).is_err());
        prop_assert!(Contract::from_yaml(&bytes).is_err());
    }

    #[test]
    fn texts_and_seeds_survive_writing_and_reading(
        id in "[^\\x00]*[a-z]", oracle in "[^\\x00]*[a-z]",
        seeds in proptest::collection::btree_set(any::<i64>(), 1..20),
    ) {
        let property = Property::new(id, oracle).with_spec_hash("s").with_fixture_closure_hash("f");
        let seeds: Vec<i64> = seeds.into_iter().rev().collect();
        let contract = ContractDraft::new("aa", "bb", seeds, vec![property]).build().unwrap();
        prop_assert_eq!(&Contract::from_json(contract.to_json().as_bytes()).unwrap(), &contract);
        let canonical = contract.to_canonical_json();
        prop_assert_eq!(&Contract::from_json(canonical.as_bytes()).unwrap(), &contract);
        // JSON is YAML, but for what YAML forbids in a text.
        if let Ok(yaml) = Contract::from_yaml(canonical.as_bytes()) {
            prop_assert_eq!(yaml.hash(), contract.hash());
        }
    }
}

#[test]
fn the_hash_is_over_the_canonical_text_wherever_the_lists_stand() {
    let file = r#"{"zz": "é", "seeds": [3, -1], "q": {"x": true}, "spec_hash": "s",
        "properties": [{"z": [1, {"k": null}], "oracle": "passes", "id": "p"}, {"id": "q", "oracle": "passes"}],
        "patch_sha": "bb", "parent_sha": "aa", "fixture_closure_hash": "f", "contract_version": 1, "a": 1}"#;
    let contract = Contract::from_json(file.as_bytes()).unwrap();
    let canonical = r#"{"a":1,"contract_version":1,"fixture_closure_hash":"f","parent_sha":"aa","patch_sha":"bb","properties":[{"id":"p","oracle":"passes","z":[1,{"k":null}]},{"id":"q","oracle":"passes"}],"q":{"x":true},"seeds":[3,-1],"spec_hash":"s","zz":"é"}"#;
    assert_eq!(contract.to_canonical_json(), canonical);
    // printf '%s' CANONICAL | sha256sum
    let hash = "sha256:f1c04bb204fbf0a464622611a85025c3a1ea65ed7f4e358ca0cbaf5cf94eae93";
    assert_eq!(contract.hash(), hash);
    assert_eq!(Contract::from_yaml(file.as_bytes()).unwrap().hash(), hash);
    let written = Contract::from_json(contract.to_json().as_bytes()).unwrap();
    assert_eq!(written.hash(), hash);
}
