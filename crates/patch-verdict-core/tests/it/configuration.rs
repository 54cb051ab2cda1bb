//! `patch-verdict.toml`.
use std::time::Duration;

use patch_verdict_core::{Config, NetworkConfig, id_matcher, parse_duration};

#[track_caller]
fn refused(text: &str, word: &str) {
    let error = Config::from_toml(text).unwrap_err().to_string();
    assert!(error.contains(word), "`{word}` is not in: {error}");
}

#[test]
fn an_empty_file_is_every_default() {
    assert_eq!(Config::from_toml("").unwrap(), Config::default());
    assert_eq!(Config::default().seeds, 3);
    assert_eq!(
        Config::default().suite(None).unwrap().network,
        NetworkConfig::Off
    );
}

#[test]
fn the_documented_file_is_read() {
    let config = Config::from_toml(
        r#"
seeds = 5
fail_on = "high"
silence = [{ rule = "sleep-added", file = "tests/e2e/**", reason = "known", until = "2026-12-31" }]
accept_narrow_scope = true
require_manifest = false
unstable_witness = ["visual/**"]
[[suite]]
name = "unit"
directory = "python"
framework = "pytest"
command = ["python", "-m", "pytest"]
setup = ["python -m venv .venv"]
timeout = "1h 30m"
network = "host"
[env]
pass = ["DATABASE_URL"]
set = { TZ = "UTC" }
[[service]]
start = "server &"
ready = "ask"
"#,
    )
    .unwrap();
    assert_eq!(config.service[0].start, "server &");
    assert_eq!(config.service[0].ready, "ask");
    let suite = config.suite(Some("unit")).unwrap();
    assert_eq!(suite.timeout(), Some(Duration::from_secs(5400)));
    assert_eq!(suite.network, NetworkConfig::Host);
    assert!(config.suite(Some("other")).is_err());
}

#[test]
fn what_cannot_be_meant_is_refused() {
    refused("seeds = 0", "seeds = 0");
    refused("sseeds = 3", "sseeds");
    refused("seeds = \"3\"", "seeds");
    refused("[[suite]]\ntimeout = \"soon\"", "soon");
    refused("[[suite]]\ndirectory = \"../other\"", "../other");
    refused("[[suite]]\ndirectory = \"/srv\"", "/srv");
    refused(
        "[[suite]]\nname = \"a\"\n[[suite]]\nname = \"a\"",
        "two suites",
    );
    refused("[[suite]]\nclock = \"2026-01-01T00:00:00Z\"", "clock");
    refused("[[service]]\nstart = \"a\"\nready = \" \"", "`ready`");
    refused("[[service]]\nstart = \"\"\nready = \"b\"", "`start`");
    refused("[[service]]\nstart = \"a\"", "ready");
    refused("seeds = [", "TOML");
    refused("unstable_witness = [\"visual/[\"]", "visual/[");
    refused("unstable_witness = [\"{a\"]", "{a");
    let silence = |file: &str, until: &str| {
        format!(
            "silence = [{{ rule = \"r\", file = \"{file}\", reason = \"x\", until = \"{until}\" }}]"
        )
    };
    refused(&silence("tests/**", "some day"), "some day");
    refused(&silence("tests/**", "2026-02-30"), "2026-02-30");
    refused(&silence("tests/[", "2026-12-31"), "tests/[");
}

#[test]
fn one_of_several_suites_has_to_be_named() {
    let config = Config::from_toml("[[suite]]\nname = \"a\"\n[[suite]]\nname = \"b\"").unwrap();
    assert!(config.suite(None).unwrap_err().to_string().contains("a, b"));
}

#[test]
fn durations_have_units_and_are_more_than_nothing() {
    assert_eq!(parse_duration("90s"), Some(Duration::from_secs(90)));
    assert_eq!(parse_duration("10m"), Some(Duration::from_secs(600)));
    for text in ["", "0s", "-5s", "10", "soon"] {
        assert_eq!(parse_duration(text), None, "{text}");
    }
}

#[test]
fn patterns_match_whole_ids() {
    let matches = id_matcher(&["visual/**".to_owned(), "*::test_pixels*".to_owned()]);
    assert!(matches("visual/a/b::test"));
    assert!(matches("m::test_pixels[1]"));
    assert!(!matches("m::test_other"));
}
