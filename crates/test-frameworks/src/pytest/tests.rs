//! The options that keep the plugin out are found, and only those.

use super::isolating_option;

#[track_caller]
fn check(command: &str, expected: Option<&str>) {
    let command: Vec<String> = command.split(' ').map(str::to_owned).collect();
    assert_eq!(isolating_option(&command), expected, "{command:?}");
}

#[test]
fn isolating_options() {
    check("python -I -m pytest", Some("-I"));
    check("uv run python3.12 -sE -m pytest", Some("-sE"));
    check("/v/bin/python -W error -X dev -I run.py", Some("-I"));
    check("python -We -mpytest", None);
    check("python -m pytest -I -E", None);
    check("python run.py -I", None);
    check("pytest -I", None);
    check("make test", None);
}
