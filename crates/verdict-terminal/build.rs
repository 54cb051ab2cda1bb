//! Records the commit the program was built from, for the `tool` object of every decision.
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=PATCH_VERDICT_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    let given = std::env::var("PATCH_VERDICT_COMMIT").ok();
    // A package from the registry has no repository: `unknown` is then the honest answer.
    let commit = given.or_else(head).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=PATCH_VERDICT_COMMIT={commit}");
}

fn head() -> Option<String> {
    let output = Command::new("git")
        .args(["rev-parse", "HEAD"])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let commit = text.trim();
    (output.status.success() && !commit.is_empty()).then(|| commit.to_owned())
}
