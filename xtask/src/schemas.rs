//! JSON Schemas of the machine formats, generated from the Rust types.
use std::fs;

use anyhow::{Context as _, bail};

use crate::process;

/// Writes `docs/schemas/*.json`; with `--check` compares instead.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let check = match arguments {
        [] => false,
        [word] if word == "--check" => true,
        _ => bail!("usage: cargo xtask schemas [--check]"),
    };
    let folder = process::root().join("docs/schemas");
    fs::create_dir_all(&folder)?;
    let mut differing = Vec::new();
    for (name, schema) in schemas() {
        let path = folder.join(format!("{name}.schema.json"));
        let text = format!("{}\n", serde_json::to_string_pretty(&schema)?);
        if check {
            if fs::read_to_string(&path).unwrap_or_default() != text {
                differing.push(name);
            }
        } else {
            fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
    }
    if !differing.is_empty() {
        bail!(
            "docs/schemas differs from the types: {} (run `cargo xtask schemas`)",
            differing.join(", ")
        );
    }
    Ok(())
}

fn schemas() -> [(&'static str, schemars::Schema); 4] {
    [
        (
            "decision",
            schemars::schema_for!(differential_gate::wire::Decision),
        ),
        (
            "verdict",
            schemars::schema_for!(patch_verdict_core::wire::VerdictDocument),
        ),
        (
            "junit-parse",
            schemars::schema_for!(junit_parse::wire::Document),
        ),
        (
            "junit-parse-case",
            schemars::schema_for!(junit_parse::wire::CaseLine),
        ),
    ]
}
