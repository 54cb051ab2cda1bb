//! What is passed, pinned and dropped.

use std::collections::BTreeMap;

use super::{Purpose, hash_seed, pinned};
use crate::options::{EnvironmentPlan, RunPaths};

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn made(
    caller: &[(&str, &str)],
    plan: &EnvironmentPlan,
    purpose: Purpose<'_>,
) -> BTreeMap<String, String> {
    let paths = RunPaths {
        tree: "/t/tree".into(),
        control: "/t/control".into(),
        temp: "/t/temp".into(),
        home: "/t/home".into(),
    };
    pinned(&map(caller), plan, &paths, 12, purpose)
}

const RUN: Purpose<'static> = Purpose::Run {
    seed: 5,
    extra: &BTreeMap::new(),
};

#[test]
fn only_what_is_named_is_passed() {
    let caller = [
        ("SECRET", "s"),
        ("DATABASE_URL", "d"),
        ("PIP_INDEX_URL", "p"),
        ("https_proxy", "x"),
        ("GIT_INDEX_FILE", "g"),
        ("RUSTFLAGS", "r"),
        ("CARGO_HOME", "/c"),
    ];
    let plan = EnvironmentPlan::new(
        vec!["DATABASE_URL".to_owned()],
        map(&[("TZ", "Asia/Tokyo")]),
    );
    let run = made(&caller, &plan, RUN);
    for (name, value) in [
        ("SECRET", None),
        ("GIT_INDEX_FILE", None),
        ("RUSTFLAGS", None),
        ("PIP_INDEX_URL", None),
        ("https_proxy", None),
        ("DATABASE_URL", Some("d")),
        ("CARGO_HOME", Some("/c")),
        ("TZ", Some("Asia/Tokyo")),
        ("PATCH_VERDICT_SEED", Some("5")),
        ("PATCH_VERDICT_JUNIT", Some("/t/control/junit.xml")),
        ("SOURCE_DATE_EPOCH", Some("12")),
    ] {
        assert_eq!(run.get(name).map(String::as_str), value, "{name}");
    }
    let set_up = made(&caller, &plan, Purpose::SetUp);
    assert_eq!(set_up.get("PIP_INDEX_URL").map(String::as_str), Some("p"));
    assert_eq!(set_up.get("https_proxy").map(String::as_str), Some("x"));
    assert!(!set_up.contains_key("SECRET") && !set_up.contains_key("PATCH_VERDICT_SEED"));
}

#[test]
fn a_virtual_environment_is_kept_only_if_it_is_on_the_path() {
    let plan = EnvironmentPlan::default();
    let on = made(
        &[("VIRTUAL_ENV", "/v"), ("PATH", "/v/bin:/bin")],
        &plan,
        RUN,
    );
    assert_eq!(on.get("VIRTUAL_ENV").map(String::as_str), Some("/v"));
    let off = made(&[("VIRTUAL_ENV", "/v"), ("PATH", "/bin")], &plan, RUN);
    assert!(!off.contains_key("VIRTUAL_ENV"));
}

#[test]
fn the_hash_seed_has_32_bits() {
    for (seed, expected) in [
        (0, 0),
        (7, 7),
        (-1, 4_294_967_295),
        (4_294_967_296, 0),
        (i64::MAX, 4_294_967_295),
        (i64::MIN, 0),
    ] {
        assert_eq!(hash_seed(seed), expected, "{seed}");
    }
}
